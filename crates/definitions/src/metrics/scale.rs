//! The unit of a metric, with the factor before it.

/// Splits a unit such as `100%` or `1e-9GHz` into the factor of the value and the unit; `None` if the factor is not a number.
///
/// A text without a factor is a unit alone, with the factor 1. The text is what perf calls `ScaleUnit`.
///
/// ```
/// use counterpoint_definitions::metrics::scale;
///
/// assert_eq!(scale("9.765625e-4KB"), Some((9.765625e-4, "KB")));
/// assert_eq!(scale("1per_instr"), Some((1.0, "per_instr")));
/// assert_eq!(scale("GHz"), Some((1.0, "GHz")));
/// assert_eq!(scale("1.2.3 x"), None);
/// ```
pub fn scale(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count()
    };
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let mut end = sign + digits(sign);
    if end == sign {
        return Some((1.0, text));
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    let factor: f64 = text[..end].parse().ok()?;
    factor.is_finite().then(|| (factor, text[end..].trim_start()))
}
