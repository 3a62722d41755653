//! The lines of instrumented programs about when their regions were entered and left.

use crate::row::Process;

/// The visits of a thread to regions.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TimelineLine {
    /// The version of the format: 1.
    pub schema: u32,
    #[cfg_attr(feature = "serde", serde(flatten))]
    /// The process that writes the report.
    pub process: Process,
    /// The id of the thread.
    pub thread: u64,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    /// The number of the thread among those of its process that share work, as in a row.
    pub thread_number: Option<u32>,
    /// When the thread was in which region.
    pub timeline: Timeline,
}

/// When a thread was in which region.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Timeline {
    #[cfg_attr(feature = "serde", serde(skip))]
    /// The id of the thread.
    pub thread: u64,
    #[cfg_attr(feature = "serde", serde(skip))]
    /// Its number, if it has one.
    pub thread_number: Option<u32>,
    /// The time from which starts and ends are counted, in seconds of the Unix epoch.
    pub began_s: f64,
    /// The names of the regions.
    pub regions: Vec<String>,
    /// The index of the region of each visit, and its start and end in seconds.
    pub visits: Vec<(usize, f64, f64)>,
    /// How many visits were left out, because the thread had more than are kept.
    pub left_out: u64,
}

impl Timeline {
    /// The thread in words, such as `thread 1`: by its number, or else by its id.
    pub fn thread_name(&self) -> String {
        format!("thread {}", self.thread_number.map_or(self.thread, u64::from))
    }
}
