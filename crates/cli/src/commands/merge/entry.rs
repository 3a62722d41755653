//! The lines of a report, one by one.

use super::merged::Cell;
use super::papi;
use crate::merged_records::Key;
use crate::records::{Process, Row, SCHEMA};
use crate::timeline_records::{Timeline, TimelineLine};
use serde::Deserialize;
use serde_json::Value;

/// A line of a report.
pub struct Entry {
    pub process: Process,
    /// `None` of a row that is a part of another one, and of the end.
    pub value: Option<KeyedCell>,
    /// Whether it is the end of the report of the process.
    pub is_end: bool,
    pub timeline: Option<Timeline>,
}

/// The value of a row.
pub struct KeyedCell {
    pub key: Key,
    pub cell: Cell,
    /// The end of the interval that it is of.
    pub interval: Option<f64>,
}

/// Reads a report of ours or of PAPI; the error names the line that is wrong.
pub fn read(file: &str, text: &str) -> Result<Vec<Entry>, String> {
    let entries = match papi::is_report(text) {
        true => papi::read(file, text)?,
        false => lines(text)?,
    };
    if entries.is_empty() {
        return Err("it does not contain a report".to_string());
    }
    Ok(entries)
}

fn lines(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            // Most lines are rows, and a line that is none is read again to say why.
            match serde_json::from_str::<Row>(line) {
                Ok(row) if row.schema == SCHEMA => Ok(Entry::of(row)),
                _ => other(line).map_err(|what| format!("line {}: {what}", index + 1)),
            }
        })
        .collect()
}

/// A line that is not a row.
fn other(line: &str) -> Result<Entry, String> {
    let line: Value = serde_json::from_str(line)
        .map_err(|e| format!("not JSON from column {} on", e.column()))?;
    match line.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema == u64::from(SCHEMA) => {}
        Some(_) => return Err("a schema that this version does not support".to_string()),
        None => return Err("not a line of a report".to_string()),
    }
    let wrong = |_| "not a line of a report".to_string();
    if let Some(summary) = line.get("summary") {
        let process = Process::deserialize(summary).map_err(wrong)?;
        return Ok(Entry { is_end: true, ..Entry::new(process) });
    }
    let TimelineLine { process, thread, timeline, .. } =
        TimelineLine::deserialize(&line).map_err(wrong)?;
    if timeline.visits.iter().any(|(region, ..)| *region >= timeline.regions.len()) {
        return Err("a visit of a region that is not listed".to_string());
    }
    let timeline = Timeline { thread, ..timeline };
    Ok(Entry { timeline: Some(timeline), ..Entry::new(process) })
}

impl Entry {
    /// A line that says no more than which process it is of.
    pub fn new(process: Process) -> Entry {
        Entry { process, value: None, is_end: false, timeline: None }
    }

    fn of(row: Row) -> Entry {
        // The threads of a region are in its total already.
        if row.region.is_some() && row.location.thread.is_some() {
            return Entry::new(row.process);
        }
        let cell = Cell {
            amount: row.value,
            coverage: row.coverage,
            calls: row.calls,
            reason: row.reason.map(Into::into),
            status: row.status,
            is_formula: row.value.is_some() && row.raw.is_none(),
            is_elsewhere: row.counted_elsewhere,
        };
        let key = Key {
            schema: row.schema,
            region: row.region,
            event: row.event,
            canonical: row.canonical,
            unit: row.unit,
            location: row.location,
        };
        let value = Some(KeyedCell { key, cell, interval: row.interval_s });
        Entry { value, ..Entry::new(row.process) }
    }
}
