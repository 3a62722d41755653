//! `--sort`: the samples by what they have in common.

use super::format::Format;
pub use super::keys::Key;
use super::shown::Shown;
use crate::failure::Failure;
use crate::show::{self, printable};
use clap::ValueEnum;
use counterpoint::profil::Bucket;
use counterpoint::profil::write::{Profile, Share, TableSize};
use counterpoint::profile::{Part, SampleKey};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};

/// A field of `perf report -F`; `None` of a column that every table has.
#[derive(Clone, Copy)]
pub struct Field(pub Option<Key>);

/// The field of this name.
pub fn field(text: &str) -> Result<Field, String> {
    if matches!(text, "overhead" | "overhead_children" | "sample" | "period") {
        return Ok(Field(None));
    }
    Key::from_str(text, false).map(|key| Field(Some(key))).map_err(|_| {
        "it is no key; the keys are function, line, module, pid, tid, comm, cpu, rank and node"
            .to_string()
    })
}

const UNKNOWN: &str = "[unknown]";
const ELSEWHERE: &str = "[elsewhere]";

/// Samples that have the same of each key.
pub struct Row {
    /// In the order of the keys; `None` where it is not known.
    names: Vec<Option<String>>,
    share: Share,
}

/// The keys by which samples are counted apart while they are taken.
pub fn apart(keys: &[Key]) -> Vec<SampleKey> {
    let mut apart: Vec<SampleKey> = Vec::new();
    for key in keys.iter().filter_map(|key| key.apart()) {
        if !apart.contains(&key) {
            apart.push(key);
        }
    }
    apart
}

/// Refuses what cannot be shown with `--sort`.
pub fn check(keys: &[Key], format: Format) -> Result<(), Failure> {
    let mut left = keys;
    while let [key, rest @ ..] = left {
        if rest.contains(key) {
            let name = key.to_possible_value().map(|value| value.get_name().to_string());
            return Err(Failure::new(format!("--sort has `{}` twice", name.unwrap_or_default())));
        }
        left = rest;
    }
    if keys.is_empty() || matches!(format, Format::Table | Format::Json) {
        Ok(())
    } else {
        Err(Failure::new("--sort is for the formats table and json").help("leave out --format"))
    }
}

/// The rows of a profile with its parts, the one with the most samples first.
pub fn rows(args: &Shown<'_>, profile: &Profile<'_>, parts: &[Part]) -> Vec<Row> {
    let keys = args.sort;
    let mut buckets: HashMap<Vec<Option<String>>, Vec<Bucket>> = HashMap::new();
    let whole = [Part::default()];
    let is_whole = apart(keys).is_empty();
    for part in if is_whole { &whole } else { parts } {
        let snapshot = if is_whole { profile.snapshot } else { &part.snapshot };
        let of = Profile { snapshot, ..*profile };
        let known = |key: Key| match key {
            Key::Pid => part.pid.map(|pid| args.own_id(pid).to_string()),
            Key::Tid => part.tid.map(|tid| args.own_id(tid).to_string()),
            Key::Rank => args.rank(part.pid).map(|rank| rank.to_string()),
            Key::Node => args.node(part.pid).map(str::to_string),
            Key::Cpu => part.cpu.map(|cpu| cpu.to_string()),
            Key::Comm => part.name.clone(),
            Key::Function | Key::Line | Key::Module => None,
        };
        for bucket in of.placed() {
            let place = of.place(bucket);
            let name = |key: &Key| match key {
                Key::Function => Some(place.to_string()),
                Key::Module => place.module.clone(),
                Key::Line => place.lines.as_ref().map(|lines| lines.to_string()),
                other => known(*other),
            };
            buckets.entry(keys.iter().map(name).collect()).or_default().push(*bucket);
        }
        let (count, squares) = of.unplaced();
        if count > 0 {
            let name = |key: &Key| match key {
                Key::Function => Some(ELSEWHERE.to_string()),
                other => known(*other),
            };
            let bucket = Bucket::new(0, (0, 0), count, squares);
            buckets.entry(keys.iter().map(name).collect()).or_default().push(bucket);
        }
    }
    let row = |(names, of): (_, Vec<Bucket>)| Row { names, share: profile.share(&of) };
    let mut rows: Vec<Row> = buckets.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.share.count.cmp(&a.share.count).then_with(|| a.names.cmp(&b.names)));
    rows
}

/// Writes the table.
pub fn write(
    out: &mut dyn Write,
    profile: &Profile<'_>,
    keys: &[Key],
    rows: &[Row],
    size: &TableSize,
) -> io::Result<()> {
    let total: u64 = rows.iter().map(|row| row.share.count).sum();
    let unit = profile.unit();
    let width = total.to_string().len().max(unit.len());
    let shown = rows.iter().take(size.rows);
    let shown = shown.take_while(|row| row.share.percent >= size.percent).count();
    let shown = &rows[..shown];
    let name = |row: &Row, column: usize| -> String {
        printable(row.names[column].as_deref().unwrap_or(UNKNOWN)).into_owned()
    };
    let widths: Vec<usize> = keys
        .iter()
        .enumerate()
        .map(|(column, key)| {
            let names = shown.iter().map(|row| name(row, column).chars().count());
            names.max().unwrap_or(0).max(key.title().len())
        })
        .collect();
    let line = |cells: Vec<String>| -> String {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:<width$}"));
        cells.collect::<String>().trim_end().to_string()
    };
    let (event, about) = (printable(profile.event), profile.about());
    writeln!(out, "\n {event}: {about}{total} {unit}\n")?;
    let titles = line(keys.iter().map(|key| key.title().to_string()).collect());
    writeln!(out, "   part   error  {unit:>width$}{titles}")?;
    for row in shown {
        let Share { count, percent, error } = row.share;
        let names = line((0..keys.len()).map(|column| name(row, column)).collect());
        let row = format!("{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}{names}");
        writeln!(out, "{}", show::cut(&row, size.columns))?;
    }
    match rows.len() - shown.len() {
        0 => Ok(()),
        more => writeln!(out, "        … and {more} more"),
    }
}

/// Samples that have the keys of `--sort` in common; it has those keys only that were asked for.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Sorted {
    /// The function; `[elsewhere]` for samples without an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    /// The source file and line, or lines that share their samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// The file that contains the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    /// The process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    tid: Option<u32>,
    /// The name of the thread when the samples were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    comm: Option<String>,
    /// The CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<u32>,
    /// The rank in a parallel job.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    /// The node.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// The samples.
    count: u64,
    /// Their share of all samples, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

/// The rows for JSON.
pub fn json(keys: &[Key], rows: Vec<Row>) -> Vec<Sorted> {
    let sorted = |row: Row| {
        let Share { count, percent, error } = row.share;
        let mut sorted = Sorted { count, percent, error, ..Sorted::default() };
        for (key, name) in keys.iter().zip(row.names) {
            let number = name.as_deref().and_then(|name| name.parse().ok());
            match key {
                Key::Function => sorted.function = name,
                Key::Line => sorted.line = name,
                Key::Module => sorted.module = name,
                Key::Comm => sorted.comm = name,
                Key::Pid => sorted.pid = number,
                Key::Tid => sorted.tid = number,
                Key::Cpu => sorted.cpu = number,
                Key::Rank => sorted.rank = number,
                Key::Node => sorted.node = name,
            }
        }
        sorted
    };
    rows.into_iter().map(sorted).collect()
}
