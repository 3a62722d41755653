//! Counts events for each span of [tracing](tracing_core): instructions, page faults and CPU time of a request, a query or
//! a stage, wherever it is entered.
//!
//! ```
//! use counterpoint_tracing::SpanCounts;
//! use tracing_subscriber::layer::SubscriberExt;
//!
//! let counts = SpanCounts::new(&["instructions|task-clock", "page-faults"])?;
//! let subscriber = tracing_subscriber::registry().with(counts.layer());
//! tracing::subscriber::with_default(subscriber, || {
//!     let _request = tracing::info_span!("request").entered();
//!     std::hint::black_box(vec![1_u8; 1 << 20]);
//! });
//! println!("{}", counts.report());
//! assert_eq!(counts.report().total("request").unwrap().calls, 1);
//! # Ok::<(), counterpoint::Error>(())
//! ```
//!
//! Each thread that enters a span opens the events for itself, so that a span may be entered on one thread and then on
//! another, as those of futures are at each `await`. Of events with `|` between them, the first that this machine can count
//! is counted. Time spans too: the elapsed time in which they were entered is always in the report.
//!
//! A span that declares a field with the name of an event, such as `page_faults = tracing::field::Empty`, has its own
//! counts recorded there for other layers, after each exit; signs other than letters and digits are `_` in such names.

#![forbid(unsafe_code)]

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Runs the examples of the book's page as tests.
#[cfg(doctest)]
#[doc = include_str!("../spans.md")]
#[doc = include_str!("../async.md")]
pub struct Book;

mod fields;
mod layer;

pub use layer::CountingLayer;

use counterpoint::{Choice, Error, EventSet, RegionReport, Regions, Target};
use std::sync::Arc;

/// The counts of spans, by their names: they are regions of the program.
#[derive(Clone, Debug)]
pub struct SpanCounts {
    regions: Arc<Regions>,
    choices: Vec<Choice>,
    has_children: bool,
    fields: Arc<[String]>,
}

impl SpanCounts {
    /// Counts these events, definitions or metrics: of each, the first that can be counted of those with `|` between them.
    ///
    /// # Errors
    /// Returns an error if none of the choices of an event can be counted here.
    pub fn new(events: &[&str]) -> Result<SpanCounts, Error> {
        let mut set = EventSet::new(Target::ThisThread);
        let choices: Result<Vec<Choice>, Error> =
            events.iter().map(|event| set.choose(event)).collect();
        let choices = choices?;
        for choice in &choices {
            set = set.chosen(choice);
        }
        Ok(SpanCounts { choices, ..SpanCounts::with(set)? })
    }

    /// Counts the events of a set, which may have definitions; its target is this thread.
    ///
    /// # Errors
    /// Returns an error if a name is not found, or if the events cannot be opened.
    pub fn with(set: EventSet) -> Result<SpanCounts, Error> {
        let rows = &set.open()?.read()?.rows.clone();
        let events = rows.iter().map(|row| row.event.as_str()).chain(["duration_time"]);
        let fields = events.map(fields::name).collect();
        let regions = Arc::new(set.regions()?);
        Ok(SpanCounts { regions, choices: Vec::new(), has_children: true, fields })
    }

    /// Leaves out of a span what is counted in its children: each count is then that of one span.
    pub fn without_children(mut self) -> SpanCounts {
        self.has_children = false;
        self
    }

    /// The layer of a subscriber that counts. Several layers count together.
    pub fn layer(&self) -> CountingLayer {
        CountingLayer::new(self.regions.clone(), self.has_children, self.fields.clone())
    }

    /// The events that were chosen, in the order in which they were asked for.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The counts so far, of each span in all threads and in each. It prints as a table, and its
    /// [`to_json`](RegionReport::to_json) is what `counterpoint merge` reads.
    pub fn report(&self) -> RegionReport {
        self.regions.report()
    }
}
