//! What the error of an estimate follows from.

use counterpoint_perf::Count;

/// By how much the estimate of each part that takes turns would differ for each slice: the slice's count less what its time on the counter lets expect.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deviations {
    /// The number of a part, and a deviation for each slice.
    pub of_parts: Vec<(usize, Vec<f64>)>,
}

impl Deviations {
    /// Adds those of other slices, such as another thread's, whose first part has this number: each part has no deviation in the slices of the others.
    pub(crate) fn beside(mut self, other: Deviations, first_part: usize) -> Deviations {
        let slices = |of: &Deviations| of.of_parts.first().map_or(0, |(_, slices)| slices.len());
        let (own, others) = (slices(&self), slices(&other));
        self.of_parts.iter_mut().for_each(|(_, slices)| slices.resize(own + others, 0.0));
        let moved = |(part, slices): (usize, Vec<f64>)| {
            (first_part + part, [vec![0.0; own], slices].concat())
        };
        self.of_parts.extend(other.of_parts.into_iter().map(moved));
        self
    }
}

/// The count of a part in a slice, and for how many nanoseconds it was on a counter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    pub raw: u64,
    pub running: u64,
}

impl Slice {
    pub(crate) fn of(count: &Count) -> Slice {
        Slice { raw: count.raw, running: count.running.as_nanos() as u64 }
    }

    pub(crate) fn plus(self, other: Slice) -> Slice {
        Slice { raw: self.raw.saturating_add(other.raw), running: self.running + other.running }
    }
}

/// The deviations of the slices of a count that was on a counter for a part of the time.
///
/// Of a population that is measured in part, only the rest is uncertain; that is the root.
pub(super) fn deviations(count: &Count, slices: impl Iterator<Item = Slice>) -> Vec<f64> {
    let [enabled, running] = [count.enabled, count.running].map(|time| time.as_nanos() as f64);
    let rate = count.raw as f64 / running;
    let weight = enabled / running * (1.0 - running / enabled).sqrt();
    slices.map(|slice| weight * (slice.raw as f64 - rate * slice.running as f64)).collect()
}

/// The standard error of the sum of deviations, from the differences of successive ones.
pub(crate) fn standard_error(deviations: &[f64]) -> f64 {
    let slices = deviations.len() as f64;
    let squares = deviations.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
    (squares.sum::<f64>() * slices / (2.0 * (slices - 1.0))).sqrt()
}
