//! The counters and metrics beside the samples, with their values so far.

use super::args::TopArgs;
use crate::failure::Failure;
use crate::names::name_failure;
use crate::show::{decimal, grouped, printable};
use counterpoint::events::Resolved;
use counterpoint::{Counters, EventSet, Row, Snapshot, Split, State, Target, Value};
use std::time::{Duration, Instant};

/// The events that are counted without `--stat`, without those that a machine does not have.
const DEFAULT: &str =
    "task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branch-misses";
/// The most values that are kept of an event.
const KEPT: usize = 512;

pub struct Counted {
    counters: Counters,
    /// The last snapshot, and when it was taken.
    before: (Snapshot, Instant),
    /// Nothing was asked for by name.
    is_default: bool,
    pub series: Vec<Series>,
}

/// The values of an event so far.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// The value of the last interval, with its unit, or the reason why there is none.
    pub now: Result<String, String>,
    /// `None` where there was no value.
    pub values: Vec<Option<f64>>,
}

impl Counted {
    /// Opens the counters of the target, by the names and options of a set.
    pub fn of_target(args: &TopArgs, set: &EventSet, target: &Target) -> Result<Counted, Failure> {
        let is_default = args.stat.is_empty() && args.metric.is_empty();
        let lists = if is_default { &[DEFAULT.to_string()][..] } else { &args.stat };
        let resolved = set.resolve_both(lists, &args.metric);
        let resolved = resolved.map_err(|error| name_failure(error, &args.stat))?;
        Counted::open(set, resolved, target, is_default)
    }

    /// Opens counters; those that the machine does not have are left out if they are a default.
    pub fn open(
        set: &EventSet,
        resolved: Resolved,
        target: &Target,
        is_default: bool,
    ) -> Result<Counted, Failure> {
        let mut counters = set.open_resolved(resolved, target)?;
        let before = counters.snapshot_at()?;
        Ok(Counted { counters, before, is_default, series: Vec::new() })
    }

    /// Starts counters that wait for it, beside a command; the first interval begins.
    pub fn start(&mut self) -> Result<(), Failure> {
        match self.counters.state() {
            State::Stopped => self.counters.start()?,
            State::Running => {}
        }
        self.skip()
    }

    /// Adds the values of the interval since the last call.
    pub fn take(&mut self) -> Result<(), Failure> {
        let (earlier, from) = &self.before;
        let (now, at) = self.counters.snapshot_at()?;
        let report = self.counters.report(&now.since(earlier), &Split::Total);
        let length = at.saturating_duration_since(*from);
        self.before = (now, at);
        let is_missing = |row: &Row| matches!(row.value, Value::NotSupported(_));
        let rows = report.rows.iter().filter(|row| !(self.is_default && is_missing(row)));
        let rows: Vec<&Row> = rows.collect();
        self.series.resize_with(rows.len(), Series::new);
        for (series, row) in self.series.iter_mut().zip(rows) {
            series.add(row, length);
        }
        Ok(())
    }

    /// Does away with the interval since the last call.
    pub fn skip(&mut self) -> Result<(), Failure> {
        self.before = self.counters.snapshot_at()?;
        Ok(())
    }
}

impl Series {
    /// The last value of a metric without its unit, if there is one.
    pub fn number(&self) -> Option<&str> {
        self.now.as_ref().ok()?.split(' ').next()
    }

    fn new() -> Series {
        Series { name: String::new(), now: Err(String::new()), values: Vec::new() }
    }

    fn add(&mut self, row: &Row, length: Duration) {
        let title = row.metric.as_ref().and_then(|of| of.metric()).and_then(|m| m.title.as_deref());
        self.name = printable(title.unwrap_or(&row.event)).into_owned();
        let value = row.value.as_f64().map(|value| per_time(row, value, length));
        self.now = match (&value, row.value.reason()) {
            (Some((_, text)), _) => Ok(text.clone()),
            (None, reason) => {
                let reason = reason.map_or(row.value.to_string(), ToString::to_string);
                Err(printable(&reason).into_owned())
            }
        };
        if self.values.len() == KEPT {
            self.values.remove(0);
        }
        self.values.push(value.map(|(value, _)| value));
    }
}

/// The value in relation to the time, where it is one that grows with time, and as people read it.
fn per_time(row: &Row, value: f64, length: Duration) -> (f64, String) {
    let seconds = length.as_secs_f64().max(1e-9);
    let unit = row.unit.as_deref().unwrap_or_default();
    let is_count = row.raw.is_some() && row.metric.is_none();
    // An estimate is one of events that took turns.
    let about = if matches!(row.value, Value::Estimated { .. }) { "≈" } else { "" };
    match (is_count, unit) {
        (true, "ns") => {
            let cpus = value / seconds / 1e9;
            (cpus, format!("{about}{cpus:.2} CPUs"))
        }
        (true, "") => {
            let rate = value / seconds;
            (rate, format!("{about}{}/s", grouped(rate.round() as i128)))
        }
        (true, unit) => {
            let rate = value / seconds;
            (rate, format!("{about}{} {}/s", decimal(rate), printable(unit)))
        }
        (false, unit) => {
            let text = format!("{about}{} {}", decimal(value), printable(unit));
            (value, text.trim_end().to_string())
        }
    }
}
