//! Events as measurements of [criterion]: instructions, page faults, energy, definitions.
//!
//! A benchmark changes by one line, and counts then what it names in the place of time:
//!
//! ```no_run
//! use counterpoint_criterion::Events;
//! use criterion::{Criterion, black_box};
//!
//! fn main() -> Result<(), counterpoint::Error> {
//!     let events = Events::new("instructions|task-clock")?.beside("page-faults")?;
//!     let mut criterion = Criterion::default().with_measurement(events);
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

mod formatter;
mod table;

use counterpoint::{Counters, Error, EventSet, Snapshot, Split, Target};
use criterion::measurement::{Measurement, ValueFormatter};
use formatter::Unit;
use std::cell::RefCell;
use table::Table;

/// Events to measure: the first for criterion's statistics, the others in a table below each benchmark.
#[derive(Debug)]
pub struct Events {
    set: EventSet,
    unit: Unit,
    counting: RefCell<Counting>,
}

/// The open events, and what they counted in the benchmark that runs.
#[derive(Debug)]
struct Counting {
    counters: Counters,
    sum: Snapshot,
}

impl Events {
    /// Measures an event or a definition, or the first of several that can be counted: `instructions|task-clock`.
    ///
    /// Its values must add up over calls, as counts do: a ratio, such as `ipc`, stands [`beside`](Events::beside) one.
    ///
    /// # Errors
    /// Returns an error if none of them can be counted here, with the reasons.
    pub fn new(event: &str) -> Result<Events, Error> {
        Events::with(EventSet::new(Target::ThisThread), event)
    }

    /// Measures an event of a set, which may have definitions; its target is this thread.
    ///
    /// # Errors
    /// Returns an error if none of the events can be counted here.
    pub fn with(set: EventSet, event: &str) -> Result<Events, Error> {
        let choice = set.choose(event)?;
        if !choice.passed_over.is_empty() {
            table::say(&format!("Measured: {choice}"));
        }
        let set = set.inherit(true).event(choice.event.clone());
        let (mut counters, sum) = open(&set)?;
        let row = &counters.read()?.rows[0];
        let unit = Unit::new(&choice.event, row.unit.as_deref());
        // The time stands beside every event.
        let events = Events { set, unit, counting: RefCell::new(Counting { counters, sum }) };
        events.beside("duration_time")
    }

    /// Also counts an event, a definition or a metric, which a table below each benchmark shows for one call; of several
    /// with `|` between them, the first that can be counted.
    ///
    /// # Errors
    /// Returns an error if none of the choices can be counted here.
    pub fn beside(mut self, event: &str) -> Result<Events, Error> {
        let choice = self.set.choose(event)?;
        self.set.add(&choice.event)?;
        let (counters, sum) = open(&self.set)?;
        self.counting = RefCell::new(Counting { counters, sum });
        Ok(self)
    }
}

fn open(set: &EventSet) -> Result<(Counters, Snapshot), Error> {
    let counters = set.open()?;
    let sum = counters.zero();
    Ok((counters, sum))
}

/// Starting and ending cost one read of the counters each.
///
/// # Panics
/// Panics if the events cannot be read, or have no number because others hold the counters: criterion takes no errors.
impl Measurement for Events {
    type Intermediate = Snapshot;
    type Value = f64;

    fn start(&self) -> Snapshot {
        self.end_benchmark();
        self.counting.borrow_mut().now()
    }

    fn end(&self, start: Snapshot) -> f64 {
        let mut counting = self.counting.borrow_mut();
        let counted = counting.now().since(&start);
        counting.sum.add(&counted);
        let report = counting.counters.report(&counted, &Split::Total);
        let row = &report.rows[0];
        row.value.as_f64().unwrap_or_else(|| panic!("{} has no number: {row}", row.event))
    }

    fn add(&self, one: &f64, other: &f64) -> f64 {
        one + other
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &self.unit
    }
}

impl Events {
    /// Prints what was counted beside the benchmark whose estimate criterion has printed, if it has.
    fn end_benchmark(&self) {
        let Some(estimate) = self.unit.take_estimate() else { return };
        let mut counting = self.counting.borrow_mut();
        let zero = counting.counters.zero();
        let sum = std::mem::replace(&mut counting.sum, zero);
        let report = counting.counters.report(&sum, &Split::Total);
        table::say(&Table { rows: &report.rows, estimate }.to_string());
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.end_benchmark();
    }
}

impl Counting {
    fn now(&mut self) -> Snapshot {
        self.counters
            .snapshot()
            .unwrap_or_else(|error| panic!("the events cannot be read: {error}"))
    }
}
