//! Errors in a vendor's files.

use crate::debug::debug_as_sentence;
use std::fmt;
use std::ops::Range;

/// An error in a file of events, or in a map of such files.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
    /// The line, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
    /// The number of the object in its list, from 0; `None` for an error of the whole file.
    pub object: Option<usize>,
    /// The kind of error.
    pub kind: ErrorKind,
}

debug_as_sentence!(Error { span, line, column, object, kind });

impl Error {
    pub(super) fn new(
        file: &str,
        span: Range<usize>,
        object: Option<usize>,
        kind: ErrorKind,
    ) -> Error {
        let before = &file.as_bytes()[..span.start];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = span.start - start + 1;
        Error { span, line, column, object, kind }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if let Some(object) = self.object {
            write!(f, ", object {object}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for Error {}

/// A kind of error in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not JSON; the objects before the error were read.
    #[error("this is not JSON: {message}")]
    NotJson {
        /// The parser's words.
        message: String,
    },
    /// JSON of another shape.
    #[error(
        "expected a list of events, or an object with one under `Events`; metrics and other files have none"
    )]
    NoEvents,
    /// An element of the list that is not an object; it was left out.
    #[error("expected an object that describes an event")]
    NotAnObject,
    /// A member that should be a text; the event was left out.
    #[error("`{key}` takes a text or a number")]
    NotAText {
        /// The member.
        key: &'static str,
    },
    /// A member that should be a number; the event was left out.
    #[error("`{key}` takes a number, such as 0x3c")]
    NotANumber {
        /// The member.
        key: &'static str,
    },
    /// A filter that is not perf's terms; the event was left out.
    #[error("`Filter` takes terms of perf, such as filter_opc=0x182")]
    NotTerms,
    /// An event that refers to an event of its architecture that is not known; it was left out.
    #[error("the architecture has no event `{name}`")]
    NotStandard {
        /// Its name.
        name: String,
    },
    /// A line of a map whose first column is not a pattern.
    #[error("this is not a pattern of processors")]
    NotAPattern,
}
