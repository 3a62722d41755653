//! Limits on the size of a formula.

/// The maximum sizes of a formula; they bound the cost of parsing and evaluating untrusted text.
///
/// ```
/// use counterpoint_formula::{Formula, Limits, Syntax};
///
/// let mut limits = Limits::default();
/// limits.operations = 1;
/// assert!(Formula::parse_with("N0 + N1", Syntax::Infix, &limits).is_ok());
/// assert!(Formula::parse_with("N0 + N1 + N2", Syntax::Infix, &limits).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Distinct inputs: 65,535 by default.
    pub inputs: usize,
    /// Operators and functions; a shared subexpression counts each time it is used: 1,048,576 by default.
    pub operations: usize,
    /// Parentheses and operators open at the same time, or values on a postfix stack: 4,194,304 by default.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { inputs: 65_535, operations: 1 << 20, depth: 1 << 22 }
    }
}
