//! Samples that wait for the records of what happened before them.

use super::parts::Who;
use super::raw_stack::RawStack;
use counterpoint_perf::records::Level;

/// A sample that is not counted yet.
#[derive(Clone)]
pub(crate) struct Pending {
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    pub(crate) time: u64,
    pub(crate) pc: u64,
    pub(crate) excess: i64,
    /// The number that it counts, whatever the flags are.
    pub(crate) weight: Option<u64>,
    pub(crate) level: Level,
    pub(crate) who: Who,
    pub(crate) stack: Option<Box<RawStack>>,
}
