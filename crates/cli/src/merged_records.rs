//! The lines that `merge` writes.

use crate::records::{Amount, Location, Process, Status};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The keys by which rows of several reports are merged into one.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Key {
    /// The version of the format: 1.
    pub schema: u32,
    /// The name of the region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The event or metric, as it was written.
    pub event: String,
    /// Its usual name, with its PMU and its modifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The unit of the value, if it has one.
    pub unit: Option<String>,
    #[serde(flatten)]
    pub location: Location,
}

/// One event at one place in all ranks, nodes or sockets.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MergedRow<'a> {
    #[serde(flatten)]
    pub key: &'a Key,
    /// How often the region was entered, by all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// The sum; null if one of them has no value.
    pub value: Option<Amount>,
    /// Whether all were counted.
    pub status: Status,
    /// The least share of the time in which the event was on a counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of processes, nodes or sockets that have the row.
    pub processes: usize,
    #[serde(flatten)]
    pub spread: Option<MergedSpread<'a>>,
    /// The value of each process, with `--per-rank`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_rank: Vec<MemberValue<'a>>,
    /// The value of each host, with `--by node`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_node: Vec<MemberValue<'a>>,
    /// The value of each socket, with `--by socket`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_socket: Vec<MemberValue<'a>>,
}

/// The least, mean and greatest value of those that have one; a process without a rank has the name of its file.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MergedSpread<'a> {
    /// The least value.
    pub min: Amount,
    /// The rank that has the least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rank: Option<u64>,
    /// The host that has the least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_host: Option<&'a str>,
    /// The socket that has the least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_socket: Option<u32>,
    /// The process that has the least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_pid: Option<u32>,
    /// The file with the least value, of a process without a rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_file: Option<&'a str>,
    /// The mean of the values.
    pub mean: f64,
    /// The greatest value.
    pub max: Amount,
    /// The rank that has the greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rank: Option<u64>,
    /// The host that has the greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_host: Option<&'a str>,
    /// The socket that has the greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_socket: Option<u32>,
    /// The process that has the greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pid: Option<u32>,
    /// The file with the greatest value, of a process without a rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_file: Option<&'a str>,
    /// By how much the greatest value exceeds the mean, as a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imbalance: Option<f64>,
}

/// The value of one process, node or socket.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MemberValue<'a> {
    #[serde(flatten)]
    pub process: &'a Process,
    /// The socket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socket: Option<u32>,
    /// The file with the report of a process without a rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// The value; null if nothing was measured.
    pub value: Option<Amount>,
    /// Whether the event was counted.
    pub status: Status,
    /// The share of the time in which the event was on a counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// The summary of `merge`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MergedSummary<'a> {
    /// The number of files.
    pub reports: usize,
    /// The processes that wrote the reports.
    pub processes: &'a [Source],
    /// The ranks of which more than one process was added up.
    pub repeated_ranks: Vec<u64>,
    /// The jobs of which ranks have no report.
    pub missing_ranks: &'a [Missing],
}

/// A process that wrote a report, and the file with it.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Source {
    #[serde(flatten)]
    pub process: Process,
    /// The file.
    pub file: String,
    /// Whether the report ends before its summary.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Whether a run was interrupted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// In how many runs the command failed.
    #[serde(skip_serializing_if = "is_zero")]
    pub failed_runs: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Source {
    pub fn new(process: Process, file: &str) -> Source {
        let file = file.to_string();
        Source { process, file, incomplete: false, interrupted: false, failed_runs: 0 }
    }
}

/// The ranks of a job that have no report.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Missing {
    /// The id of the job in the batch system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The number of ranks of the job.
    pub ranks: u64,
    /// How many of them have no report.
    pub count: u64,
    /// Which, as in `3,8-11`.
    pub missing: String,
}
