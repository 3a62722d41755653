//! Events that are open, and the strings of their values.

use std::ffi::{CStr, CString};

use counterpoint::perf::CpuSet;
use counterpoint::perf::process::Owner;
use counterpoint::pmu::Privilege;
use counterpoint::{Counters, EventSet, Multiplexing, Note, Row, Split, Target};
use counterpoint_capi::text;

use crate::definitions::define;
use crate::failure::Failure;
use crate::layout::*;

/// The request of `counterpoint_options`, without pointers.
#[derive(Debug, Default)]
pub(crate) struct Wanted<'a> {
    pub(crate) metrics: Option<&'a str>,
    pub(crate) definitions: Option<&'a str>,
    pub(crate) target: u32,
    pub(crate) id: i32,
    pub(crate) flags: u32,
    /// The visits of regions of each thread whose times are recorded.
    pub(crate) timeline: u32,
}

/// Open events, with the values that were read last.
#[derive(Debug)]
pub(crate) struct OpenSet {
    counters: Counters,
    values: Vec<ReadValue>,
    owner: Owner,
}

/// A value, and its strings, to which pointers are given out.
#[derive(Debug)]
struct ReadValue {
    name: CString,
    unit: CString,
    reason: CString,
    note: CString,
    numbers: Numbers,
}

#[derive(Debug)]
struct Numbers {
    value: f64,
    coverage: f64,
    raw: u64,
    enabled_ns: u64,
    running_ns: u64,
    least: f64,
    greatest: f64,
    status: i32,
}

impl OpenSet {
    pub(crate) fn open(events: Option<&str>, wanted: &Wanted<'_>) -> Result<OpenSet, Failure> {
        if wanted.timeline != 0 {
            return Err(Failure::argument("timeline is for counterpoint_regions_open"));
        }
        let counters = events_of(events, wanted)?.delayed(true).open()?;
        let zero = counters.zero();
        let rows = counters.report(&zero, &Split::Total).rows;
        let values = rows.iter().map(ReadValue::of).collect();
        Ok(OpenSet { counters, values, owner: Owner::here() })
    }

    /// The number of values that there are: one for each event and metric.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The counters, for what is done by the process that opened them only.
    pub(crate) fn own(&mut self) -> Result<&mut Counters, Failure> {
        if self.owner.is_here() { Ok(&mut self.counters) } else { Err(Failure::forked()) }
    }

    /// Reads the values; their strings stay as they are until the next reading.
    pub(crate) fn read(&mut self) -> Result<Vec<Value>, Failure> {
        self.values = self.counters.read()?.rows.iter().map(ReadValue::of).collect();
        Ok(self.values.iter().map(ReadValue::given).collect())
    }
}

impl ReadValue {
    fn of(row: &Row) -> ReadValue {
        let ns = |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let reason = row.value.reason().map(|reason| match reason.help() {
            Some(help) => format!("{reason}; {help}"),
            None => reason.to_string(),
        });
        let coverage = match row.value {
            counterpoint::Value::Counted(_) => 1.0,
            counterpoint::Value::Estimated { coverage, .. } => coverage,
            _ => 0.0,
        };
        ReadValue {
            name: text::owned(&row.event),
            unit: text::owned(row.unit.as_deref().unwrap_or_default()),
            reason: text::owned(&reason.unwrap_or_default()),
            note: text::owned(&Note::sentence(&row.notes).unwrap_or_default()),
            numbers: Numbers {
                value: row.value.as_f64().unwrap_or(f64::NAN),
                coverage,
                raw: row.raw.unwrap_or(COUNTERPOINT_NO_RAW),
                enabled_ns: ns(row.enabled),
                running_ns: ns(row.running),
                least: row.extremes.map_or(f64::NAN, |of| of.least),
                greatest: row.extremes.map_or(f64::NAN, |of| of.greatest),
                status: status(&row.value),
            },
        }
    }

    fn given(&self) -> Value {
        let Numbers { value, coverage, raw, enabled_ns, running_ns, least, greatest, status } =
            self.numbers;
        let [name, unit, reason, note] =
            [&self.name, &self.unit, &self.reason, &self.note].map(|text| CStr::as_ptr(text));
        let reserved = 0;
        Value {
            name,
            unit,
            reason,
            note,
            value,
            coverage,
            raw,
            enabled_ns,
            running_ns,
            least,
            greatest,
            status,
            reserved,
        }
    }
}

/// The events and metrics that are named, looked up nowhere yet.
pub(crate) fn events_of(events: Option<&str>, wanted: &Wanted<'_>) -> Result<EventSet, Failure> {
    let known = COUNTERPOINT_NO_INHERIT | COUNTERPOINT_USER_ONLY | COUNTERPOINT_NO_ESTIMATES;
    if wanted.flags & !known != 0 {
        return Err(Failure::argument(format!("{:#x} has unknown flags", wanted.flags)));
    }
    let has = |flag| wanted.flags & flag != 0;
    let mut set = EventSet::new(target(wanted)?).inherit(!has(COUNTERPOINT_NO_INHERIT));
    if has(COUNTERPOINT_USER_ONLY) {
        set = set.domain(Privilege::USER);
    }
    if has(COUNTERPOINT_NO_ESTIMATES) {
        set = set.multiplexing(Multiplexing::Refuse);
    }
    set = define(set, wanted.definitions)?;
    if let Some(events) = events.filter(|events| !events.trim().is_empty()) {
        set = set.event(events);
    }
    let metrics = wanted.metrics.unwrap_or_default().split(',').map(str::trim);
    Ok(metrics.filter(|name| !name.is_empty()).fold(set, EventSet::metric))
}

fn target(wanted: &Wanted<'_>) -> Result<Target, Failure> {
    let id = || {
        let id = u32::try_from(wanted.id);
        id.map_err(|_| Failure::argument(format!("{} is not an id", wanted.id)))
    };
    Ok(match wanted.target {
        COUNTERPOINT_TARGET_SELF => Target::ThisThread,
        COUNTERPOINT_TARGET_THREAD => Target::Threads(vec![id()?]),
        COUNTERPOINT_TARGET_PROCESS => Target::Processes(vec![id()?]),
        COUNTERPOINT_TARGET_CPU => Target::Cpus(CpuSet::from_iter([id()?])),
        COUNTERPOINT_TARGET_ALL_CPUS => Target::AllCpus,
        other => return Err(Failure::argument(format!("{other} is not a target"))),
    })
}
