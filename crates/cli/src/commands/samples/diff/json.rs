use super::sentences;
use super::side::{Design, Side};
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
    /// What noise is: `shares` are compared with chance in taking samples, the amounts of `rounds`, in which the commands took turns, with what their differences differ by, and those of `runs` with what the runs of each side differ by.
    design: &'static str,
    /// The unit of changes: `percentage points`, `ms a run`, `samples a run` or `events a run`.
    unit: &'static str,
    /// The base, and what is compared with it.
    files: [Profiled<'a>; 2],
    /// The functions that have samples on either side, the one that changed most first.
    functions: Vec<Function<'a>>,
    /// The result in words.
    sentences: Vec<String>,
}

/// A side.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Profiled<'a> {
    /// The name of the file, or the command.
    file: &'a str,
    /// All samples of the event, or, where samples stand for several events each, these.
    samples: u64,
    /// The runs, or files, that have them.
    runs: usize,
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
    /// In what is compared.
    other: Option<Share>,
    /// What is compared minus the base, in `unit`.
    change: f64,
    /// The lower bound of the 95 % interval of the change.
    change_low: f64,
    /// The upper bound.
    change_high: f64,
    /// The probability that equal functions differ at least as much, without regard to their number.
    p: f64,
    /// `more`, `less`, `uncertain` or `no-difference`, corrected for the number of functions; null if both sides have too few samples of it.
    verdict: Option<&'static str>,
}

/// The samples of a function on a side.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Share {
    /// Their number.
    count: u64,
    /// Their share of all samples of the side, in percent.
    percent: f64,
    /// The standard error of that share by chance in taking samples, in percent.
    error: f64,
    /// What a run has, in `unit`; null of shares.
    amount: Option<f64>,
}

pub fn write(out: &mut dyn Write, tables: &[Table], sides: &[Side; 2]) -> io::Result<()> {
    for table in tables {
        let file = |side: usize| Profiled {
            file: &sides[side].title,
            samples: table.count(side),
            runs: table.totals[side].len(),
        };
        let line = Line {
            schema: 1,
            event: &table.event,
            design: match table.design {
                Design::Shares => "shares",
                Design::Rounds => "rounds",
                Design::Runs => "runs",
            },
            unit: table.unit(),
            files: [file(0), file(1)],
            functions: table.rows.iter().map(|row| function(row, table)).collect(),
            sentences: sentences::verdict_sentences(table, &ShortNames::default()),
        };
        show::json(out, &line)?;
    }
    Ok(())
}

fn function<'t>(row: &'t Row, table: &Table) -> Function<'t> {
    let share = |side: usize| {
        let (percent, error) = row.share(side, table)?;
        let count = row.count(side)?;
        let amount = (table.design != Design::Shares).then(|| table.amount(side, count));
        Some(Share { count, percent, error, amount })
    };
    let of = row.comparison.difference;
    Function {
        function: &row.function,
        module: row.module.as_deref(),
        base: share(0),
        other: share(1),
        change: table.change(of.estimate),
        change_low: table.change(of.low),
        change_high: table.change(of.high),
        p: row.comparison.p,
        verdict: row.verdict.map(Verdict::name),
    }
}
