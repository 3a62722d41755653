//! Rows as reports write them.

use super::labels::RowPlacement;
use super::note::Note;
use super::reporter::Reporter;
use super::rows::Row;
use super::spread::Spread;
use super::values::{Reason, Value};
use counterpoint_formula::Number;
use counterpoint_report::{Amount, Location, Metric, Process, Runs, SCHEMA, Status};

impl Row {
    /// The row as reports write it, of a process, without the place in time and what is said beside the value.
    ///
    /// ```
    /// use counterpoint::records::{Process, Status};
    /// use counterpoint::{EventSet, Reporter, Target};
    ///
    /// let mut counters = EventSet::new(Target::ThisThread).event("page-faults").open()?;
    /// let process = Process::from(&Reporter::this_process());
    /// let record = counters.read()?.rows[0].record(&process);
    /// assert_eq!((record.event.as_str(), record.status), ("page-faults", Status::Counted));
    /// println!("{}", record.to_json());
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    pub fn record(&self, process: &Process) -> counterpoint_report::Row {
        let value = self.value.amount();
        let is_timed = self.raw.is_some() && !self.enabled.is_zero();
        let nanoseconds = |time: std::time::Duration| is_timed.then_some(time.as_nanos() as u64);
        counterpoint_report::Row {
            schema: SCHEMA,
            process: process.clone(),
            event: self.event.clone(),
            canonical: Some(self.id.to_string()),
            value,
            status: self.value.status(),
            unit: self.unit.clone(),
            reason: self.value.reason().map(ToString::to_string),
            counted_elsewhere: self.value.reason().is_some_and(Reason::is_elsewhere),
            raw: self.raw,
            least: self.extremes.map(|extremes| extremes.least),
            greatest: self.extremes.map(|extremes| extremes.greatest),
            enabled_ns: nanoseconds(self.enabled),
            running_ns: nanoseconds(self.running),
            coverage: match self.value {
                Value::Counted(_) => Some(1.0),
                Value::Estimated { coverage, .. } => Some(coverage),
                Value::NotCounted(_) | Value::NotSupported(_) => None,
            },
            estimate_error: self.value.standard_error(),
            note: Note::sentence(&self.notes),
            location: Location::from(self.placement),
            metric: self.metric_record(),
            runs: self.spread.as_ref().map(|spread| spread.record(value)),
            ..counterpoint_report::Row::default()
        }
    }

    fn metric_record(&self) -> Option<Metric> {
        let metric = self.metric.as_ref()?.metric()?;
        Some(Metric {
            formula: metric.text.clone(),
            groups: metric.groups.clone(),
            parent: metric.parent.clone(),
            threshold: metric.threshold.as_ref().map(|threshold| threshold.text.clone()),
            crossed: self.crossed,
            uncertain: self.is_uncertain,
        })
    }
}

impl Value {
    /// The number as reports write it; `None` if nothing was measured.
    pub fn amount(&self) -> Option<Amount> {
        match self {
            Value::Counted(number) => Some(amount(*number)),
            other => other.as_f64().map(Amount::Real),
        }
    }

    /// The variant, as reports write it.
    pub fn status(&self) -> Status {
        match self {
            Value::Counted(_) => Status::Counted,
            Value::Estimated { .. } => Status::Estimated,
            Value::NotCounted(_) => Status::NotCounted,
            Value::NotSupported(_) => Status::NotSupported,
        }
    }
}

/// The number of a formula as reports write it.
pub fn amount(number: Number) -> Amount {
    match number {
        Number::Int(whole) => Amount::Whole(whole),
        Number::Real(real) => Amount::Real(real),
    }
}

impl Spread {
    /// The values of the runs as reports write them, with their mean.
    pub fn record(&self, mean: Option<Amount>) -> Runs {
        Runs {
            runs: self.runs(),
            mean,
            stddev: self.stddev(),
            standard_error: self.standard_error(),
            min: self.min().map(amount),
            median: self.median().map(amount),
            max: self.max().map(amount),
            values: self.values.iter().map(Value::amount).collect(),
        }
    }
}

impl From<&Reporter> for Process {
    fn from(reporter: &Reporter) -> Process {
        Process {
            job: reporter.job.clone(),
            rank: reporter.rank.map(u64::from),
            ranks: reporter.ranks.map(u64::from),
            local_rank: reporter.local_rank.map(u64::from),
            host: Some(reporter.host.clone()),
            pid: Some(reporter.pid),
        }
    }
}

/// The names of cgroups are known to the target, and a placement has only their numbers.
impl From<RowPlacement> for Location {
    fn from(placement: RowPlacement) -> Location {
        let all = Location::default();
        match placement {
            RowPlacement::All | RowPlacement::Cgroup(_) => all,
            RowPlacement::Cpu(cpu) => Location { cpu: Some(cpu), ..all },
            RowPlacement::Thread(thread) => Location { thread: Some(thread), ..all },
            RowPlacement::Socket(socket) => Location { socket: Some(socket), ..all },
            RowPlacement::Core { socket, core } => {
                Location { socket: Some(socket), core: Some(core), ..all }
            }
            RowPlacement::Die { socket, die } => {
                Location { socket: Some(socket), die: Some(die), ..all }
            }
            RowPlacement::Node(node) => Location { node: Some(node), ..all },
            RowPlacement::Cache { level, cpu } => {
                Location { cache_level: Some(level), cache: Some(cpu), ..all }
            }
        }
    }
}
