//! The report as CSV (RFC 4180) with a header; every row has every column.

use super::format::{Counted, Format};
use crate::csv::{self, Plain};
use crate::failure::Failure;
use crate::records::{Amount, Row, Status};
use serde::Serialize;
use std::io::{self, Write};

pub struct Csv {
    separator: u8,
}

impl Csv {
    pub fn new(separator: &str) -> Result<Csv, Failure> {
        Ok(Csv { separator: csv::separator(separator)? })
    }
}

impl Format for Csv {
    fn heading(&self) -> io::Result<Vec<u8>> {
        let mut lines = csv::lines(self.separator, true, [Columns::default()])?;
        let end = lines.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        lines.truncate(end);
        Ok(lines)
    }

    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let records: Vec<Row> = counted.records().collect();
        // Written in one piece, so that the escaping of control characters does not see half of one.
        let columns = records.iter().map(Columns::of);
        out.write_all(&csv::lines(self.separator, false, columns)?)
    }
}

/// The columns, in their order.
#[derive(Default, Serialize)]
struct Columns<'a> {
    event: &'a str,
    canonical: Option<&'a str>,
    value: Option<Amount>,
    status: Option<Status>,
    unit: Option<&'a str>,
    raw: Option<u64>,
    enabled_ns: Option<u64>,
    running_ns: Option<u64>,
    coverage: Option<Plain>,
    comment: Option<Plain>,
    comment_unit: Option<&'static str>,
    interval_s: Option<Plain>,
    cpu: Option<u32>,
    thread: Option<u32>,
    comm: Option<&'a str>,
    core: Option<u32>,
    socket: Option<u32>,
    runs: Option<usize>,
    stddev: Option<Plain>,
    standard_error: Option<Plain>,
    min: Option<Amount>,
    median: Option<Amount>,
    max: Option<Amount>,
    rank: Option<u64>,
    host: Option<&'a str>,
    pid: Option<u32>,
    groups: Option<String>,
    threshold: Option<&'a str>,
    crossed: Option<bool>,
    die: Option<u32>,
    node: Option<u32>,
    cache_level: Option<u8>,
    cache: Option<u32>,
    cgroup: Option<&'a str>,
    job: Option<&'a str>,
    ranks: Option<u64>,
    local_rank: Option<u64>,
    counted_elsewhere: Option<bool>,
}

impl Columns<'_> {
    fn of(row: &Row) -> Columns<'_> {
        let (comment, runs) = (row.comment.as_ref(), row.runs.as_ref());
        Columns {
            event: &row.event,
            canonical: row.canonical.as_deref(),
            value: row.value,
            status: Some(row.status),
            unit: row.unit.as_deref(),
            raw: row.raw,
            enabled_ns: row.enabled_ns,
            running_ns: row.running_ns,
            coverage: row.coverage.map(Plain),
            comment: comment.map(|comment| Plain(comment.value)),
            comment_unit: comment.map(|comment| comment.unit),
            interval_s: row.interval_s.map(Plain),
            cpu: row.location.cpu,
            thread: row.location.thread,
            comm: row.location.comm.as_deref(),
            core: row.location.core,
            socket: row.location.socket,
            runs: runs.map(|runs| runs.runs),
            stddev: runs.and_then(|runs| runs.stddev).map(Plain),
            standard_error: runs.and_then(|runs| runs.standard_error).map(Plain),
            min: runs.and_then(|runs| runs.min),
            median: runs.and_then(|runs| runs.median),
            max: runs.and_then(|runs| runs.max),
            rank: row.process.rank,
            host: row.process.host.as_deref(),
            pid: row.process.pid,
            groups: row.metric.as_ref().map(|metric| metric.groups.join(";")),
            threshold: row.metric.as_ref().and_then(|metric| metric.threshold.as_deref()),
            crossed: row.metric.as_ref().and_then(|metric| metric.crossed),
            die: row.location.die,
            node: row.location.node,
            cache_level: row.location.cache_level,
            cache: row.location.cache,
            cgroup: row.location.cgroup.as_deref(),
            job: row.process.job.as_deref(),
            ranks: row.process.ranks,
            local_rank: row.process.local_rank,
            counted_elsewhere: row.counted_elsewhere.then_some(true),
        }
    }
}
