//! What instrumented programs write about when their regions were entered and left.

use crate::records::Process;
#[cfg(test)]
use crate::schema::{Lines, of};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

#[cfg(test)]
pub const LINES: Lines = &[of::<TimelineLine>];

/// The visits of a thread to regions.
#[derive(Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct TimelineLine {
    /// The version of the format: 1.
    #[serde(rename = "schema")]
    pub _schema: u32,
    #[serde(flatten)]
    pub process: Process,
    /// The id of the thread.
    pub thread: u64,
    /// When the thread was in which region.
    pub timeline: Timeline,
}

/// When a thread was in which region.
#[derive(Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Timeline {
    #[serde(skip)]
    pub thread: u64,
    /// The time from which starts and ends are counted, in seconds of the Unix epoch.
    pub began_s: f64,
    /// The names of the regions.
    pub regions: Vec<String>,
    /// The index of the region of each visit, and its start and end in seconds.
    pub visits: Vec<(usize, f64, f64)>,
    /// How many visits were left out, because the thread had more than are kept.
    pub left_out: u64,
}
