//! Numbers as they are written for people, everywhere in the same way.

/// A whole number with commas between thousands.
///
/// ```
/// assert_eq!(counterpoint::numbers::grouped(-1_234_567), "-1,234,567");
/// ```
pub fn grouped(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if number < 0 {
        text.push('-');
    }
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A fraction with commas between thousands and as many decimals as make about six digits worth reading.
///
/// ```
/// use counterpoint::numbers::decimal;
/// assert_eq!(decimal(1234.5), "1,234.50");
/// assert_eq!(decimal(-0.25), "-0.250000");
/// assert_eq!(decimal(1e20), "1.00000e20");
/// ```
pub fn decimal(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let size = number.abs();
    if size >= 1e15 || (size < 1e-4 && size > 0.0) {
        return format!("{number:.5e}");
    }
    let decimals = match size {
        1000.0.. => 2,
        10.0.. => 3,
        1.0.. => 4,
        _ => 6,
    };
    let text = format!("{size:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}.{fraction}", grouped(whole.parse().unwrap_or(0)))
}
