//! The lines of a report, one by one.

use super::merged::{Cell, Kind};
use crate::Environment;
use crate::MergedKey;
use crate::Timeline;
use crate::{Amount, Location, Process, Row, SCHEMA, Status};
use serde::Deserialize;

/// A line of a report.
#[derive(Debug)]
pub struct Entry {
    /// The process that wrote it.
    pub process: Process,
    /// `None` of a row that is a part of another one, and of the end.
    pub value: Option<KeyedCell>,
    /// The end of the report of the process.
    pub end: Option<End>,
    /// When a thread was in which region.
    pub timeline: Option<Timeline>,
}

/// The facts about the runs at the end of a report.
#[derive(Debug, Deserialize)]
pub struct End {
    /// A run was interrupted.
    #[serde(default)]
    pub interrupted: bool,
    /// The run was not over.
    #[serde(default)]
    pub checkpoint: bool,
    /// The time that passed, in seconds.
    #[serde(default)]
    pub elapsed_s: Option<f64>,
    /// In how many runs the command failed.
    #[serde(default)]
    pub failed_runs: u64,
    /// The state of the machine.
    #[serde(default)]
    pub environment: Option<Environment>,
}

/// The value of a row.
#[derive(Debug)]
pub struct KeyedCell {
    /// By which it is merged.
    pub key: MergedKey,
    /// The value.
    pub cell: Cell,
    /// The end of the interval that it is of.
    pub interval: Option<f64>,
}

impl Entry {
    /// A line that says no more than which process it is of.
    pub fn new(process: Process) -> Entry {
        Entry { process, value: None, end: None, timeline: None }
    }

    pub(super) fn of(row: Row) -> Entry {
        let kind = kind(&row);
        let cell = Cell {
            amount: row.value,
            coverage: row.coverage,
            calls: row.calls,
            reason: row.reason.map(Into::into),
            status: row.status,
            kind,
            is_elsewhere: row.counted_elsewhere,
            is_absent: false,
        };
        let key = MergedKey {
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

impl KeyedCell {
    /// The time that passed, in seconds, as a row.
    pub(super) fn elapsed(seconds: f64) -> KeyedCell {
        let cell = Cell {
            amount: Some(Amount::Real(seconds)),
            coverage: None,
            calls: None,
            reason: None,
            status: Status::Counted,
            kind: Kind::WallTime,
            is_elsewhere: false,
            is_absent: false,
        };
        let key = MergedKey {
            schema: SCHEMA,
            region: None,
            event: "elapsed time".to_string(),
            canonical: None,
            unit: Some("s".to_string()),
            location: Location::default(),
        };
        KeyedCell { key, cell, interval: None }
    }
}

/// Of what is not counted in events, only CPU times add up; they have no raw count.
fn kind(row: &Row) -> Kind {
    match row.canonical.as_deref() {
        Some("duration_time") => Kind::WallTime,
        Some("user_time" | "system_time") => Kind::Count,
        _ if row.value.is_none() || row.raw.is_some() => Kind::Count,
        _ if row.least.is_some() => Kind::Level,
        _ => Kind::Formula,
    }
}
