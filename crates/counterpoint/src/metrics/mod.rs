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
//!
//! # How a metric is counted
//!
//! 1. A metric is a definition with a `definitions::Metric`: its unit with a factor, groups, parent, threshold, and how its events may be grouped. Its terms are events of any PMU, other metrics, times and facts of the machine, which keep the names that its language gives them; the readers only turn times into one unit.
//! 2. `counterpoint::metrics::Metrics` links the metrics of the vendor (`pmu::vendor::Metric`), those of the project (`crates/counterpoint/metrics`) and those of libraries, for each kind of core. A name stands for the metric of that name, or else for all metrics of that group.
//! 3. `metrics::facts` puts the facts of the machine (`#smt_on`, `has_event(E)`, `source_count(E)`) into the expanded formula as constants. What a constant decides is folded away, so that only the events of the side that is taken are looked up (`metrics::terms`).
//! 4. From there on a metric is a formula over native events like any other: the planner keeps its events in one pass where they fit, and the report computes it from sums. The factor is applied to the reported value only; formulas and thresholds use the value as it is.
//! 5. `EventSet::metric_needs` returns the formula and what each term stands for, for `show`, `check --metrics`, and metrics over counts that were saved (`report_over`).

mod each;
mod facts;
mod folders;
mod latency;
mod named;
mod needs;
pub(crate) mod resolving;
mod sampled;
mod saved;
pub(crate) mod tables;
mod terms;
mod tree;

pub use crate::names::likwid::likwid_folder;
pub use named::{Metrics, NamedMetric};
pub use needs::{Meaning, Needs, Term};
pub use sampled::{Estimate, SampledCounts, SampledInput};
pub use saved::SavedCounts;
