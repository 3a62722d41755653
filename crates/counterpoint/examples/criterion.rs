//! Measures benchmarks by any event instead of time: a `Measurement` for criterion.
//!
//! ```sh
//! EVENT=page-faults:u cargo run --release -p counterpoint --example criterion
//! ```
//!
//! On a machine with counters, `EVENT=instructions:u` gives numbers that other load on the machine does not disturb.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot count has no result")]

use counterpoint::{Counters, EventSet, Snapshot, Split, Target};
use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{Criterion, Throughput};
use std::cell::RefCell;
use std::hint::black_box;

/// The count of one event while a benchmark runs.
struct Event(RefCell<Counters>, Count);

impl Event {
    fn new(event: &str) -> Result<Event, counterpoint::Error> {
        let counters = EventSet::new(Target::ThisThread).event(event).open_all()?;
        Ok(Event(RefCell::new(counters), Count(event.to_string())))
    }
}

impl Measurement for Event {
    type Intermediate = Snapshot;
    type Value = f64;

    fn start(&self) -> Snapshot {
        self.0.borrow_mut().snapshot().unwrap()
    }

    fn end(&self, start: Snapshot) -> f64 {
        let mut counters = self.0.borrow_mut();
        let snapshot = counters.snapshot().unwrap().since(&start);
        // Nothing ran between two snapshots that are this close, so nothing happened either.
        counters.report(&snapshot, &Split::Total).rows[0].value.as_f64().unwrap_or(0.0)
    }

    fn add(&self, one: &f64, two: &f64) -> f64 {
        one + two
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &self.1
    }
}

/// Formats values as counts of the event.
struct Count(String);

impl ValueFormatter for Count {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "events"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        "events per element"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "events"
    }

    fn format_value(&self, value: f64) -> String {
        format!("{value:.2} {}", self.0)
    }
}

fn main() {
    let event = std::env::var("EVENT").unwrap_or_else(|_| "task-clock:u".to_string());
    let measurement = Event::new(&event).unwrap();
    let mut criterion = Criterion::default()
        .with_measurement(measurement)
        .without_plots()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(50))
        .measurement_time(std::time::Duration::from_millis(100));
    criterion.bench_function("touch a megabyte", |bencher| {
        bencher.iter(|| black_box(vec![1_u8; 1 << 20]));
    });
}
