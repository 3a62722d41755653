//! What is counted of a function, a line or a stack.
//!
//! The counts between two samples are those of everything that ran in between, and are added to the place of the later sample, as perf does it.
//! A value is that of the intervals that begin and end at the place; whether the place also ran in between is seen from twice as long intervals, which have a sample in the middle.

use super::bound::Bound;
use counterpoint::metrics::{Estimate, SampledCounts};

/// The counts of a place.
#[derive(Clone, Default)]
pub struct Tally {
    pub samples: u64,
    /// Of the intervals that end there.
    pub ended: SampledCounts,
    /// Of those that also begin there.
    pub within: SampledCounts,
    /// Pairs of intervals that begin and end there, and those of them that have the sample in between there, too.
    pairs: u64,
    held: u64,
}

/// A value of a metric.
#[derive(Clone, Copy)]
pub struct Rate {
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The number of intervals that it is of.
    pub intervals: u64,
    /// It is not known that the place ran during these intervals.
    pub is_mixed: bool,
}

/// The intervals, and the pairs of them, of which fewer say nothing.
const LEAST: u64 = 5;

impl Tally {
    /// Adds the counts of an interval that ends at this place; `before` says for the last sample, and the one before it, whether they were there as well.
    pub fn add(&mut self, counts: Option<&[u64]>, before: [bool; 2]) {
        self.samples += 1;
        if let Some(counts) = counts {
            self.ended.add(counts);
            if before[0] {
                self.within.add(counts);
            }
        }
        if before[1] {
            self.pairs += 1;
            self.held += u64::from(before[0]);
        }
    }

    /// The share of the pairs of intervals that have the sample in between there; `None` if there are too few.
    pub fn held(&self) -> Option<f64> {
        (self.pairs >= LEAST).then(|| self.held as f64 / self.pairs as f64)
    }

    /// The value of a metric at the place; `None` if too few intervals begin and end there. `is_seen` if no place can run without samples.
    pub fn rate(&self, of: &Bound<'_>, is_seen: bool) -> Option<Rate> {
        let is_mixed = !is_seen || self.held().is_none_or(|held| held < 0.9);
        if of.is_sum {
            // A part of the whole is what was counted there in all.
            return Some(Rate { is_mixed, ..self.whole(of)? });
        }
        rate(of, &self.within)
            .filter(|rate| rate.intervals >= LEAST)
            .map(|rate| Rate { is_mixed, ..rate })
    }

    /// The value of a metric over all intervals that end at the place.
    pub fn whole(&self, of: &Bound<'_>) -> Option<Rate> {
        rate(of, &self.ended)
    }

    /// Returns true if the values of a metric at all places add up to this one, that of the whole, as a number of misses does.
    pub fn is_sum(&self, of: &Bound<'_>) -> bool {
        of.needs.estimate(&self.ended, &of.inputs).is_some_and(|estimate| estimate.is_sum)
    }
}

fn rate(of: &Bound<'_>, counts: &SampledCounts) -> Option<Rate> {
    let Estimate { value, error, .. } = of.needs.estimate(counts, &of.inputs)?;
    Some(Rate { value, error, intervals: counts.intervals(), is_mixed: false })
}
