//! Values with two peaks, such as those of a program that waits for a CPU in every other run.

use crate::moments::mean;

/// The fewest values that can be said to have two peaks.
const FEWEST: usize = 8;
/// The least distance of the means of two groups, in standard deviations inside of the groups, of many values.
const FAR: f64 = 4.0;
/// This divided by the number of values is added to the distance: few values have gaps by chance.
const FEW: f64 = 40.0;
/// The least gap between the groups, in the same unit.
const GAP: f64 = 2.0;

/// One of two groups of values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// The number of its values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
}

/// The two groups of the values, the lower one first; `None` if they do not have two peaks.
///
/// The groups are those whose values differ least from the means of their groups. Each has a quarter of the values at least; less are [`outliers`](crate::outliers).
/// Of values with one peak, normal or with a long tail, up to 2 in 100 samples of 8 values seem to have two, and fewer than 1 of 20 values.
///
/// ```
/// let values = [2.0, 2.1, 6.1, 1.9, 6.0, 2.0, 5.9, 6.0, 2.1, 1.9];
/// let [low, high] = counterpoint_compare::groups(&values).unwrap();
/// assert_eq!((low.count, high.count), (6, 4));
/// assert_eq!((low.mean, high.mean), (2.0, 6.0));
/// ```
pub fn groups(values: &[f64]) -> Option<[Group; 2]> {
    let count = values.len();
    if count < FEWEST || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let least = count.div_ceil(4);
    let middle = mean(&sorted)?;
    let mut sum = 0.0;
    // Of differences from the mean: the sum of those above is that of those below, and so is enough.
    let sums: Vec<f64> = sorted
        .iter()
        .map(|value| {
            sum += value - middle;
            sum
        })
        .collect();
    let between = |at: usize| sums[at - 1].powi(2) * count as f64 / (at * (count - at)) as f64;
    let at = (least..=count - least).max_by(|a, b| between(*a).total_cmp(&between(*b)))?;
    let group = |values: &[f64]| Some(Group { count: values.len(), mean: mean(values)? });
    let [low, high] = [group(&sorted[..at])?, group(&sorted[at..])?];
    let squares = squares(&sorted[..at]) + squares(&sorted[at..]);
    let deviation = (squares / (count - 2) as f64).sqrt();
    let distance = FAR + FEW / count as f64;
    let is_far = high.mean - low.mean > distance * deviation;
    let has_gap = sorted[at] - sorted[at - 1] > GAP * deviation;
    (is_far && has_gap).then_some([low, high])
}

/// The sum of the squares of the differences from the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = mean(values).unwrap_or(0.0);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}
