//! Traces in the trace event format, which Perfetto and chrome://tracing show.
//!
//! A trace is the text of [`begin`], any number of [`TraceEvent`]s, and [`END`]; it can be written piece by piece.
//! Times are nanoseconds since the trace began; the file has microseconds, as the format wants.

use crate::json::{Number, Text};
use crate::{Amount, Timeline};
use std::cmp::Reverse;
use std::fmt::{self, Display};

/// The end of a trace.
pub const END: &str = "\n]}\n";

/// Returns the beginning of a trace whose times are counted from `began_s`, in seconds of the Unix epoch, with the name of its first process.
pub fn begin(began_s: f64, pid: u64, process: &str) -> String {
    let first = Json(TraceEvent::Process { pid, name: process });
    let began = Number(Amount::Real(began_s));
    format!(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"began_s\":{began}}},\"traceEvents\":[\n{first}"
    )
}

/// A thing in a trace. `Display` writes it as JSON, with the comma that separates it from the one before.
///
/// ```
/// use counterpoint_report::trace::{self, TraceEvent};
///
/// let visit = TraceEvent::Visit { pid: 1, tid: 7, name: "solve", start_ns: 500, end_ns: 2500 };
/// let json = r#"{"ph":"X","pid":1,"tid":7,"ts":0.5,"dur":2,"name":"solve"}"#;
/// assert_eq!(visit.to_string(), format!(",\n{json}"));
/// let file = trace::begin(1.5, 1, "rank 0") + &visit.to_string() + trace::END;
/// assert!(file.starts_with('{') && file.ends_with("}\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TraceEvent<'t> {
    /// The name of a process. Numbers of processes and threads begin at 1.
    Process {
        /// The number of the process.
        pid: u64,
        /// Its name.
        name: &'t str,
    },
    /// The name of a thread.
    Thread {
        /// The number of its process.
        pid: u64,
        /// The number of the thread.
        tid: u64,
        /// Its name.
        name: &'t str,
    },
    /// A time in which a thread was in a region.
    Visit {
        /// The number of the process.
        pid: u64,
        /// The number of the thread.
        tid: u64,
        /// The name of the region.
        name: &'t str,
        /// When it was entered.
        start_ns: u64,
        /// When it was left.
        end_ns: u64,
    },
    /// A value that is drawn until the next one of its name.
    Counter {
        /// The number of the process.
        pid: u64,
        /// The name of the track.
        name: &'t str,
        /// The time from which on it is drawn.
        at_ns: u64,
        /// The value; one that is not finite is left out.
        value: f64,
        /// The unit of the value; empty if it has none.
        unit: &'t str,
    },
}

impl Display for TraceEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceEvent::Counter { value, .. } if !value.is_finite() => Ok(()),
            event => write!(f, ",\n{}", Json(*event)),
        }
    }
}

impl Timeline {
    /// Calls `put` with the name of the thread and with each visit, the outer ones first, for a trace that began at `began_s`, in seconds of the Unix epoch.
    ///
    /// # Errors
    ///
    /// The first error of `put`, after which nothing more is put.
    pub fn trace<E>(
        &self,
        pid: u64,
        began_s: f64,
        mut put: impl FnMut(TraceEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let tid = self.thread;
        put(TraceEvent::Thread { pid, tid, name: &self.thread_name() })?;
        let offset = nanoseconds(self.began_s - began_s);
        let time = |seconds: f64| offset.saturating_add(nanoseconds(seconds));
        let mut spans: Vec<(u64, Reverse<u64>, Reverse<usize>)> = (self.visits.iter().enumerate())
            .map(|(place, (_, start, end))| (time(*start), Reverse(time(*end)), Reverse(place)))
            .collect();
        // Of visits of the same time, the outer one ended last.
        spans.sort_unstable();
        spans.into_iter().try_for_each(|(start_ns, Reverse(end_ns), Reverse(place))| {
            let Some(name) = self.regions.get(self.visits[place].0) else { return Ok(()) };
            put(TraceEvent::Visit { pid, tid, name, start_ns, end_ns })
        })
    }
}

/// A time in seconds; the least or the greatest number if it is not one of these.
fn nanoseconds(seconds: f64) -> u64 {
    (1e9 * seconds).round() as u64
}

/// An event without a comma.
struct Json<'t>(TraceEvent<'t>);

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            TraceEvent::Process { pid, name } => write!(
                f,
                "{{\"ph\":\"M\",\"pid\":{pid},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}",
                Text(name)
            ),
            TraceEvent::Thread { pid, tid, name } => write!(
                f,
                "{{\"ph\":\"M\",\"pid\":{pid},\"tid\":{tid},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}",
                Text(name)
            ),
            TraceEvent::Visit { pid, tid, name, start_ns, end_ns } => {
                let length = Microseconds(end_ns.saturating_sub(start_ns));
                let (start, name) = (Microseconds(start_ns), Text(name));
                write!(
                    f,
                    "{{\"ph\":\"X\",\"pid\":{pid},\"tid\":{tid},\"ts\":{start},\"dur\":{length},\"name\":{name}}}"
                )
            }
            TraceEvent::Counter { pid, name, at_ns, value, unit } => {
                let unit = Text(if unit.is_empty() { "value" } else { unit });
                let (at, name) = (Microseconds(at_ns), Text(name));
                write!(
                    f,
                    "{{\"ph\":\"C\",\"pid\":{pid},\"ts\":{at},\"name\":{name},\"args\":{{{unit}:{value:?}}}}}"
                )
            }
        }
    }
}

/// Nanoseconds as a number of microseconds.
struct Microseconds(u64);

impl Display for Microseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = self.0 as f64 / 1000.0;
        // Perfetto multiplies by 1000 and cuts off: below the nanosecond, a visit would end after the one around it, and be left out.
        let is_cut = ((near * 1000.0) as u64) < self.0;
        if is_cut { near.next_up() } else { near }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_cuts_off_has_every_nanosecond() {
        for ns in (0..100_000).chain((0..1000).map(|more| 3_600_000_000_001 + 977 * more)) {
            let text = Microseconds(ns).to_string();
            let read: f64 = text.parse().unwrap();
            assert_eq!((read * 1000.0) as u64, ns, "{text}");
        }
    }

    #[test]
    fn the_outer_visit_is_first() {
        let timeline = Timeline {
            thread: 7,
            thread_number: None,
            began_s: 12.0,
            regions: ["inner", "outer"].map(str::to_string).into(),
            visits: vec![(0, 1e-6, 2e-6), (1, 1e-6, 2e-6), (0, -1.0, 1e300), (9, 0.0, 0.0)],
            left_out: 0,
        };
        let mut seen = Vec::new();
        let put = |event: TraceEvent<'_>| -> Result<(), ()> {
            if let TraceEvent::Visit { name, start_ns, end_ns, .. } = event {
                seen.push((name.to_string(), start_ns, end_ns));
            }
            Ok(())
        };
        timeline.trace(1, 10.0, put).unwrap();
        let outer = ("outer".to_string(), 2_000_001_000, 2_000_002_000);
        let inner = ("inner".to_string(), 2_000_001_000, 2_000_002_000);
        assert_eq!(seen, [("inner".to_string(), 2_000_000_000, u64::MAX), outer, inner]);
    }
}
