//! The timelines of merged reports as a trace for Perfetto and chrome://tracing.

use counterpoint_report::merge::Merged;
use counterpoint_report::trace::{self, TraceEvent};
use std::collections::HashMap;
use std::io::{self, Write};

/// Returns the number of visits that are not in it; `None`, and writes nothing, if no report has a timeline. Times are since the first timeline of all began.
pub fn write(out: &mut impl Write, merged: &Merged) -> io::Result<Option<u64>> {
    let began = merged.timelines.iter().map(|(_, timeline)| timeline.began_s).reduce(f64::min);
    let Some(began) = began else { return Ok(None) };
    // Processes of several hosts may have the same id.
    let mut pids: HashMap<&str, u64> = HashMap::new();
    for (process, timeline) in &merged.timelines {
        let next = pids.len() as u64 + 1;
        let pid = *pids.entry(process).or_insert(next);
        if pid == next {
            match pid {
                1 => out.write_all(trace::begin(began, pid, process).as_bytes())?,
                _ => write!(out, "{}", TraceEvent::Process { pid, name: process })?,
            }
        }
        timeline.trace(pid, began, |event| write!(out, "{event}"))?;
    }
    out.write_all(trace::END.as_bytes())?;
    Ok(Some(merged.timelines.iter().map(|(_, timeline)| timeline.left_out).sum()))
}
