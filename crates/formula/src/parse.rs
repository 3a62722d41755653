//! Parses a formula in any syntax.

use crate::error::ParseError;
use crate::formula::Formula;
use crate::limits::Limits;
use crate::syntax::Syntax;
use crate::token::Language;
use crate::{infix, postfix, rpn};

impl Formula {
    /// Parses a formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let error = Formula::parse("N0 * (N1 +", Syntax::Infix).unwrap_err();
    /// assert_eq!(error.span, 10..10);
    /// assert_eq!(error.to_string(), "expected a number, a name or `(` here");
    /// ```
    ///
    /// # Errors
    /// Returns the error in the text and where it is, or the limit of the default [`Limits`] that the formula exceeds.
    pub fn parse(src: &str, syntax: Syntax) -> Result<Formula, ParseError> {
        Self::parse_with(src, syntax, &Limits::default())
    }

    /// Parses a formula no larger than `limits`.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Limits, Syntax};
    ///
    /// let mut limits = Limits::default();
    /// limits.inputs = 1;
    /// assert!(Formula::parse_with("N0 * N0", Syntax::Infix, &limits).is_ok());
    /// assert!(Formula::parse_with("N0 * N1", Syntax::Infix, &limits).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns the error in the text and where it is, or the limit that the formula exceeds.
    pub fn parse_with(src: &str, syntax: Syntax, limits: &Limits) -> Result<Formula, ParseError> {
        match syntax {
            Syntax::Infix => infix::parse(src, Language::Infix, limits),
            Syntax::PerfMetric => infix::parse(src, Language::Perf, limits),
            Syntax::PapiPostfix => postfix::parse(src, limits),
            Syntax::Rpn24x7 { rem, pow } => rpn::parse(src, rem, pow, limits),
        }
    }
}

impl core::str::FromStr for Formula {
    type Err = ParseError;

    /// Parses infix text.
    fn from_str(src: &str) -> Result<Formula, ParseError> {
        Formula::parse(src, Syntax::Infix)
    }
}
