//! Errors in a file of descriptions.

use std::ops::Range;

/// An error in a file of descriptions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct DescriptionError {
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: DescriptionErrorKind,
}

/// A kind of error in a file of descriptions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionErrorKind {
    /// The text is not JSON; the part before the error was read.
    #[error("expected {wanted}")]
    NotJson {
        /// The text that was expected.
        wanted: &'static str,
    },
    /// JSON without a list of events.
    #[error("the file has no list of events")]
    NoEvents,
    /// A member that should be a number; the event was read without it.
    #[error("`{key}` takes a number")]
    NotANumber {
        /// The member.
        key: String,
    },
    /// An event that refers to an event of its architecture that is not known.
    #[error("the architecture has no event `{name}`")]
    NotStandard {
        /// Its name.
        name: String,
    },
    /// A line of a map whose first column is not a pattern.
    #[error("this is not a pattern of processors")]
    NotAPattern,
}
