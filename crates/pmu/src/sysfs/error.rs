//! Errors in a file of sysfs, and in the terms of an event.

use crate::debug::debug_as_sentence;
use std::ops::Range;

use crate::syntax::SyntaxError;

/// A file that cannot be understood.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {kind}")]
#[non_exhaustive]
pub struct FileError {
    /// The PMU's name, the directory and the file's name.
    pub file: String,
    /// The kind of error.
    #[source]
    pub kind: FileErrorKind,
}

debug_as_sentence!(FileError { file, kind });

/// A kind of error in a file's content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// A format that is not `configN:` and bits.
    #[error("not a field such as `config:0-7,32-35`")]
    Format,
    /// An event that is not a list of terms; the span is within the trimmed content.
    #[error("not a list of terms: {0}")]
    Terms(#[source] SyntaxError),
    /// An event without a term.
    #[error("the event has no terms")]
    Empty,
    /// A scale that is not a finite number.
    #[error("not a finite number")]
    Scale,
}

/// A term that a PMU cannot take.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct TermError {
    /// Its position, by the spans of the terms passed in.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: TermErrorKind,
}

debug_as_sentence!(TermError { span, kind } help);

impl TermError {
    /// Advice on how to write it.
    pub fn help(&self) -> String {
        match &self.kind {
            TermErrorKind::UnknownTerm { similar, .. } if !similar.is_empty() => {
                format!("did you mean `{}`?", similar.join("`, `"))
            }
            TermErrorKind::UnknownTerm { known, .. } if known.is_empty() => {
                "this PMU names no fields; write `config=0x…`".to_owned()
            }
            TermErrorKind::UnknownTerm { known, .. } => {
                format!("its fields are {}", known.join(", "))
            }
            TermErrorKind::TooBig { max, .. } => format!("the largest is {max:#x}"),
            TermErrorKind::NotANumber { .. } => "write a number, decimal or after `0x`".to_owned(),
            TermErrorKind::MissingValue { name } => format!("write `{name}=` and a value"),
            TermErrorKind::Placeholder { name, event } => {
                format!("write `{event},{name}=` and a number")
            }
            TermErrorKind::SecondEvent { first } => format!("keep `{first}` or this one"),
            TermErrorKind::PeriodAndFrequency => "keep `period=` or `freq=`".to_owned(),
            TermErrorKind::Zero { name } => format!("write `{name}=1` or more"),
        }
    }
}

/// A kind of error in a term.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TermErrorKind {
    /// The PMU has no such field and no such event.
    #[error("the PMU {pmu} has neither a field nor an event `{name}`")]
    UnknownTerm {
        /// The PMU.
        pmu: String,
        /// The term's name.
        name: String,
        /// Names of the PMU that are near it, best first.
        similar: Vec<String>,
        /// Every field of the PMU.
        known: Vec<String>,
    },
    /// The value does not fit in the field.
    #[error("{value:#x} does not fit in `{name}`, whose largest value is {max:#x}")]
    TooBig {
        /// The field.
        name: String,
        /// The value that was asked for.
        value: u64,
        /// The largest that fits.
        max: u64,
    },
    /// The field takes a number.
    #[error("`{name}` takes a number")]
    NotANumber {
        /// The field.
        name: String,
    },
    /// The term means nothing without a value.
    #[error("`{name}` needs a value")]
    MissingValue {
        /// The term.
        name: String,
    },
    /// The event leaves the value of this term to the caller.
    #[error("the event {event} needs a value for `{name}`")]
    Placeholder {
        /// The event.
        event: String,
        /// The term that must be supplied.
        name: String,
    },
    /// Two named events.
    #[error("a second event; `{first}` is one already")]
    SecondEvent {
        /// The first event.
        first: String,
    },
    /// Both a period and a frequency.
    #[error("an event is sampled by period or by frequency, not by both")]
    PeriodAndFrequency,
    /// A period or frequency of 0.
    #[error("`{name}` cannot be 0")]
    Zero {
        /// The term.
        name: String,
    },
}
