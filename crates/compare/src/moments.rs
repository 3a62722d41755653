//! The mean, the standard deviation and the median.

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

/// The median of the values; `None` of none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}
