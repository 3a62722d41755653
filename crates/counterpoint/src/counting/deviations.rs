//! What the error of an estimate follows from.

use counterpoint_perf::Count;

/// By how much the estimate of each part that takes turns would differ for each slice: the slice's count less what its time on the counter lets expect.
#[derive(Clone, Debug)]
pub(crate) struct Deviations {
    /// The number of a part, and a deviation for each slice.
    pub of_parts: Vec<(usize, Vec<f64>)>,
}

/// The count of a part in a slice, and for how many nanoseconds it was on a counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub raw: u64,
    pub running: u64,
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
