//! One target: its open events, and its series, which outlive them.

use crate::events::Events;
use crate::families::Families;
use crate::names::{self, Unit};
use crate::series::{Kind, Labels, Series};
use crate::target::{absence, identity, labels, of_kind};
use counterpoint::events::Resolved;
use counterpoint::perf::Host;
use counterpoint::pmu::syntax::{self, Modifiers, split_modifiers};
use counterpoint::{
    Counters, Error, RepeatedReport, Row, RowPlacement, Snapshot, Split, Target, Value,
};
use std::time::{Duration, Instant};

/// The number of series that there may still be, and how many there would be beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub left: usize,
    pub left_out: usize,
}

/// A target that is counted while it is there.
#[derive(Debug)]
pub(crate) struct Watched {
    pub target: Target,
    /// The index of its events.
    pub events: usize,
    pub series: Vec<Series>,
    state: State,
}

#[derive(Debug)]
enum State {
    Counting(Box<Open>),
    /// Its last values are shown for a while, so that those who look at intervals see them.
    Ended {
        since: Instant,
        why: String,
    },
    /// It is not there, or its events cannot be opened.
    Absent {
        why: String,
    },
}

#[derive(Debug)]
struct Open {
    counters: Counters,
    identity: u64,
    /// The counts that the series have already.
    counted: Snapshot,
    /// The counts at the end of the last interval.
    interval: Snapshot,
    /// The rows of all reads.
    report: RepeatedReport,
    /// The series of each row of a report; `None` for those that are left out.
    series: Vec<Option<usize>>,
}

impl Watched {
    pub(crate) fn new(target: Target, events: usize) -> Watched {
        let state = State::Absent { why: "it was not looked for yet".to_string() };
        Watched { target, events, series: Vec::new(), state }
    }

    /// Returns true if it is counted now.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self.state, State::Counting(_))
    }

    /// Returns true if a value is there, or may be there at the next read.
    pub(crate) fn may_have_values(&self) -> bool {
        self.is_counted() && self.series.iter().any(Series::may_have_value)
    }

    /// Returns true if its values are shown: while it is counted, and for `time` after its end.
    pub(crate) fn is_shown(&self, time: Duration) -> bool {
        match &self.state {
            State::Counting(_) => true,
            State::Ended { since, .. } => since.elapsed() < time,
            State::Absent { .. } => false,
        }
    }

    /// The reason why it is not counted.
    pub(crate) fn why(&self) -> Option<&str> {
        match &self.state {
            State::Counting(_) => None,
            State::Ended { why, .. } | State::Absent { why } => Some(why),
        }
    }

    /// Opens its events if it is there and not counted yet. Series of an earlier target at the same place go on.
    ///
    /// # Errors
    /// Returns an error if it is there, and its events cannot be counted for such a target.
    pub(crate) fn open(
        &mut self,
        events: &Events,
        families: &mut Families,
        room: &mut Room,
    ) -> Result<(), Error> {
        if self.is_counted() {
            return Ok(());
        }
        let Some(resolved) = &events.resolved else {
            self.state = State::Absent { why: "this machine has none of its events".to_string() };
            return Ok(());
        };
        let host = events.set.machine().host();
        let identity = match identity(host, &self.target) {
            Ok(identity) => identity,
            Err(error) => {
                // Of one that has ended, the last values are still shown.
                if !matches!(self.state, State::Ended { .. }) {
                    self.state = State::Absent { why: absence(&self.target, &error) };
                }
                return Ok(());
            }
        };
        let opened = events.set.open_resolved(resolved.clone(), &self.target);
        let counters = opened.inspect_err(|error| {
            self.state = State::Absent { why: error.to_string() };
        })?;
        let zero = counters.zero();
        let mut report = RepeatedReport::new(self.split());
        let rows = &counters.report_into(&zero, &mut report).rows;
        let of_target = of_series(host, &self.target);
        let mut series = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let kind = kind(row, resolved);
            let labels = of_row(host, row, kind, &of_target);
            let is_repeated = rows[..index].iter().any(|other| is_same(other, row));
            series.push(self.series_of(row, kind, labels, is_repeated, families, room));
        }
        let (counted, interval) = (zero.clone(), zero);
        let open = Open { counters, identity, counted, interval, report, series };
        self.state = State::Counting(Box::new(open));
        Ok(())
    }

    /// The index of the series of a row: one that was there before, or a new one.
    fn series_of(
        &mut self,
        row: &Row,
        kind: Kind,
        labels: Labels,
        is_repeated: bool,
        families: &mut Families,
        room: &mut Room,
    ) -> Option<usize> {
        let unit = Unit::of(row.unit.as_deref());
        let name = names::family(&row.id, of_kind(&self.target), &unit);
        let family = families.find_or_add(name, kind, unit, help(row, kind));
        let is_known = |known: &Series| known.family == family && known.labels == labels;
        match self.series.iter().position(is_known) {
            // An event that was named twice is one series.
            _ if is_repeated => None,
            Some(known) => Some(known),
            None if room.left == 0 => {
                room.left_out += 1;
                None
            }
            None => {
                room.left -= 1;
                self.series.push(Series::new(kind, family, event_of(row), labels));
                Some(self.series.len() - 1)
            }
        }
    }

    /// Adds what was counted since the last read; returns the reason if it is no longer counted.
    pub(crate) fn read(&mut self, events: &Events) -> Option<String> {
        let State::Counting(open) = &mut self.state else { return None };
        let host = events.set.machine().host();
        let there = identity(host, &self.target);
        // The events of a target that has ended still have its last counts.
        let read = open.read(&mut self.series);
        let why = match (there, read) {
            (Ok(identity), Ok(())) if identity == open.identity => return None,
            (_, Err(error)) => error.to_string(),
            (Ok(_), Ok(())) => "another one is in its place".to_string(),
            (Err(error), Ok(())) => absence(&self.target, &error),
        };
        self.state = State::Ended { since: Instant::now(), why: why.clone() };
        Some(why)
    }

    /// Computes the metrics of the interval that ends now, after a read.
    pub(crate) fn end_interval(&mut self) {
        let State::Counting(open) = &mut self.state else { return };
        if self.series.iter().any(|series| series.kind == Kind::Computed) {
            let counted = open.counted.since(&open.interval);
            let report = open.counters.report_into(&counted, &mut open.report);
            for (row, series) in report.rows.iter().zip(&open.series) {
                if let Some(series) = series.map(|index| &mut self.series[index])
                    && series.kind == Kind::Computed
                {
                    series.add(row);
                }
            }
            open.interval = open.counted.clone();
        }
    }

    fn split(&self) -> Split {
        if matches!(self.target, Target::AllCpus | Target::Cpus(_)) {
            Split::Cpu
        } else {
            Split::Total
        }
    }
}

impl Open {
    fn read(&mut self, all: &mut [Series]) -> Result<(), Error> {
        let now = self.counters.snapshot()?;
        let report = self.counters.report_into(&now.since(&self.counted), &mut self.report);
        for (row, series) in report.rows.iter().zip(&self.series) {
            // What no interval will compute is said at once.
            let is_final = matches!(row.value, Value::NotSupported(_));
            if let Some(series) = series.map(|index| &mut all[index])
                && (series.kind != Kind::Computed || is_final)
            {
                series.add(row);
            }
        }
        self.counted = now;
        Ok(())
    }
}

/// The labels that all series of a target have; those of CPUs have none, because each has its own CPU.
fn of_series(host: &Host, target: &Target) -> Vec<(&'static str, String)> {
    match target {
        Target::AllCpus | Target::Cpus(_) => Vec::new(),
        Target::Processes(pids) => {
            let comm = |pid: &u32| host.text(format!("/proc/{pid}/comm")).unwrap_or_default();
            let comms = pids.iter().map(|pid| ("comm", comm(pid)));
            labels(target).into_iter().chain(comms).collect()
        }
        _ => labels(target),
    }
}

/// Returns true if two rows are about the same, so that their series would have the same labels.
fn is_same(a: &Row, b: &Row) -> bool {
    (&a.id, a.placement, a.metric.is_some()) == (&b.id, b.placement, b.metric.is_some())
}

/// The event as it was written; its usual name if that is not all: of several by one pattern, and with modifiers of braces.
fn event_of(row: &Row) -> String {
    let written = &*row.event;
    let is_whole = !written.contains(['*', '?', '[']) && modifiers(written) == row.id.modifiers;
    if is_whole { written.to_string() } else { row.id.to_string() }
}

/// The modifiers in the text of an event.
fn modifiers(event: &str) -> Modifiers {
    let groups = syntax::parse(event).unwrap_or_default();
    let parsed = groups.first().and_then(|group| group.events.first());
    let behind_name = split_modifiers(event).1.unwrap_or_default();
    parsed.map(|event| event.modifiers).unwrap_or_default().with(behind_name)
}

fn of_row(host: &Host, row: &Row, kind: Kind, of_target: &[(&'static str, String)]) -> Labels {
    let mut pairs = Vec::new();
    pairs.extend(row.id.pmu.clone().map(|pmu| ("pmu", pmu)));
    if let RowPlacement::Cpu(cpu) = row.placement {
        pairs.push(("cpu", cpu.to_string()));
        let socket = host.core_and_socket(cpu).map(|(_, socket)| socket);
        pairs.extend(socket.map(|socket| ("socket", socket.to_string())));
    }
    pairs.extend_from_slice(of_target);
    let loses = match (&row.metric, kind) {
        (Some(_), _) => names::loses(&row.id, '_'),
        // A formula of the user's can have the name of a metric.
        (None, Kind::Computed) => true,
        (None, _) => names::loses(&row.id, '-'),
    };
    Labels::new(&event_of(row), loses, pairs)
}

fn kind(row: &Row, resolved: &Resolved) -> Kind {
    if row.metric.is_some() {
        return Kind::Computed;
    }
    let native = resolved.events().find(|(text, native)| *text == row.event && native.id == row.id);
    let source = || resolved.sources().find(|(text, _)| *text == row.event);
    match native {
        Some((_, native)) if native.snapshot => Kind::State,
        Some(_) => Kind::Counter,
        None => match source() {
            Some((_, source)) if source.is_level() || source.is_peak() => Kind::State,
            Some(_) => Kind::Counter,
            None => Kind::Computed,
        },
    }
}

fn help(row: &Row, kind: Kind) -> String {
    let described = row.metric.as_ref().and_then(|metric| metric.short_description());
    match (described, kind) {
        (Some(text), _) => text.to_string(),
        (None, Kind::Counter) => format!("What the event {} counted.", row.id),
        (None, Kind::State) => format!("The state that the event {} has.", row.id),
        (None, Kind::Computed) => format!("{}, computed over the last interval.", row.id),
    }
}
