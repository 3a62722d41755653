//! The comparison as CSV (RFC 4180) with a header: a line for each event and side.

use super::json::{Line, lines};
use super::table::Table;
use ::csv::{ReaderBuilder, Writer};
use serde::Serialize;
use std::io::{self, Write};

pub fn write(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let parameters = table.parameters();
    let mut writer = Writer::from_writer(Vec::new());
    for line in lines(table) {
        writer.serialize(Columns::of(&line))?;
    }
    let plain = writer.into_inner().map_err(|error| error.into_error())?;
    if parameters.is_empty() {
        // Written in one piece, so that the escaping of control characters does not see half of one.
        return out.write_all(&plain);
    }
    out.write_all(&with_parameters(&plain, table, &parameters)?)
}

/// Adds the columns of the parameters of a sweep, of which there are as many as were asked for.
fn with_parameters(plain: &[u8], table: &Table, names: &[&str]) -> io::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut records = ReaderBuilder::new().has_headers(false).from_reader(plain).into_records();
    if let Some(heading) = records.next() {
        let mut heading = heading?;
        for side in ["base", "other"] {
            names.iter().for_each(|name| heading.push_field(&format!("{side}_parameter_{name}")));
        }
        writer.write_record(&heading)?;
    }
    for (line, record) in lines(table).zip(records) {
        let mut record = record?;
        for side in [&line.base, &line.other] {
            let value = |name: &&str| side.parameters.get(name).copied().unwrap_or_default();
            names.iter().for_each(|name| record.push_field(value(name)));
        }
        writer.write_record(&record)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// The columns, in their order.
#[derive(Serialize)]
struct Columns<'a> {
    event: &'a str,
    canonical: Option<&'a str>,
    unit: Option<&'a str>,
    cpu: Option<u32>,
    thread: Option<u32>,
    comm: Option<&'a str>,
    socket: Option<u32>,
    die: Option<u32>,
    core: Option<u32>,
    node: Option<u32>,
    cache_level: Option<u8>,
    cache: Option<u32>,
    cgroup: Option<&'a str>,
    base: &'a str,
    base_runs: usize,
    base_mean: Option<f64>,
    base_stddev: Option<f64>,
    base_outliers: usize,
    other: &'a str,
    other_runs: usize,
    other_mean: Option<f64>,
    other_stddev: Option<f64>,
    other_outliers: usize,
    ratio: Option<f64>,
    ratio_low: Option<f64>,
    ratio_high: Option<f64>,
    difference: Option<f64>,
    difference_low: Option<f64>,
    difference_high: Option<f64>,
    p: Option<f64>,
    verdict: &'a str,
}

impl<'a> Columns<'a> {
    fn of(line: &Line<'a>) -> Columns<'a> {
        let Line { base, other, location, .. } = line;
        Columns {
            event: line.event,
            canonical: line.canonical,
            unit: line.unit,
            cpu: location.cpu,
            thread: location.thread,
            comm: location.comm.as_deref(),
            socket: location.socket,
            die: location.die,
            core: location.core,
            node: location.node,
            cache_level: location.cache_level,
            cache: location.cache,
            cgroup: location.cgroup.as_deref(),
            base: base.side,
            base_runs: base.runs,
            base_mean: base.mean,
            base_stddev: base.stddev,
            base_outliers: base.outliers.len(),
            other: other.side,
            other_runs: other.runs,
            other_mean: other.mean,
            other_stddev: other.stddev,
            other_outliers: other.outliers.len(),
            ratio: line.ratio,
            ratio_low: line.ratio_low,
            ratio_high: line.ratio_high,
            difference: line.difference,
            difference_low: line.difference_low,
            difference_high: line.difference_high,
            p: line.p,
            verdict: line.verdict,
        }
    }
}
