//! The number of independent runs that have as much to say as runs that resemble each other.

use crate::moments::mean;

/// The number of runs that have the information of one independent run; at least 1.
///
/// Twice the sum of the autocorrelations in pairs of lags, (0, 1), (2, 3), …, up to the first pair that is not positive, less 1: Geyer's initial positive sequence.
pub(crate) fn inflation(values: &[f64]) -> f64 {
    let mean = mean(values).unwrap_or(0.0);
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let square: f64 = centred.iter().map(|value| value * value).sum();
    // Equal values differ from their mean by its rounding, which is the same for all.
    let rounding = 8.0 * f64::EPSILON * mean;
    if square <= values.len() as f64 * rounding.powi(2) {
        return 1.0;
    }
    let correlation = |lag: usize| {
        let pairs = centred.iter().zip(&centred[lag..]);
        pairs.map(|(one, two)| one * two).sum::<f64>() / square
    };
    // Estimates at long lags are of few pairs of runs.
    let longest = values.len() / 4;
    let pairs = (0..longest).step_by(2).map(|lag| correlation(lag) + correlation(lag + 1));
    let sum: f64 = pairs.take_while(|pair| *pair > 0.0).sum();
    (2.0 * sum - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::inflation;

    #[test]
    fn equal_values_are_independent_runs() {
        for value in [0.0, 0.1, 200.0, 1e9 / 3.0] {
            for runs in 2..40 {
                assert_eq!(inflation(&vec![value; runs]), 1.0, "{runs} times {value}");
            }
        }
        assert!(inflation(&[1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7]) > 1.0);
    }
}
