//! The comparison as CSV (RFC 4180) with a header: a line for each event and side.

use super::json::{Line, lines};
use super::table::Table;
use ::csv::Writer;
use serde::Serialize;
use std::io::{self, Write};

pub fn write(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let mut writer = Writer::from_writer(Vec::new());
    for line in lines(table) {
        writer.serialize(Columns::of(&line))?;
    }
    // Written in one piece, so that the escaping of control characters does not see half of one.
    out.write_all(&writer.into_inner().map_err(|error| error.into_error())?)
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
    base: char,
    base_runs: usize,
    base_mean: Option<f64>,
    base_stddev: Option<f64>,
    base_outliers: usize,
    other: char,
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
