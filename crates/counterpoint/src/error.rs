mod from;
mod papi;
pub(crate) mod profile;
pub(crate) mod set;

use crate::counting::error::CountError;
use crate::names::error::NameError;
use crate::report::hint::Hint;
use crate::report::values::Reason;
use counterpoint_formula::{EvalError, ParseError};
use counterpoint_perf::{Cause, OpenError};
use counterpoint_pmu::EncodeError;
use counterpoint_pmu::syntax::SyntaxError;
use counterpoint_pmu::sysfs::{self, TermError};
use profile::ProfileError;
use set::SetError;
use std::fmt;
use std::ops::Range;

/// The reason why events cannot be counted.
///
/// `Display` is a sentence without its end, [`Error::help`] what can be done about it, and [`Error::span`] the position of the mistake in the list of events.
pub struct Error {
    kind: Box<Kind>,
    span: Option<Range<usize>>,
}

/// The sentence and its help, as a `main` that returns the error prints them; `{:#?}` has the fields.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("Error")
                .field("kind", &self.kind)
                .field("span", &self.span)
                .finish();
        }
        match self.help() {
            Some(help) => write!(f, "{self}\n  help: {help}"),
            None => fmt::Display::fmt(self, f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error(transparent)]
    Name(NameError),
    #[error(transparent)]
    Count(CountError),
    #[error(transparent)]
    Profile(ProfileError),
    #[error(transparent)]
    Set(SetError),
    #[error("{0}")]
    Syntax(#[source] SyntaxError),
    #[error("{0}")]
    Term(#[source] TermError),
    #[error("{0}")]
    Encode(#[source] EncodeError),
    #[error("{0}")]
    Open(#[source] OpenError),
    #[error("{0}")]
    Formula(#[source] ParseError),
    #[error("{0}")]
    Eval(#[source] EvalError),
    #[error("{0}")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    fn new(kind: Kind) -> Error {
        Error { kind: Box::new(kind), span: None }
    }

    pub(crate) fn at(mut self, span: Range<usize>) -> Error {
        self.span.get_or_insert(span);
        self
    }

    /// The error of a libpfm string that begins at `start` in the list of events.
    pub(crate) fn encode(error: EncodeError, start: usize) -> Error {
        let span = start + error.span.start..start + error.span.end;
        Error::new(Kind::Encode(error)).at(span)
    }

    /// The position of the mistake in the list of events or in the formula, in bytes.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Returns true if a name was not found.
    pub fn is_unknown_event(&self) -> bool {
        match &*self.kind {
            Kind::Name(error) => error.is_unknown(),
            Kind::Encode(error) => error.code() == "NOTFOUND",
            _ => false,
        }
    }

    /// Returns true if a PMU was not found that Linux shows on other machines.
    pub(crate) fn is_pmu_of_others(&self) -> bool {
        let name = match &*self.kind {
            Kind::Name(NameError::UnknownPmu { name, .. }) => name,
            _ => return false,
        };
        sysfs::is_of_linux(name)
    }

    /// Returns true if the text is not one of perf's syntax, so that it means nothing on any machine.
    pub fn is_syntax(&self) -> bool {
        matches!(*self.kind, Kind::Syntax(_) | Kind::Formula(_))
    }

    /// The reason why an event has no number; `None` for other errors.
    fn reason(&self) -> Option<&Reason> {
        match &*self.kind {
            Kind::Count(CountError::Uncountable { reason, .. })
            | Kind::Profile(ProfileError::Unavailable { reason, .. }) => Some(reason.root()),
            _ => None,
        }
    }

    /// The open error; `None` for other errors.
    pub(crate) fn open_error(&self) -> Option<&OpenError> {
        match (&*self.kind, self.reason()) {
            (Kind::Open(error) | Kind::Profile(ProfileError::Profile { error, .. }), _)
            | (_, Some(Reason::NotOpened(error))) => Some(error),
            _ => None,
        }
    }

    /// Returns true if more privileges would help.
    pub fn is_permission(&self) -> bool {
        self.reason().is_some_and(|reason| *reason == Reason::KernelOnly)
            || self.open_error().is_some_and(OpenError::is_permission)
    }

    /// Returns true if this machine cannot count the event for any user.
    pub fn is_unsupported(&self) -> bool {
        self.open_error().is_some_and(OpenError::is_unsupported)
    }

    /// Returns true if a higher limit of open files would help; the message includes the number that is needed.
    pub fn is_open_file_limit(&self) -> bool {
        matches!(self.reason(), Some(Reason::TooManyOpenFiles { .. }))
            || self.open_error().is_some_and(|e| matches!(e.cause, Cause::TooManyOpenFiles { .. }))
    }

    /// libpfm's name for this kind of error, without `PFM_ERR_`, such as `NOTFOUND` or `ATTR`; `INVAL` if it has none.
    pub fn code(&self) -> &'static str {
        match &*self.kind {
            Kind::Encode(error) => error.code(),
            _ if self.is_unknown_event() => "NOTFOUND",
            _ => "INVAL",
        }
    }

    /// Names similar to the one that was not found, best first.
    pub fn similar(&self) -> Vec<String> {
        match &*self.kind {
            Kind::Encode(error) => error.similar().into_iter().map(str::to_string).collect(),
            Kind::Name(error) => error.similar().to_vec(),
            _ => Vec::new(),
        }
    }

    /// The hint for the user; `None` if nothing can be done.
    pub fn help(&self) -> Option<Hint> {
        match &*self.kind {
            Kind::Name(error) => error.help(),
            Kind::Count(error) => error.help(),
            Kind::Profile(error) => error.help(),
            Kind::Set(error) => error.help(),
            Kind::Syntax(error) => Hint::text(error.help()),
            Kind::Term(error) => Hint::text(error.help()),
            Kind::Encode(error) => Hint::text(error.help()),
            Kind::Open(error) => error.help().map(Hint::Perf),
            Kind::Formula(_) | Kind::Eval(_) | Kind::Other(_) => None,
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
    }
}
