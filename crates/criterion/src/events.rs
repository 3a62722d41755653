//! The measurement.

use crate::formatter::Unit;
use crate::table::{self, Table};
use counterpoint::records::Process;
use counterpoint::{Choice, Counters, Error, EventSet, Snapshot, Split, Target, report_benchmarks};
use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};
use std::cell::RefCell;

/// Events to measure: the first for criterion's statistics, the others in a table above its line.
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
    /// The values that criterion has printed since the benchmark ended.
    printed: Vec<f64>,
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
        let choice = chosen(&set, event, "Measured")?;
        // A metric does not add up: it is no event.
        set.availability(&choice.event)?;
        let set = set.inherit(true).chosen(&choice);
        let mut counting = Counting::open(&set)?;
        let row = &counting.counters.read()?.rows[0];
        let unit = Unit::new(&choice.event, row.unit.as_deref());
        // The time stands beside every event.
        // Criterion's files have its values, and not what they are of.
        report_benchmarks(std::iter::once(row.record(&Process::default())))?;
        let events = Events { set, unit, counting: RefCell::new(counting) };
        events.beside("duration_time")
    }

    /// Also counts an event, a definition or a metric, which a table above the line of each benchmark shows for one call; of several
    /// with `|` between them, the first that can be counted.
    ///
    /// # Errors
    /// Returns an error if none of the choices can be counted here.
    pub fn beside(mut self, event: &str) -> Result<Events, Error> {
        let choice = chosen(&self.set, event, "Beside it")?;
        self.set = self.set.chosen(&choice);
        self.counting = RefCell::new(Counting::open(&self.set)?);
        Ok(self)
    }
}

/// Chooses an event, and says which if it is not the first.
fn chosen(set: &EventSet, event: &str, word: &str) -> Result<Choice, Error> {
    let choice = set.choose(event)?;
    if !choice.passed_over.is_empty() {
        table::say(&format!("{word}: {choice}"));
    }
    Ok(choice)
}

/// Starting and ending cost one read of the counters each.
///
/// # Panics
/// Panics if the events cannot be read, or have no number because others hold the counters: criterion takes no errors.
impl Measurement for Events {
    type Intermediate = Snapshot;
    type Value = f64;

    fn start(&self) -> Snapshot {
        let mut counting = self.counting.borrow_mut();
        if !counting.printed.is_empty() {
            counting.printed.clear();
            counting.sum = counting.counters.zero();
        }
        counting.now()
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
        self
    }
}

impl ValueFormatter for Events {
    /// Criterion prints the line of a benchmark from three values, its estimate and the bounds around it: with the last,
    /// what was counted beside it is printed above that line.
    fn format_value(&self, value: f64) -> String {
        let mut counting = self.counting.borrow_mut();
        counting.printed.push(value);
        if let [_, estimate, _] = counting.printed[..] {
            let report = counting.counters.report(&counting.sum, &Split::Total);
            table::say(&Table { rows: &report.rows, estimate }.to_string());
        }
        self.unit.format_value(value)
    }

    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        self.unit.scale_values(typical, values)
    }

    fn scale_throughputs(
        &self,
        typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        self.unit.scale_throughputs(typical, throughput, values)
    }

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        self.unit.scale_for_machines(values)
    }
}

impl Counting {
    fn open(set: &EventSet) -> Result<Counting, Error> {
        let counters = set.open()?;
        let sum = counters.zero();
        Ok(Counting { counters, sum, printed: Vec::new() })
    }

    fn now(&mut self) -> Snapshot {
        self.counters
            .snapshot()
            .unwrap_or_else(|error| panic!("the events cannot be read: {error}"))
    }
}
