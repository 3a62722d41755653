use crate::moments::mean;

/// How many runs have the information of one independent run; at least 1.
///
/// The sum of autocorrelations, in pairs, up to the first pair that is not positive: Geyer's initial positive sequence.
pub(crate) fn inflation(values: &[f64]) -> f64 {
    let mean = mean(values).unwrap_or(0.0);
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let square: f64 = centred.iter().map(|value| value * value).sum();
    if square <= 0.0 {
        return 1.0;
    }
    let correlation = |lag: usize| {
        let pairs = centred.iter().zip(&centred[lag..]);
        pairs.map(|(one, two)| one * two).sum::<f64>() / square
    };
    // Estimates at long lags are of few pairs.
    let longest = values.len() / 4;
    let mut sum = 0.0;
    for lag in (1..longest).step_by(2) {
        let pair = correlation(lag) + correlation(lag + 1);
        if pair <= 0.0 {
            break;
        }
        sum += pair;
    }
    1.0 + 2.0 * sum
}
