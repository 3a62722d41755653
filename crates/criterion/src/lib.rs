//! Events as measurements of [criterion]: instructions, page faults, energy, definitions.
//!
//! Benchmarks that are written for criterion change in their manifest alone, where this crate takes its place:
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "counterpoint-criterion", version = "0.1" }
//! ```
//!
//! The variable [`COUNTERPOINT_BENCH`](EVENTS_VARIABLE) names the events. A program that names them itself gives
//! [`Events`] to criterion:
//!
//! ```no_run
//! use counterpoint_criterion::Events;
//! use std::hint::black_box;
//!
//! fn main() -> Result<(), counterpoint::Error> {
//!     let events = Events::new("instructions|task-clock")?.beside("page-faults")?;
//!     let mut criterion = criterion::Criterion::default().with_measurement(events);
//!     criterion.bench_function("sum", |b| b.iter(|| (0..black_box(1000_u64)).sum::<u64>()));
//!     Ok(())
//! }
//! ```
//!
//! Of events with `|` between them, the first that this machine can count is measured; if it is not the first of all, the
//! program says so, and why. Threads that a benchmark starts are counted too; those that ran before, such as those of a
//! pool, are not.

#![forbid(unsafe_code)]

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Runs the examples of the book's page as tests.
#[cfg(doctest)]
#[doc = include_str!("../benchmarks.md")]
pub struct Book;

mod events;
mod formatter;
mod in_place;
mod table;

pub use criterion::*;
pub use events::Events;
pub use in_place::{Criterion, EVENTS_VARIABLE};

/// The types that benchmarks name, with events as their measurement.
pub mod measurement {
    pub use criterion::measurement::{Measurement, ValueFormatter};

    /// What is measured in the place of the elapsed time, which stands beside it.
    pub type WallTime = crate::Events;
}

/// As [`criterion::Bencher`], with events as its measurement if none is named.
pub type Bencher<'a, M = Events> = criterion::Bencher<'a, M>;

/// As [`criterion::BenchmarkGroup`], with events as its measurement if none is named.
pub type BenchmarkGroup<'a, M = Events> = criterion::BenchmarkGroup<'a, M>;
