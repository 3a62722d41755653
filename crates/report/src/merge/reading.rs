//! Reads reports, line by line.

use super::entry::{End, Entry, KeyedCell};
use super::papi;
use crate::row::RowReader;
use crate::{Process, Row, SCHEMA, Timeline, TimelineLine};
use serde::Deserialize;
use serde_json::Value;

/// The lines of a report, and what is wrong with those that are left out.
#[derive(Debug)]
pub struct Lines {
    /// The lines that were understood.
    pub entries: Vec<Entry>,
    /// The first line that was not, and how many others.
    pub wrong: Option<String>,
}

/// Reads a report of ours or of PAPI; the error names the first line that is wrong.
pub fn read(file: &str, text: &str) -> Result<Lines, String> {
    let read = if papi::is_report(text) {
        Lines { entries: papi::read(file, text)?, wrong: None }
    } else {
        lines(text)
    };
    match (read.entries.is_empty(), read.wrong) {
        (false, wrong) => Ok(Lines { wrong, ..read }),
        (true, wrong) => Err(wrong.unwrap_or_else(|| "it does not contain a report".to_string())),
    }
}

/// A line that a process has not finished costs no other.
fn lines(text: &str) -> Lines {
    let (mut entries, mut wrong, mut rows) = (Vec::new(), Vec::new(), RowReader::default());
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (index, line) in lines {
        // Most lines are rows, and a line that is none is read again to say why.
        match rows.read(line) {
            Ok(row) if row.schema == SCHEMA => entries.push(Entry::of(row)),
            _ => match other(line) {
                Ok(entry) => entries.push(entry),
                Err(what) => wrong.push(format!("line {}: {what}", index + 1)),
            },
        }
    }
    let more = wrong.len().saturating_sub(1);
    let wrong = wrong.into_iter().next().map(|first| match more {
        0 => first,
        1 => format!("{first}, and 1 more line"),
        _ => format!("{first}, and {more} more lines"),
    });
    Lines { entries, wrong }
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
        let end = End::deserialize(summary).map_err(wrong)?;
        let value = end.elapsed_s.map(KeyedCell::elapsed);
        return Ok(Entry { end: Some(end), value, ..Entry::new(process) });
    }
    if line.get("event").is_some() {
        let read = Row::deserialize(&line).map(Entry::of);
        return read.map_err(|error| format!("not a line of a report: {error}"));
    }
    let TimelineLine { process, thread, thread_number, timeline, .. } =
        TimelineLine::deserialize(&line).map_err(wrong)?;
    if timeline.visits.iter().any(|(region, ..)| *region >= timeline.regions.len()) {
        return Err("a visit of a region that is not listed".to_string());
    }
    let timeline = Timeline { thread, thread_number, ..timeline };
    Ok(Entry { timeline: Some(timeline), ..Entry::new(process) })
}
