//! Formulas and metrics of performance counters as functions of DataFusion and Ballista, over tables of reports.
//!
//! - `cp_formula('TEXT', a, b, …)` and `cp_metric('NAME', 'PMU', counts)` compute a value for each row.
//! - `cp_sum(value, status, …)` and `cp_mean(value, status, …)` aggregate values and keep what was not measured.
//! - `cp_reports('FILE', …)` is a table of reports.
//!
//! [`register`] adds them to a session of DataFusion; [`run_scheduler`] and [`run_executor`] are processes of a Ballista cluster that know them.
//!
//! ```
//! use counterpoint_datafusion::session;
//!
//! # #[tokio::main] async fn main() -> datafusion::common::Result<()> {
//! let session = session(&[], &std::env::temp_dir())?;
//! let sql = "SELECT cp_formula('instructions / cycles', 3e9, 2e9) AS ipc";
//! let batches = session.sql(sql).await?.collect().await?;
//! let ipc = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
//! assert!(ipc.contains("| 1.5 |"), "{ipc}");
//! # Ok(()) }
//! ```

#![forbid(unsafe_code)]

mod aggregate;
#[cfg(feature = "ballista")]
mod cluster;
mod exact_sum;
mod formula;
mod functions;
mod metric;
mod reports;
mod session;

pub use aggregate::{cp_mean, cp_sum};
#[cfg(feature = "ballista")]
pub use cluster::{run_executor, run_scheduler};
pub use exact_sum::ExactSum;
pub use formula::cp_formula;
pub use functions::{functions, register};
pub use metric::cp_metric;
pub use reports::Reports;
#[cfg(feature = "ballista")]
pub use session::remote_session;
pub use session::{REPORTS, session, with_functions};
