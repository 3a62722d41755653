//! Values that are far from the others.

use crate::moments::median;

/// The distance from the median beyond which a value is an outlier, in standard deviations of the values without outliers.
const FAR: f64 = 3.5;
/// The standard deviation of normal values, divided by their median absolute deviation.
const NORMAL: f64 = 1.4826;
/// The fewest values whose median absolute deviation is known well enough.
const FEWEST: usize = 8;

/// The indexes of the values that are far from the others, in their order.
///
/// The distance from the median is measured in median absolute deviations, which the outliers themselves do not enlarge (Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993).
/// If more than half of the values are equal, that deviation is 0, and there are no outliers; neither are there of fewer than 8 values, of which nothing is known about the tails.
/// More than a quarter of the values are no exceptions, and are not returned; they may be one of two [`groups`](crate::groups).
///
/// ```
/// let values = [10.0, 10.2, 9.9, 10.1, 25.0, 10.0, 10.1, 9.9];
/// assert_eq!(counterpoint_compare::outliers(&values), [4]);
/// ```
pub fn outliers(values: &[f64]) -> Vec<usize> {
    let middle = median(values).unwrap_or(0.0);
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let deviation = median(&distances).unwrap_or(0.0);
    if deviation <= 0.0 || values.len() < FEWEST {
        return Vec::new();
    }
    let is_far = |value: &f64| (value - middle).abs() > FAR * NORMAL * deviation;
    let far: Vec<usize> = (0..values.len()).filter(|index| is_far(&values[*index])).collect();
    if far.len() > values.len() / 4 { Vec::new() } else { far }
}
