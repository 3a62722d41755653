//! Compares closures by the events that they count, in tests and in `main`, with the statistics of `stat --compare`.
//!
//! The closures take turns, after a turn that warms caches, and each turn calls them so often that it lasts some
//! milliseconds, beside which a read of the counters is short. A difference has an interval, and is one only if it is not
//! noise.
//!
//! ```
//! use counterpoint::bench::{Bench, Percentage};
//!
//! let words: Vec<String> = (0..200).map(|n| n.to_string()).collect();
//! let outcome = Bench::new("instructions|task-clock")?
//!     .event("page-faults")?
//!     .case("join", || words.join(" "))
//!     .case("concat", || words.concat())
//!     .run()?;
//! println!("{outcome}");
//! outcome.assert_no_more("page-faults", 10.0.percent());
//! # Ok::<(), counterpoint::Error>(())
//! ```

mod outcome;

pub use counterpoint_compare::{Comparison, Interval, Verdict};
pub use outcome::{Difference, Measure, Outcome, Percent, Percentage};

use crate::counting::choice::Choice;
use crate::counting::counters::Counters;
use crate::counting::target::Target;
use crate::error::Error;
use crate::event_set::EventSet;
use crate::report::benchmark::report_benchmarks;
use crate::report::rows::Row;
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Closures to be compared, and the events to count for them.
///
/// The first closure is the base of the comparison. Threads that a closure starts are counted too; those that ran before,
/// such as those of a pool, are not.
#[derive(Debug)]
pub struct Bench<'a> {
    set: EventSet,
    choices: Vec<(String, Choice)>,
    cases: Vec<Case<'a>>,
    rounds: usize,
    least: Duration,
}

/// A closure, by its name.
struct Case<'a> {
    name: String,
    work: Box<dyn FnMut() + 'a>,
}

impl fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Bench<'a> {
    /// Counts an event, definition or metric, or the first of several that can be counted: `instructions|task-clock`.
    ///
    /// # Errors
    /// Returns an error if none of them can be counted here.
    pub fn new(event: &str) -> Result<Bench<'a>, Error> {
        Bench::with(EventSet::new(Target::ThisThread)).event(event)
    }

    /// Counts by a set, which may have definitions; its target is this thread.
    pub fn with(set: EventSet) -> Bench<'a> {
        let set = set.inherit(true);
        Bench {
            set,
            choices: Vec::new(),
            cases: Vec::new(),
            rounds: 20,
            least: Duration::from_millis(2),
        }
    }

    /// Counts another event beside the others, chosen as in [`Bench::new`].
    ///
    /// # Errors
    /// Returns an error if none of the choices can be counted here.
    pub fn event(mut self, event: &str) -> Result<Bench<'a>, Error> {
        let choice = self.set.choose(event)?;
        self.set = self.set.chosen(&choice);
        self.choices.push((event.to_owned(), choice));
        Ok(self)
    }

    /// The number of turns that each closure has, 20 if not set; at least 2.
    pub fn rounds(mut self, rounds: usize) -> Bench<'a> {
        self.rounds = rounds.max(2);
        self
    }

    /// The least duration of a turn, 2 ms if not set: a short closure is called so often in each.
    pub fn turn(mut self, least: Duration) -> Bench<'a> {
        self.least = least;
        self
    }

    /// Adds a closure. What it returns is kept from the optimizer.
    pub fn case<T>(mut self, name: &str, mut work: impl FnMut() -> T + 'a) -> Bench<'a> {
        let work = Box::new(move || _ = black_box(work()));
        self.cases.push(Case { name: name.to_owned(), work });
        self
    }

    /// Runs the closures in turns. Under `cargo counterpoint bench`, it also reports the mean of each, by its name.
    ///
    /// # Errors
    /// Returns an error if the events cannot be opened or read, or the report of [`BENCH_REPORT`](crate::BENCH_REPORT) cannot be written. An event without a number is none: the outcome says why.
    pub fn run(mut self) -> Result<Outcome, Error> {
        let calls = self.calls();
        let mut counters = self.set.open()?;
        let names = self.cases.iter().map(|case| case.name.clone()).collect();
        let mut outcome = Outcome::new(self.choices, names, calls);
        // The first round warms up. Every case is as often the first of a round.
        for round in 0..=self.rounds {
            for turn in 0..self.cases.len() {
                let number = (round + turn) % self.cases.len();
                let rows = sample(&mut counters, &mut self.cases[number].work, calls)?;
                if round > 0 {
                    outcome.add(number, rows);
                }
            }
        }
        report_benchmarks(outcome.records().into_iter())?;
        Ok(outcome)
    }

    /// The calls of a turn, the same for all closures, by which the shortest of them lasts long enough.
    fn calls(&mut self) -> u64 {
        const MOST: u64 = 1 << 30;
        let mut calls = 1;
        while calls < MOST {
            let shortest = self.cases.iter_mut().map(|case| timed(&mut case.work, calls)).min();
            match shortest {
                Some(shortest) if shortest < self.least => {
                    // At most ten times as many, because the first calls are slower than the next.
                    let factor = self.least.as_secs_f64() / shortest.as_secs_f64().max(1e-9);
                    calls = (calls as f64 * factor.clamp(1.1, 10.0)).ceil() as u64;
                }
                _ => break,
            }
        }
        calls
    }
}

fn timed(work: &mut dyn FnMut(), calls: u64) -> Duration {
    let begun = Instant::now();
    (0..calls).for_each(|_| work());
    begun.elapsed()
}

/// The counts of the calls of one turn.
fn sample<'c>(
    counters: &'c mut Counters,
    work: &mut dyn FnMut(),
    calls: u64,
) -> Result<&'c [Row], Error> {
    counters.reset()?;
    (0..calls).for_each(|_| work());
    Ok(&counters.read()?.rows)
}
