//! Performance counters by name: events in, values out.
//!
//! ```
//! use counterpoint::{EventSet, Target};
//!
//! let mut counting = EventSet::new(Target::ThisThread)
//!     .define("EVENT,FAULTS_PER_MS,DERIVED_INFIX,N0/(N1/1000000),page-faults,task-clock")
//!     .event("page-faults,task-clock,FAULTS_PER_MS")
//!     .open()?;
//! let pages = vec![1_u8; 1 << 20];
//! let report = counting.read()?;
//! assert_eq!(report.rows.len(), 3);
//! assert!(pages.len() > 0 && report.rows[2].value.as_f64().is_some());
//! # Ok::<(), counterpoint::Error>(())
//! ```
//!
//! In reading order: [`EventSet`] takes names and a [`Target`]; [`Counters`] are open and count; a [`Report`] holds a [`Value`] for each event, and a value that was not measured is no number; [`Regions`] count parts of a program by name and thread; a [`profile`] shows where in a program events happen; [`Machine`] shows what there is to count, [`list`](list()) whether it can be, and [`doctor`] what stands in the way.
//! The crates beneath are here as [`definitions`], [`formula`], [`perf`], [`pmu`] and [`profil`], and with the feature `catalog` as `catalog`.

#![forbid(unsafe_code)]

pub use counterpoint_definitions as definitions;
pub use counterpoint_formula as formula;
pub use counterpoint_perf as perf;
pub use counterpoint_pmu as pmu;
pub use counterpoint_profil as profil;

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
mod hint;
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
pub use hint::Hint;
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

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// The guide's examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
pub struct Guide;
