//! The lines that `merge` writes.

use crate::records::{Amount, Location, Process, Status};
use serde::Serialize;

/// The keys by which rows of several reports are merged into one.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Key {
    pub schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    pub event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    pub unit: Option<String>,
    #[serde(flatten)]
    pub location: Location,
}

/// One event at one place in all ranks, nodes or sockets.
#[derive(Serialize)]
pub struct MergedRow<'a> {
    #[serde(flatten)]
    pub key: &'a Key,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    pub value: Option<Amount>,
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of processes, nodes or sockets that have the row.
    pub processes: usize,
    #[serde(flatten)]
    pub spread: Option<MergedSpread<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_rank: Vec<MemberValue<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_node: Vec<MemberValue<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_socket: Vec<MemberValue<'a>>,
}

/// The least, mean and greatest value of those that have one; a process without a rank has the name of its file.
#[derive(Serialize)]
pub struct MergedSpread<'a> {
    pub min: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_socket: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_file: Option<&'a str>,
    pub mean: f64,
    pub max: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_socket: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_file: Option<&'a str>,
    /// By how much the greatest value exceeds the mean, as a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imbalance: Option<f64>,
}

/// The value of one process, node or socket.
#[derive(Serialize)]
pub struct MemberValue<'a> {
    #[serde(flatten)]
    pub process: &'a Process,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socket: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    pub value: Option<Amount>,
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// The summary of `merge`.
#[derive(Serialize)]
pub struct MergedSummary<'a> {
    /// The number of files.
    pub reports: usize,
    pub processes: &'a [Source],
    /// The ranks of which more than one process was added up.
    pub repeated_ranks: Vec<u64>,
    /// The jobs of which ranks have no report.
    pub missing_ranks: &'a [Missing],
}

/// A process that wrote a report, and the file with it.
#[derive(Serialize)]
pub struct Source {
    #[serde(flatten)]
    pub process: Process,
    pub file: String,
}

/// The ranks of a job that have no report.
#[derive(Debug, PartialEq, Serialize)]
pub struct Missing {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The number of ranks of the job.
    pub ranks: u64,
    /// How many of them have no report.
    pub count: u64,
    /// Which, as in `3,8-11`.
    pub missing: String,
}
