use super::clock::Times;
use super::open::Part;
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
    /// The times for which the events counted, if a metric needs them.
    pub(crate) times: Times,
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
        let pairs = self.counts.iter_mut().zip(&other.counts).zip(self.parts.iter());
        for ((sum, count), part) in pairs {
            let added = sum.plus(count);
            *sum = if part.snapshot { Count { raw: count.raw, ..added } } else { added };
        }
        self.times = self.times.plus(&other.times);
        self.lost.extend(&other.lost);
        self.lost.sort_unstable();
        self.lost.dedup();
    }

    /// A snapshot of zeros.
    pub(crate) fn zero(parts: Arc<[Part]>) -> Snapshot {
        let (counts, lost) = (vec![Count::default(); parts.len()], Vec::new());
        Snapshot { counts, parts, lost, times: Times::default() }
    }

    /// [`Snapshot::since`] in place.
    pub(crate) fn subtract(&mut self, earlier: &Snapshot) {
        let pairs = self.counts.iter_mut().zip(&earlier.counts).zip(self.parts.iter());
        for ((now, then), part) in pairs {
            *now = since(now, then, part.snapshot);
        }
        self.times = self.times.since(&earlier.times);
    }
}

fn since(now: &Count, then: &Count, snapshot: bool) -> Count {
    let since = now.since(then);
    if snapshot { Count { raw: now.raw, ..since } } else { since }
}
