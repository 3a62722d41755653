//! Counts parts of a program by name and by thread.
//!
//! # How a region is counted
//!
//! 1. A thread that enters its first region of some `Regions` opens the events for itself, and keeps its `Local` both in the thread and in the list of the `Regions`. Only that thread takes its lock until a report is requested.
//! 2. Entering reads the counters; leaving reads them again and adds the difference. Entering a region that is already open only counts the call.
//! 3. The report puts the sums of all threads side by side, as parts of one `Snapshot`, so that totals, threads and formulas come from the same `Form` as everything else: the rows of a report and the places of its sums, which are made once and filled with the counts of any snapshot.
//! 4. Its JSON is the one text that the facade writes itself, because an instrumented program has no other program to write it. `counterpoint merge` reads it beside `stat --json`.
//!    `PAPI_EVENTS` and the rank and job (`counterpoint::Reporter`) are the only environment that the facade reads, when `regions_from_env`, `Regions::report` and `Reporter::this_process` are called.

mod json;
mod local;
mod region;
mod report;
mod timeline;
mod visits;

pub use region::{Region, Regions};
pub use report::{RegionCounts, RegionReport};
pub use timeline::{Timeline, Visit};
