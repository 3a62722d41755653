//! The interfaces that an event string is encoded for.

/// The interface that programs the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// Registers: the PMU's own attributes and nothing else.
    #[doc(alias = "PFM_OS_NONE")]
    Raw,
    /// `perf_event_open`, with the attributes that choose the levels to count at.
    #[doc(alias = "PFM_OS_PERF_EVENT")]
    PerfEvent,
    /// `perf_event_open`, with everything that it controls, such as the sampling period.
    #[doc(alias = "PFM_OS_PERF_EVENT_EXT")]
    PerfEventExt,
}
