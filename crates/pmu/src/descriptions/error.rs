//! What can be wrong with a file of descriptions.

use std::ops::Range;

/// Where a file of descriptions is wrong, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct DescriptionError {
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub kind: DescriptionErrorKind,
}

/// What is wrong with a file of descriptions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionErrorKind {
    /// The text is no JSON; what stood before was read.
    #[error("expected {wanted}")]
    NotJson {
        /// What should stand there.
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
    /// An event that says to be one of its architecture's, which are not known.
    #[error("the architecture has no event `{name}`")]
    NotStandard {
        /// Its name.
        name: String,
    },
    /// A line of a map whose first column is no pattern.
    #[error("this is no pattern of processors")]
    NotAPattern,
}
