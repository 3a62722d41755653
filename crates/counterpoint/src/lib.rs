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
//! - [`Machine`]: the PMUs and events of a machine
//! - [`listing`]: which events can be counted; [`events`]: what a name stands for; [`planning`]: which events can be counted together; [`doctor`]: what prevents counting
//!
//! The underlying crates are re-exported as [`definitions`], [`formula`], [`perf`], [`pmu`] and [`profil`], and with the feature `catalog` as `catalog`.
//! The tables of each vendor are a feature, as in [`pmu`].

#![forbid(unsafe_code)]

pub use counterpoint_definitions as definitions;
pub use counterpoint_formula as formula;
pub use counterpoint_perf as perf;
pub use counterpoint_pmu as pmu;
pub use counterpoint_profil as profil;
#[cfg(feature = "symbols")]
pub use counterpoint_symbols as symbols;

mod availability;
mod boxes;
#[cfg(feature = "catalog")]
pub mod catalog;
mod check;
mod clock;
mod component;
mod counters;
pub mod doctor;
mod error;
mod evaluation;
mod event_id;
mod event_set;
mod form;
pub mod hardware;
mod hint;
mod labels;
mod languages;
mod likwid;
pub mod listing;
mod lookup;
mod machine;
mod machine_values;
pub mod metrics;
mod native;
mod node_events;
mod note;
pub mod numbers;
mod opening;
pub mod planning;
pub mod presets;
mod probes;
pub mod profile;
mod regions;
mod report;
mod reporter;
mod resolved;
mod resolving;
mod schedule;
mod snapshot;
mod spread;
mod target;
mod tool;
mod totals;
mod value;

pub use check::{check_definitions, definitions_on, papi_differences};
pub use counters::{Counters, State};
pub use error::Error;
pub use event_set::{EventSet, Multiplexing};
pub use hint::Hint;
pub use labels::{RowPlacement, Split};
pub use languages::{language, read_definitions, read_definitions_for};
pub use machine::{Device, Machine};
pub use machine_values::MachineValue;
pub use node_events::NodeEvents;
pub use note::Note;
pub use regions::{Region, RegionCounts, RegionReport, Regions, Timeline, Visit};
pub use report::{Report, Row};
pub use reporter::Reporter;
pub use snapshot::Snapshot;
pub use spread::Spread;
pub use target::{Target, cgroup_directory};
pub use tool::NoCpuTime;
pub use value::{Reason, Value};

/// The events that a name may stand for, and those that the names of a set stand for.
pub mod events {
    pub use crate::component::without_component;
    pub use crate::event_id::EventId;
    pub use crate::lookup::{Candidate, CandidateEvent};
    pub use crate::native::{Native, PmuBox};
    pub use crate::resolved::Resolved;
    pub use crate::tool::ToolEvent;
}

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Runs the examples of the guide as tests.
#[cfg(doctest)]
#[doc = include_str!("../guide.md")]
#[doc = include_str!("../from-papi.md")]
#[doc = include_str!("../from-likwid.md")]
pub struct Guide;
