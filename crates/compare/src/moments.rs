//! The mean and the standard deviation.

/// The mean of the values; `None` of none.
pub fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    // The sum may be too large.
    (!values.is_empty()).then(|| values.iter().map(|value| value / count).sum())
}

/// The standard deviation of the values, of the sample (with n−1); `None` of fewer than two.
pub fn stddev(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}
