//! The lines that `merge --json` writes.

use crate::field::{Field, ToField};
use crate::keys::{Key, Part, record};
use crate::row::{Location, Process};
use crate::{Amount, Explains, Status};

record! {
    /// The keys by which rows of several reports are merged into one.
    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    pub struct MergedKey {
        /// The version of the format: 1.
        always schema: u32,
        /// The name of the region.
        region: Option<String>,
        /// The event or metric, as it was written.
        always event: String,
        /// Its usual name, with its PMU and its modifiers.
        canonical: Option<String>,
        /// The unit of the value, if it has one.
        always unit: Option<String>,
        /// The place of the value.
        part location: Location,
    }
}

record! {
    /// One event at one place in all ranks, nodes or sockets.
    #[derive(Debug)]
    pub struct MergedRow<'a> {
        /// By which rows it was merged.
        part key: &'a MergedKey,
        /// How often the region was entered, by all together.
        calls: Option<u64>,
        /// The sum; null if one of them has no value.
        always value: Option<Amount>,
        /// Whether all were counted.
        always status: Status,
        /// The least share of the time in which the event was on a counter.
        coverage: Option<f64>,
        /// Why there is no value.
        reason: Option<String>,
        /// The number of processes, nodes or sockets that have the row.
        always processes: usize,
        /// The values of those that have one.
        part spread: Option<MergedSpread<'a>>,
        /// The value of each process, with `--per-rank`.
        per_rank: Vec<MemberValue<'a>>,
        /// The value of each host, with `--by node`.
        per_node: Vec<MemberValue<'a>>,
        /// The value of each socket, with `--by socket`.
        per_socket: Vec<MemberValue<'a>>,
        /// The value of each thread, with `--by thread`; the rows that have `thread_number` compare some of them, those of one number.
        per_thread: Vec<MemberValue<'a>>,
    }
}

record! {
    /// The least, mean and greatest value of those that have one; a process without a rank has the name of its file.
    #[derive(Debug)]
    pub struct MergedSpread<'a> {
        /// The least value.
        always min: Amount,
        /// The rank that has the least value.
        min_rank: Option<u64>,
        /// The host that has the least value.
        min_host: Option<&'a str>,
        /// The socket that has the least value.
        min_socket: Option<u32>,
        /// The number of the thread that has the least value, from 0 in its process.
        min_thread: Option<u32>,
        /// The process that has the least value.
        min_pid: Option<u32>,
        /// The file with the least value, of a process without a rank.
        min_file: Option<&'a str>,
        /// The mean of the values.
        always mean: f64,
        /// The greatest value.
        always max: Amount,
        /// The rank that has the greatest value.
        max_rank: Option<u64>,
        /// The host that has the greatest value.
        max_host: Option<&'a str>,
        /// The socket that has the greatest value.
        max_socket: Option<u32>,
        /// The number of the thread that has the greatest value, from 0 in its process.
        max_thread: Option<u32>,
        /// The process that has the greatest value.
        max_pid: Option<u32>,
        /// The file with the greatest value, of a process without a rank.
        max_file: Option<&'a str>,
        /// By how much the greatest value exceeds the mean, as a share of it.
        imbalance: Option<f64>,
    }
}

record! {
    /// The value of one process, node or socket.
    #[derive(Debug)]
    pub struct MemberValue<'a> {
        /// The process.
        part process: &'a Process,
        /// The socket.
        socket: Option<u32>,
        /// The number of the thread in its process, from 0.
        thread: Option<u32>,
        /// The file with the report of a process without a rank.
        file: Option<&'a str>,
        /// The value; null if nothing was measured.
        always value: Option<Amount>,
        /// Whether the event was counted.
        always status: Status,
        /// The share of the time in which the event was on a counter.
        coverage: Option<f64>,
        /// Why there is no value.
        reason: Option<&'a str>,
    }
}

/// The summary of `merge`.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MergedSummary<'a> {
    /// The number of files.
    pub reports: usize,
    /// The processes that wrote the reports.
    pub processes: &'a [Source],
    /// The ranks of which more than one process was added up.
    pub repeated_ranks: Vec<u64>,
    /// The jobs of which ranks have no report.
    pub missing_ranks: &'a [Missing],
    /// The facts in which the machines of the processes differ.
    pub differences: &'a [Difference],
}

/// A fact in which the machines of processes differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The key of the fact in the environment, such as `kernel`.
    pub fact: &'static str,
    /// The name of the fact in sentences.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub name: &'static str,
    /// The differences of values that it can explain.
    pub explains: Explains,
    /// The values, that of most processes first; of the load, the least and the greatest.
    pub values: Vec<FactValue>,
}

/// A value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FactValue {
    /// The value.
    pub value: String,
    /// The processes on whose machine it is so: their places in the list of processes, from 0.
    pub processes: Vec<usize>,
}

/// A process that wrote a report, and the file with it.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Source {
    /// The process.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub process: Process,
    /// The file.
    pub file: String,
    /// Whether the report ends before its summary.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub incomplete: bool,
    /// Whether a run was interrupted.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub interrupted: bool,
    /// The seconds after which the report was written, if the run was not over then: its process was killed later.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub checkpoint_s: Option<f64>,
    /// In how many runs the command failed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub failed_runs: u64,
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Source {
    /// A report that is whole.
    pub fn new(process: Process, file: &str) -> Source {
        let file = file.to_string();
        let checkpoint_s = None;
        Source {
            process,
            file,
            incomplete: false,
            interrupted: false,
            checkpoint_s,
            failed_runs: 0,
        }
    }
}

/// The ranks of a job that have no report.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Missing {
    /// The id of the job in the batch system.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub job: Option<String>,
    /// The number of ranks of the job.
    pub ranks: u64,
    /// How many of them have no report.
    pub count: u64,
    /// Which, as in `3,8-11`.
    pub missing: String,
}

/// Records within a record are not fields of it.
impl ToField for Vec<MemberValue<'_>> {
    fn field(&self) -> Field<'_> {
        Field::Absent
    }
}
