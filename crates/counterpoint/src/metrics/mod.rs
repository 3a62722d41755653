//! Metrics: values that are computed from events, other metrics and facts of the machine, each with a unit and groups.
//!
//! The metrics of a machine are those that are built in, and those of libraries of [`definitions::metrics`](counterpoint_definitions::metrics) that were added to a set.
//!
//! ```
//! use counterpoint::{EventSet, Target};
//!
//! let file = r#"[{"MetricName": "fault_rate", "MetricExpr": "page\\-faults / duration_time", "ScaleUnit": "1per_sec", "MetricGroup": "paging"}]"#;
//! let set = EventSet::new(Target::ThisThread).define(counterpoint::read_definitions("mine.json", file));
//! assert_eq!(set.metrics().find("paging")[0].definition.name(), "fault_rate");
//! let mut counters = set.metric("fault_rate").open()?;
//! let pages = vec![1_u8; 1 << 20];
//! let row = &counters.read()?.rows[0];
//! assert!(pages.len() > 0 && row.value.as_f64().is_some_and(|rate| rate > 0.0));
//! assert_eq!(row.unit.as_deref(), Some("per_sec"));
//! # Ok::<(), counterpoint::Error>(())
//! ```

mod each;
mod facts;
mod folders;
mod named;
mod needs;
pub(crate) mod resolving;
mod saved;
pub(crate) mod tables;
mod terms;
mod tree;

pub use crate::names::likwid::likwid_folder;
pub use named::{Metrics, NamedMetric};
pub use needs::{Meaning, Needs, Term};
pub use saved::SavedCounts;
