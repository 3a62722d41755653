//! The lines of a report, as `stat --json` and the regions of a program write them and `merge` reads and writes them.
//!
//! Keys are spelled here and nowhere else in the program.
//! A key may be added; none changes its meaning.

#[cfg(test)]
use crate::schema::{Lines, of};
use counterpoint::formula::Number;
use counterpoint::{Note, Reason, Reporter, Row as CountedRow, RowPlacement, Spread, Value};
#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};
#[cfg(test)]
use std::borrow::Cow;
use std::time::Duration;

/// The version of the format.
pub const SCHEMA: u32 = 1;

#[cfg(test)]
pub const LINES: Lines = &[of::<Row>];

/// The value of one event at one place.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(try_from = "Flat")]
#[cfg_attr(test, schemars(!try_from))]
pub struct Row {
    /// The version of the format: 1.
    pub schema: u32,
    /// The name of the region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// How often the region was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    #[serde(flatten)]
    pub process: Process,
    /// The event or metric, as it was written.
    pub event: String,
    /// Its usual name, with its PMU and its modifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The value; null if nothing was measured.
    pub value: Option<Amount>,
    /// Whether the event was counted: `estimated` if it was counted for part of the time and the value is scaled.
    pub status: Status,
    /// The unit of the value, if it has one.
    pub unit: Option<String>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether another process of the host counts it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counted_elsewhere: bool,
    /// The counter's own number; a formula has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// For how long the event was enabled, in nanoseconds.
    pub enabled_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// For how long the event was on a counter, in nanoseconds.
    pub running_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The share of the enabled time in which the event was on a counter.
    pub coverage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// How the event was counted, if not as requested.
    pub note: Option<String>,
    /// The value relative to others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<Comment>,
    /// The end of the interval, in seconds since counting began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_s: Option<f64>,
    #[serde(flatten)]
    pub location: Location,
    /// What the value is a metric of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<Metric>,
    #[serde(flatten)]
    pub runs: Option<Runs>,
}

/// The keys of a row that are read, side by side: what serde flattens is read several times more slowly.
#[derive(Deserialize)]
struct Flat {
    schema: u32,
    region: Option<String>,
    calls: Option<u64>,
    job: Option<String>,
    rank: Option<u64>,
    ranks: Option<u64>,
    local_rank: Option<u64>,
    host: Option<String>,
    pid: Option<u32>,
    event: String,
    canonical: Option<String>,
    value: Option<Amount>,
    status: Status,
    unit: Option<String>,
    reason: Option<String>,
    #[serde(default)]
    counted_elsewhere: bool,
    raw: Option<u64>,
    enabled_ns: Option<u64>,
    running_ns: Option<u64>,
    coverage: Option<f64>,
    note: Option<String>,
    interval_s: Option<f64>,
    cpu: Option<u32>,
    thread: Option<u32>,
    comm: Option<String>,
    socket: Option<u32>,
    die: Option<u32>,
    core: Option<u32>,
    node: Option<u32>,
    cache_level: Option<u8>,
    cache: Option<u32>,
    cgroup: Option<String>,
    runs: Option<usize>,
    mean: Option<Amount>,
    stddev: Option<f64>,
    standard_error: Option<f64>,
    min: Option<Amount>,
    median: Option<Amount>,
    max: Option<Amount>,
    values: Option<Vec<Option<Amount>>>,
}

impl TryFrom<Flat> for Row {
    type Error = String;

    fn try_from(flat: Flat) -> Result<Row, String> {
        if flat.value.is_some() && !matches!(flat.status, Status::Counted | Status::Estimated) {
            return Err(format!("it has a value and is {}", flat.status.words()));
        }
        let Flat { job, rank, ranks, local_rank, host, pid, .. } = flat;
        let Flat { cpu, thread, comm, socket, die, core, node, .. } = flat;
        let Flat { cache_level, cache, cgroup, .. } = flat;
        let location =
            Location { cpu, thread, comm, socket, die, core, node, cache_level, cache, cgroup };
        let Flat { mean, stddev, standard_error, min, median, max, .. } = flat;
        let of_runs =
            |(runs, values)| Runs { runs, mean, stddev, standard_error, min, median, max, values };
        Ok(Row {
            schema: flat.schema,
            region: flat.region,
            calls: flat.calls,
            process: Process { job, rank, ranks, local_rank, host, pid },
            event: flat.event,
            canonical: flat.canonical,
            value: flat.value,
            status: flat.status,
            unit: flat.unit,
            reason: flat.reason,
            counted_elsewhere: flat.counted_elsewhere,
            raw: flat.raw,
            enabled_ns: flat.enabled_ns,
            running_ns: flat.running_ns,
            coverage: flat.coverage,
            note: flat.note,
            comment: None,
            interval_s: flat.interval_s,
            location,
            metric: None,
            runs: flat.runs.zip(flat.values).map(of_runs),
        })
    }
}

impl Row {
    /// The number of nanoseconds, of a count that is a time in another unit.
    pub fn in_ns(&self, amount: Amount) -> Option<f64> {
        let factor = match self.unit.as_deref().filter(|_| self.raw.is_some())? {
            "us" | "µs" | "usec" => 1e3,
            "ms" | "msec" => 1e6,
            "s" | "sec" => 1e9,
            _ => return None,
        };
        Some(amount.real() * factor)
    }
}

/// A metric whose value a row has.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Metric {
    /// The formula, as its source spells it.
    pub formula: String,
    /// The groups that the metric is in.
    pub groups: Vec<String>,
    /// The metric that this one is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// When the value is worth a look, as the source spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<String>,
    /// Whether the threshold is crossed; `None` if it has no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossed: Option<bool>,
}

/// The process that wrote a line; a line of an older version does not name it.
#[derive(Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Process {
    /// The id of the job in the batch system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The number of the process in its parallel job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    /// The number of ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<u64>,
    /// The number of the rank among those on its host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_rank: Option<u64>,
    /// The name of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The id of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
}

/// The CPU, the thread, the cgroup or the part of the machine of a value; all `None` for the value of a whole target.
#[derive(Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Location {
    /// The CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u32>,
    /// The id of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// The name of the thread when counting began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comm: Option<String>,
    /// The socket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socket: Option<u32>,
    /// The die, within its socket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<u32>,
    /// The core, within its socket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<u32>,
    /// The NUMA node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// The level of the cache that is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_level: Option<u8>,
    /// The first of the CPUs that share the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<u32>,
    /// The cgroup, by its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cgroup: Option<String>,
}

impl Location {
    /// For people, such as `socket 0 core 1`; empty for the whole target.
    pub fn words(&self) -> String {
        let Location { cpu, thread, comm, socket, die, core, node, .. } = self;
        let Location { cache_level, cache, cgroup, .. } = self;
        let cache =
            cache_level.zip(*cache).map(|(level, cpu)| format!("L{level} cache of CPU {cpu}"));
        let numbers = [
            ("CPU", cpu),
            ("thread", thread),
            ("socket", socket),
            ("die", die),
            ("core", core),
            ("node", node),
        ];
        let numbered =
            |(word, number): (&str, &Option<u32>)| Some(format!("{word} {}", (*number)?));
        let places = numbers.into_iter().filter_map(numbered).chain(cache).chain(cgroup.clone());
        let places = places.chain(comm.as_ref().map(|name| format!("({name})")));
        places.collect::<Vec<_>>().join(" ")
    }
}

/// Whether an event was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Counted,
    Estimated,
    NotCounted,
    NotSupported,
}

/// A number: whole as long as it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(from = "serde_json::Number")]
pub enum Amount {
    Whole(i128),
    Real(f64),
}

/// The meaning of a value relative to others: a rate, a ratio or a share.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Comment {
    /// The number.
    pub value: f64,
    /// What the number is, such as `CPUs utilized` or `of all branches`.
    pub unit: &'static str,
}

/// The values of several runs, and how they vary.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Runs {
    /// The runs that have a value.
    pub runs: usize,
    /// The mean of the runs.
    pub mean: Option<Amount>,
    /// The standard deviation of the runs.
    pub stddev: Option<f64>,
    /// The standard error of the mean.
    pub standard_error: Option<f64>,
    /// The least value.
    pub min: Option<Amount>,
    /// The median.
    pub median: Option<Amount>,
    /// The greatest value.
    pub max: Option<Amount>,
    /// The value of each run, in the order of the runs.
    pub values: Vec<Option<Amount>>,
}

/// The last line of a report.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Last<S> {
    /// The version of the format: 1.
    pub schema: u32,
    /// What holds for all lines before.
    pub summary: S,
}

impl<S> Last<S> {
    pub fn new(summary: S) -> Last<S> {
        Last { schema: SCHEMA, summary }
    }
}

/// The summary of all runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Summary<'a> {
    #[serde(flatten)]
    pub process: Process,
    /// The command with its arguments; empty if a running target was counted.
    pub command: &'a [String],
    /// The runs that the values are of.
    pub runs: usize,
    /// The runs that were requested with `--repeat`.
    pub requested_runs: u32,
    /// Whether a signal ended the measurement.
    pub interrupted: bool,
    /// The time that passed, in seconds; the mean of several runs.
    pub elapsed_s: Option<f64>,
    /// The time of the command in user space, in seconds; the mean of several runs.
    pub user_s: Option<f64>,
    /// The time of the command in the kernel, in seconds; the mean of several runs.
    pub sys_s: Option<f64>,
    /// The time that passed in each of several runs, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_runs_s: Option<Runs>,
    /// The time in user space of each of several runs, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_runs_s: Option<Runs>,
    /// The time in the kernel of each of several runs, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sys_runs_s: Option<Runs>,
    /// The runs in which the command failed.
    pub failed_runs: usize,
    /// The exit status of the command, if it exited.
    pub exit_status: Option<i32>,
    /// The signal that ended the command.
    pub signal: Option<i32>,
    /// The PMUs whose events took turns.
    pub multiplexed: Vec<Multiplexed<'a>>,
}

/// A PMU whose events take turns on its counters.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Multiplexed<'a> {
    /// The name of the PMU.
    pub pmu: &'a str,
    /// The number of events.
    pub events: usize,
    /// The number of passes in which the events are counted.
    pub passes: usize,
    /// Whether it is known that fewer passes are not possible.
    pub optimal: bool,
    /// The share of the time in which each event is counted.
    pub coverage: f64,
    /// Events that cannot be counted at the same time.
    pub conflict: Option<Vec<&'a str>>,
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

impl From<RowPlacement> for Location {
    fn from(placement: RowPlacement) -> Location {
        let all = Location::default();
        match placement {
            // The report of a run knows the names of cgroups, and a placement only their numbers.
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

impl Row {
    /// The row that `stat` writes; `at` is the end of an interval.
    pub fn new(
        row: &CountedRow,
        process: &Process,
        comment: Option<Comment>,
        at: Option<Duration>,
    ) -> Row {
        let value = Amount::of(&row.value);
        let nanoseconds = |time: Duration| row.raw.map(|_| time.as_nanos() as u64);
        Row {
            schema: SCHEMA,
            region: None,
            calls: None,
            process: process.clone(),
            event: row.event.clone(),
            canonical: Some(row.id.to_string()),
            value,
            status: Status::of(&row.value),
            unit: row.unit.clone(),
            reason: row.value.reason().map(ToString::to_string),
            counted_elsewhere: row.value.reason().is_some_and(Reason::is_elsewhere),
            raw: row.raw,
            enabled_ns: nanoseconds(row.enabled),
            running_ns: nanoseconds(row.running),
            coverage: match row.value {
                Value::Counted(_) => Some(1.0),
                Value::Estimated { coverage, .. } => Some(coverage),
                _ => None,
            },
            note: Note::sentence(&row.notes),
            comment,
            interval_s: at.map(|at| at.as_secs_f64()),
            location: Location::from(row.placement),
            metric: Metric::of(row),
            runs: row.spread.as_ref().map(|spread| Runs::new(value, spread)),
        }
    }
}

impl Metric {
    fn of(row: &CountedRow) -> Option<Metric> {
        let metric = row.metric.as_ref()?.metric()?;
        Some(Metric {
            formula: metric.text.clone(),
            groups: metric.groups.clone(),
            parent: metric.parent.clone(),
            threshold: metric.threshold.as_ref().map(|threshold| threshold.text.clone()),
            crossed: row.crossed,
        })
    }
}

impl Runs {
    pub fn new(mean: Option<Amount>, spread: &Spread) -> Runs {
        Runs {
            runs: spread.runs(),
            mean,
            stddev: spread.stddev(),
            standard_error: spread.standard_error(),
            min: spread.min().map(Amount::from),
            median: spread.median().map(Amount::from),
            max: spread.max().map(Amount::from),
            values: spread.values.iter().map(Amount::of).collect(),
        }
    }
}

impl Status {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Status::Counted => "counted",
            Status::Estimated => "estimated",
            Status::NotCounted => "not counted",
            Status::NotSupported => "not supported",
        }
    }

    fn of(value: &Value) -> Status {
        match value {
            Value::Counted(_) => Status::Counted,
            Value::Estimated { .. } => Status::Estimated,
            Value::NotSupported(_) => Status::NotSupported,
            _ => Status::NotCounted,
        }
    }
}

impl Amount {
    /// `None` if nothing was measured.
    fn of(value: &Value) -> Option<Amount> {
        match value {
            Value::Counted(number) => Some(Amount::from(*number)),
            other => other.as_f64().map(Amount::Real),
        }
    }

    /// As a fraction, which may be less exact.
    pub fn real(self) -> f64 {
        match self {
            Amount::Whole(whole) => whole as f64,
            Amount::Real(real) => real,
        }
    }

    pub fn plus(self, other: Amount) -> Amount {
        match (self, other) {
            (Amount::Whole(one), Amount::Whole(two)) => Amount::Whole(one + two),
            (one, two) => Amount::Real(one.real() + two.real()),
        }
    }
}

impl From<Number> for Amount {
    fn from(number: Number) -> Amount {
        match number {
            Number::Int(whole) => Amount::Whole(whole),
            Number::Real(real) => Amount::Real(real),
        }
    }
}

impl From<serde_json::Number> for Amount {
    fn from(number: serde_json::Number) -> Amount {
        let whole = number.as_u64().map(i128::from).or(number.as_i64().map(i128::from));
        whole.map_or(Amount::Real(number.as_f64().unwrap_or(f64::NAN)), Amount::Whole)
    }
}

/// A number of JSON.
#[cfg(test)]
impl JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

/// As a number, never as text; one that is too large for 64 bits as a fraction.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Amount::Real(real) => serializer.serialize_f64(real),
            Amount::Whole(whole) => match (u64::try_from(whole), i64::try_from(whole)) {
                (Ok(whole), _) => serializer.serialize_u64(whole),
                (_, Ok(whole)) => serializer.serialize_i64(whole),
                _ => serializer.serialize_f64(whole as f64),
            },
        }
    }
}
