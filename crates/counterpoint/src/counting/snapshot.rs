use super::deviations::Deviations;
use super::open::Part;
use crate::sources::source::{Measure, Reading, add, subtract};
use counterpoint_perf::Count;
use std::sync::Arc;

/// A snapshot of all counters of a [`Counters`](crate::Counters), or the difference of two.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(crate) counts: Vec<Count>,
    /// The part of each count.
    pub(crate) parts: Arc<[Part]>,
    /// The parts whose pinned event has lost its counter, and thereby its count.
    pub(crate) lost: Vec<usize>,
    /// The count of each source.
    pub(crate) readings: Vec<Reading>,
    /// What the errors of estimates follow from, if the counts are those of [`Slices`](crate::Slices).
    pub(crate) deviations: Option<Arc<Deviations>>,
}

impl Snapshot {
    /// The counts since `earlier`, a snapshot of the same counters; a state at the time of reading is kept as it is.
    pub fn since(&self, earlier: &Snapshot) -> Snapshot {
        let mut difference = self.clone();
        difference.subtract(earlier);
        difference
    }

    /// Adds the counts of another snapshot of the same counters, such as the difference of two; a state at the time of reading is replaced.
    pub fn add(&mut self, other: &Snapshot) {
        self.deviations = None;
        let pairs = self.counts.iter_mut().zip(&other.counts).zip(self.parts.iter());
        for ((sum, count), part) in pairs {
            *sum = plus(sum, count, part.snapshot);
        }
        for (sum, added) in self.readings.iter_mut().zip(&other.readings) {
            add(sum, added);
        }
        self.lost.extend(&other.lost);
        self.lost.sort_unstable();
        self.lost.dedup();
    }

    /// A snapshot of zeros for these parts, and for a number of sources.
    pub(crate) fn zero(parts: Arc<[Part]>, sources: usize) -> Snapshot {
        let (counts, lost) = (vec![Count::default(); parts.len()], Vec::new());
        let readings = vec![Ok(Measure::count(0)); sources];
        Snapshot { counts, parts, lost, readings, deviations: None }
    }

    /// [`Snapshot::since`] in place.
    pub(crate) fn subtract(&mut self, earlier: &Snapshot) {
        self.deviations = None;
        let pairs = self.counts.iter_mut().zip(&earlier.counts).zip(self.parts.iter());
        for ((now, then), part) in pairs {
            *now = since(now, then, part.snapshot);
        }
        for (now, then) in self.readings.iter_mut().zip(&earlier.readings) {
            subtract(now, then);
        }
    }
}

/// The count since an earlier one of the same part; a state at the time of reading is kept as it is.
pub(crate) fn since(now: &Count, then: &Count, snapshot: bool) -> Count {
    let since = now.since(then);
    if snapshot { Count { raw: now.raw, ..since } } else { since }
}

/// The sum of a count and a later one of the same part; a state at the time of reading is replaced.
pub(crate) fn plus(sum: &Count, count: &Count, snapshot: bool) -> Count {
    let added = sum.plus(count);
    if snapshot { Count { raw: count.raw, ..added } } else { added }
}
