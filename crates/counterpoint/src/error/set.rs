//! Errors in the use of a set of events.

use crate::report::hint::Hint;

/// The reason why a set of events cannot do what is asked of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetError {
    #[error("there is no event before the filter `{filter}`")]
    NothingToFilter { filter: String },
    #[error("no events were named")]
    NoEvents,
    #[error("none of the events can be counted: {reasons}")]
    NoChoice { reasons: String },
    #[error("`{event}` is not an event of this set")]
    NotInSet { event: String },
    #[error(
        "regions count the thread that runs them, or its whole process, and this set has another target"
    )]
    RegionTarget,
}

impl SetError {
    /// The hint for the user; `None` if nothing can be done.
    pub(crate) fn help(&self) -> Option<Hint> {
        match self {
            SetError::NotInSet { event } => Some(Hint::AddEvent { event: event.clone() }),
            SetError::NoEvents => Some(Hint::NameEvent),
            SetError::RegionTarget => Some(Hint::CountThisThread),
            SetError::NothingToFilter { .. } | SetError::NoChoice { .. } => None,
        }
    }
}
