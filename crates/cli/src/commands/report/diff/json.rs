use super::sentences;
use super::table::{Row, Table};
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::symbols::ShortNames;
use counterpoint_compare::Verdict;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// The profiles of an event in two files.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The event that was sampled.
    event: &'a str,
    /// The base, and the file that is compared with it.
    files: [Profiled; 2],
    /// The functions that have samples in either file, the one whose share changed most first.
    functions: Vec<Function<'a>>,
    /// The result in words.
    sentences: Vec<String>,
}

/// A file.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Profiled {
    /// Its name.
    file: String,
    /// All its samples of the event.
    samples: u64,
}

/// A function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Function<'a> {
    /// Its name.
    function: &'a str,
    /// The file that contains it.
    module: Option<&'a str>,
    /// In the base; null if it has no samples there.
    base: Option<Share>,
    /// In the file that is compared.
    other: Option<Share>,
    /// The share in the file that is compared minus that in the base, in percentage points.
    change: f64,
    /// The lower bound of the 95 % interval of the change.
    change_low: f64,
    /// The upper bound.
    change_high: f64,
    /// The probability that equal shares differ at least as much by chance, without regard to the number of functions.
    p: f64,
    /// `more`, `less`, `uncertain` or `no-difference`, corrected for the number of functions; null if both files have too few samples of it.
    verdict: Option<&'static str>,
}

/// The samples of a function in a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Share {
    /// Their number.
    count: u64,
    /// Their share of all samples of the file, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

pub fn write(out: &mut dyn Write, tables: &[Table], files: [&Path; 2]) -> io::Result<()> {
    for table in tables {
        let file = |side: usize| Profiled {
            file: files[side].display().to_string(),
            samples: table.samples[side],
        };
        let line = Line {
            schema: 1,
            event: &table.event,
            files: [file(0), file(1)],
            functions: table.rows.iter().map(|row| function(row, table.samples)).collect(),
            sentences: sentences::verdict_sentences(table, &ShortNames::default()),
        };
        show::json(out, &line)?;
    }
    Ok(())
}

fn function(row: &Row, samples: [u64; 2]) -> Function<'_> {
    let share = |side: usize| {
        let (percent, error) = row.share(side, samples)?;
        Some(Share { count: row.counts[side]?, percent, error })
    };
    let of = row.comparison.difference;
    Function {
        function: &row.function,
        module: row.module.as_deref(),
        base: share(0),
        other: share(1),
        change: 100.0 * of.estimate,
        change_low: 100.0 * of.low,
        change_high: 100.0 * of.high,
        p: row.comparison.p,
        verdict: row.verdict.map(|verdict| match verdict {
            Verdict::More => "more",
            Verdict::Less => "less",
            Verdict::Uncertain => "uncertain",
            Verdict::NoDifference => "no-difference",
        }),
    }
}
