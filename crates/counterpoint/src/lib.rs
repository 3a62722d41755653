//! Counts performance events by name: events in, values out.
//!
//! ```
//! use counterpoint::{EventSet, Target};
//!
//! let mut counters = EventSet::new(Target::ThisThread)
//!     .define("EVENT,FAULTS_PER_MS,DERIVED_INFIX,N0/(N1/1000000),page-faults,task-clock")
//!     .event("page-faults,task-clock,FAULTS_PER_MS")
//!     .open()?;
//! let pages = vec![1_u8; 1 << 20];
//! let report = counters.read()?;
//! assert_eq!(report.rows.len(), 3);
//! assert!(pages.len() > 0 && report.rows[2].value.as_f64().is_some());
//! # Ok::<(), counterpoint::Error>(())
//! ```
//!
//! - [`EventSet`]: events by name, and the [`Target`] to count them for
//! - [`Counters`]: the open events
//! - [`Report`]: a [`Value`] for each event; a value that was not measured is not a number
//! - [`Regions`]: counts for parts of a program, by name and thread
//! - [`profile`]: where in a program events occur
//! - `bench` (a feature): closures compared by what they count
//! - `verify` (a feature): what events count beside what code is known to count
//! - [`Machine`]: the PMUs and events of a machine
//! - [`listing`]: which events can be counted; [`events`]: what a name stands for; [`planning`]: which events can be counted together; [`doctor`]: what prevents counting
//!
//! The underlying crates are re-exported as [`definitions`], [`formula`], [`perf`], [`pmu`] and [`profil`], and with the feature `catalog` as `catalog`.
//! The tables of each vendor are a feature, as in [`pmu`].

#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(
        feature = "definitions",
        feature = "files",
        feature = "profile",
        feature = "symbols"
    )),
    allow(dead_code, reason = "some items are for what is left out only")
)]

pub use counterpoint_definitions as definitions;
pub use counterpoint_formula as formula;
#[cfg(feature = "verify")]
pub use counterpoint_kernels as kernels;
pub use counterpoint_perf as perf;
pub use counterpoint_pmu as pmu;
#[cfg(feature = "profile")]
pub use counterpoint_profil as profil;
pub use counterpoint_report as records;
#[cfg(feature = "symbols")]
pub use counterpoint_symbols as symbols;

#[cfg(feature = "bench")]
pub mod bench;
#[cfg(feature = "catalog")]
pub mod catalog;
#[cfg(feature = "definitions")]
mod check;
mod counting;
pub mod doctor;
mod error;
mod event_set;
mod libraries;
pub mod listing;
mod machine;
#[cfg(feature = "profile")]
pub mod memory;
#[cfg(feature = "definitions")]
pub mod metrics;
#[cfg(not(feature = "definitions"))]
#[path = "metrics/none.rs"]
mod metrics;
mod names;
pub mod planning;
#[cfg(feature = "profile")]
pub mod profile;
mod regions;
mod report;
mod sources;
#[cfg(feature = "verify")]
pub mod verify;
#[cfg(feature = "profile")]
pub mod wall;

#[cfg(feature = "definitions")]
pub use check::countable::{Countable, NameKind};
#[cfg(feature = "definitions")]
pub use check::{check_definitions, definitions_on, papi_differences};
pub use counting::cgroups::cgroup_directory;
pub use counting::choice::Choice;
pub use counting::counters::{Counters, State};
pub use counting::node_events::NodeEvents;
pub use counting::slices::Slices;
pub use counting::snapshot::Snapshot;
pub use counting::target::Target;
pub use error::Error;
pub use event_set::{EventSet, Multiplexing};
#[cfg(feature = "definitions")]
pub use libraries::languages::{language, read_definitions, read_definitions_for};
pub use libraries::presets;
pub use machine::environment::environment;
pub use machine::hardware;
pub use machine::pmus::{Device, Machine};
pub use machine::values::MachineValue;
pub use regions::{Region, RegionCounts, RegionReport, Regions, Timeline, Visit};
pub use report::benchmark::{BENCH_REPORT, report_benchmarks};
pub use report::form::RepeatedReport;
pub use report::hint::Hint;
pub use report::labels::{RowPlacement, Split};
pub use report::no_cpu_time::NoCpuTime;
pub use report::note::Note;
pub use report::numbers;
pub use report::record::amount;
pub use report::reporter::Reporter;
pub use report::rows::{Report, Row};
pub use report::source_total::Extremes;
pub use report::spread::Spread;
pub use report::values::{Reason, Value};

/// The events that a name may stand for, and those that the names of a set stand for.
pub mod events {
    pub use crate::counting::resolved::Resolved;
    pub use crate::names::candidate::{Candidate, CandidateEvent};
    pub use crate::names::components::without_component;
    pub use crate::names::ids::EventId;
    pub use crate::names::native::{Native, PmuBox};
    pub use crate::sources::kinds::papi_sources;
    pub use crate::sources::source::Source;
}

/// Runs the examples of the README and of the book as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../rust.md")]
#[doc = include_str!("../from-papi.md")]
#[doc = include_str!("../from-likwid.md")]
pub struct Book;
