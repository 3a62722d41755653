//! Intervals as a trace for Perfetto and chrome://tracing: a track for each event at each place.

use super::format::{Counted, Format};
use super::summary::Summary;
use counterpoint_report::trace::{self, TraceEvent};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The trace that is being written. Its times are those since counting began.
#[derive(Default)]
pub struct Perfetto {
    has_begun: bool,
    /// The end of the last interval.
    end: Duration,
    /// The last value of each track, by its name and unit.
    tracks: BTreeMap<(String, String), f64>,
}

impl Format for Perfetto {
    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        // The sum of the intervals is at no time.
        let Some(at) = counted.at else { return Ok(()) };
        self.begin(out, SystemTime::now().checked_sub(at), counted.summary)?;
        let start = at.saturating_sub(counted.length);
        for row in counted.records() {
            let Some(value) = row.value.map(|value| value.real()) else { continue };
            let name = match row.location.words() {
                place if place.is_empty() => row.event,
                place => format!("{place} {}", row.event),
            };
            let unit = row.unit.unwrap_or_default();
            write!(out, "{}", counter(counted.summary, start, (&name, &unit), value))?;
            self.tracks.insert((name, unit), value);
        }
        self.end = at;
        Ok(())
    }

    /// The last interval is drawn until a value after it.
    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        self.begin(out, Some(summary.began), summary)?;
        for ((name, unit), value) in &self.tracks {
            write!(out, "{}", counter(summary, self.end, (name, unit), *value))?;
        }
        out.write_all(trace::END.as_bytes())
    }
}

impl Perfetto {
    fn begin(
        &mut self,
        out: &mut dyn Write,
        began: Option<SystemTime>,
        summary: &Summary,
    ) -> io::Result<()> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let began = began.and_then(|began| began.duration_since(UNIX_EPOCH).ok());
        let began = began.unwrap_or_default().as_secs_f64();
        out.write_all(trace::begin(began, pid(summary), &summary.title).as_bytes())
    }
}

fn counter<'t>(
    summary: &Summary,
    at: Duration,
    (name, unit): (&'t str, &'t str),
    value: f64,
) -> TraceEvent<'t> {
    let at_ns = u64::try_from(at.as_nanos()).unwrap_or(u64::MAX);
    TraceEvent::Counter { pid: pid(summary), name, at_ns, value, unit }
}

/// This process, because the target may have no id, or several.
fn pid(summary: &Summary) -> u64 {
    summary.process.pid.unwrap_or(1).into()
}
