//! The lines of a report that the program writes beside its rows.

use crate::own_cost::AddedTimes;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::records::{Environment, Process, Runs, SCHEMA};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<counterpoint::records::Row>];

#[cfg(test)]
pub const TIMELINE: Lines = &[schema_of::<counterpoint::records::TimelineLine>];

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
    /// The beginning of the first run, in seconds of the Unix epoch.
    pub began_s: Option<f64>,
    /// Whether a signal ended the measurement.
    pub interrupted: bool,
    /// Whether the run was not over: the report was written in case that the launcher kills the rank.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub checkpoint: bool,
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
    /// The state of the machine when the report was written.
    pub environment: Environment,
    /// The PMUs whose events took turns.
    pub multiplexed: Vec<Multiplexed<'a>>,
    /// What counting added to the runs, with --own-cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_cost: Option<AddedTimes>,
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
