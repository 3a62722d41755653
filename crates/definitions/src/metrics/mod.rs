//! The languages of metrics: formulas over events, other metrics and facts of the machine, with units, groups and thresholds.
//!
//! - [`PERF`]: the JSON of Linux's `tools/perf/pmu-events` (`MetricName`, `MetricExpr`); feature `json`
//! - [`PERFMON`]: the JSON of intel/perfmon (`MetricName`, `Events`, `Constants`, `Formula`); feature `json`
//! - [`LIKWID`]: likwid's groups (`SHORT`, `EVENTSET`, `METRICS`, `LONG`)
//! - [`TABLE`]: this project's own language, one line for each fact
//!
//! A metric is a [`Definition`](crate::Definition) with a [`Metric`](crate::Metric).
//! Its terms are names of other metrics, of events, and of facts of the machine (`#num_cpus`, `has_event(NAME)`), which the caller resolves.
//!
//! ```
//! use counterpoint_definitions::{Origin, link, metrics};
//!
//! let file = r#"[
//!     {"MetricName": "miss_ratio", "MetricExpr": "misses / (misses + hits)", "ScaleUnit": "100%"},
//!     {"MetricName": "broken", "MetricExpr": "misses / (hits"}
//! ]"#;
//! let library = (metrics::PERF.read)(file, Origin::Text);
//! assert_eq!(library.diagnostics()[0].message, "the formula of broken cannot be read: this `(` is not closed");
//! let definitions = link(&[library], "skx");
//! let ratio = definitions.get("miss_ratio").unwrap();
//! assert_eq!((ratio.units(), ratio.metric().unwrap().factor), (Some("%"), 100.0));
//! assert_eq!(definitions.expand(&ratio)?.formula.eval(&[1.0, 3.0]), 0.25);
//! # Ok::<(), counterpoint_definitions::Unavailable>(())
//! ```

mod likwid;
mod perf;
mod reader;
mod scale;
mod table;
mod text;

#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod perf_json;
#[cfg(feature = "json")]
mod perfmon;

pub use likwid::SYNTAX as LIKWID;
pub use perf::PerfMetric;
#[cfg(feature = "json")]
pub use perf_json::SYNTAX as PERF;
#[cfg(feature = "json")]
pub use perfmon::SYNTAX as PERFMON;
pub use scale::scale;
pub use table::SYNTAX as TABLE;
