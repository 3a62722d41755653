//! The report as CSV (RFC 4180) with a header; every row has every column.

use super::comment::comment;
use super::json::number;
use counterpoint::{Place, Report, Row, Value};
use std::io::{self, Write};
use std::time::Duration;

const COLUMNS: [&str; 18] = [
    "event",
    "canonical",
    "value",
    "status",
    "unit",
    "raw",
    "enabled_ns",
    "running_ns",
    "coverage",
    "comment",
    "comment_unit",
    "interval_s",
    "cpu",
    "thread",
    "core",
    "socket",
    "runs",
    "stddev",
];

pub fn rows(
    out: &mut impl Write,
    report: &Report,
    at: Option<Duration>,
    length: Duration,
    separator: &str,
    header: bool,
) -> io::Result<()> {
    if header {
        writeln!(out, "{}", COLUMNS.join(separator))?;
    }
    for row in &report.rows {
        let fields = fields(row, report, at, length);
        let fields: Vec<String> = fields.iter().map(|field| quoted(field, separator)).collect();
        writeln!(out, "{}", fields.join(separator))?;
    }
    Ok(())
}

fn fields(
    row: &Row,
    report: &Report,
    at: Option<Duration>,
    length: Duration,
) -> [String; COLUMNS.len()] {
    let comment = comment(row, report, length);
    let value = number(&row.value);
    let (cpu, thread, core, socket) = match row.place {
        Place::All => (None, None, None, None),
        Place::Cpu(cpu) => (Some(cpu), None, None, None),
        Place::Thread(thread) => (None, Some(thread), None, None),
        Place::Core { socket, core } => (None, None, Some(core), Some(socket)),
        Place::Socket(socket) => (None, None, None, Some(socket)),
    };
    let coverage = match row.value {
        Value::Counted(_) => Some(1.0),
        Value::Estimated { coverage, .. } => Some(coverage),
        _ => None,
    };
    let nanoseconds = |time: Duration| row.raw.map(|_| time.as_nanos());
    [
        row.event.clone(),
        row.canonical.clone(),
        if value.is_null() { String::new() } else { value.to_string() },
        row.value.status().to_string(),
        text(row.unit.as_deref()),
        text(row.raw),
        text(nanoseconds(row.enabled)),
        text(nanoseconds(row.running)),
        text(coverage),
        text(comment.as_ref().map(|comment| comment.value)),
        text(comment.as_ref().map(|comment| comment.unit)),
        text(at.map(|at| at.as_secs_f64())),
        text(cpu),
        text(thread),
        text(core),
        text(socket),
        text(row.spread.map(|spread| spread.runs)),
        text(row.spread.and_then(|spread| spread.stddev)),
    ]
}

fn text(field: Option<impl ToString>) -> String {
    field.map(|field| field.to_string()).unwrap_or_default()
}

fn quoted(field: &str, separator: &str) -> String {
    if field.contains(['"', '\n', '\r']) || (!separator.is_empty() && field.contains(separator)) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}
