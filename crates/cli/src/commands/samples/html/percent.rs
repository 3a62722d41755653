//! Shares in words.

/// A share with its standard error.
pub fn percent(percent: f64, error: f64) -> String {
    format!("{percent:.2} % ± {error:.2} %")
}
