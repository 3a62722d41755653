//! The events that say when threads stop and who wakes them.

/// Wake-ups of threads, with which time in a run queue is known, and the critical path.
pub const WAKING: &str = "sched:sched_waking";
/// The event at which a thread stops to run.
pub const CONTEXT_SWITCHES: &str = "context-switches";
