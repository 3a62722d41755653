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
//! - [`Machine`]: the PMUs and events of a machine; [`list`](list()) shows which events can be counted, and [`doctor`] what prevents counting
//!
//! The underlying crates are re-exported as [`definitions`], [`formula`], [`perf`], [`pmu`] and [`profil`], and [`catalog`] with the feature `catalog`.

#![forbid(unsafe_code)]

pub use counterpoint_definitions as definitions;
pub use counterpoint_formula as formula;
pub use counterpoint_perf as perf;
pub use counterpoint_pmu as pmu;
pub use counterpoint_profil as profil;

mod absent;
#[cfg(feature = "catalog")]
pub mod catalog;
mod check;
mod component;
mod counters;
pub mod doctor;
mod error;
mod event_id;
mod event_set;
mod hardware;
mod languages;
mod listing;
mod lookup;
mod machine;
mod native;
mod note;
mod opening;
mod planning;
pub mod presets;
pub mod profile;
mod regions;
mod report;
mod resolved;
mod schedule;
mod snapshot;
mod target;
mod totals;
mod value;

pub use check::check_definitions;
pub use component::without_component;
pub use counters::{Counters, State};
pub use error::Error;
pub use event_id::EventId;
pub use event_set::{EventSet, Multiplexing};
pub use hardware::{Cache, Hardware};
pub use languages::read_definitions;
pub use listing::{
    Availability, Listed, ListedPreset, list, list_presets, list_presets_of, try_events,
};
pub use lookup::{Candidate, CandidateEvent};
pub use machine::{Device, Machine};
pub use native::{Native, PmuBox};
pub use note::Note;
pub use planning::{Free, Known, PlannedEvent, Planning, PmuPlan, Taken, Unit};
pub use regions::{Region, RegionCounts, RegionReport, Regions};
pub use report::{Report, Row, Spread};
pub use resolved::Resolved;
pub use snapshot::Snapshot;
pub use target::Target;
pub use totals::{RowPlacement, Split};
pub use value::{Reason, Value};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// Runs the examples of the guide as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
pub struct Guide;
