//! 24x7 catalogs of POWER firmware, and the metrics that their formulas define (feature `catalog`).
//!
//! ```
//! use counterpoint::catalog::{CatalogBuilder, Domain, Event, Formula, WithMetrics};
//!
//! let catalog = CatalogBuilder::new(1)
//!     .event(Event::new("CHIP_XFER", Domain::CHIP))
//!     .formula(Formula::new("BYTES", "CHIP_XFER 128 *"))
//!     .formula(Formula::new("BANDWIDTH", "BYTES delta-seconds /"))
//!     .build()?;
//! let metrics = catalog.metrics();
//! assert!(metrics.diagnostics().is_empty());
//! let values = metrics.evaluate(|operand| match operand.name.as_str() {
//!     "CHIP_XFER" => Some(1000_i64.into()),
//!     "delta-seconds" => Some(0.5.into()),
//!     _ => None,
//! });
//! assert_eq!(values[1].as_ref().unwrap().number.as_f64(), 256_000.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All of `counterpoint-catalog24x7` is re-exported here; [`WithMetrics`] adds `metrics()` to its [`Catalog`], and [`Measured`] supplies the values from result buffers.

mod findings;
mod machine;
mod measured;
mod metrics;

pub use counterpoint_catalog24x7::*;
pub use machine::PATH;
pub use measured::Measured;
pub use metrics::{Metric, MetricError, MetricValue, Metrics, Operand, Source, WithMetrics};
