//! Errors in profiles.

use crate::report::hint::Hint;
use crate::report::values::Reason;
use counterpoint_perf::OpenError;

/// The reason why an event cannot be profiled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProfileError {
    #[error("`{event}` cannot be profiled with 0 samples per second")]
    ZeroFrequency { event: String },
    #[error("`{event}` is profiled by software, which needs a period instead of a frequency")]
    NeedsPeriod { event: String },
    #[error("`{event}` is not computed from `{name}`")]
    NoTerm { event: String, name: String, terms: Vec<String> },
    #[error("`{event}` cannot be profiled: {error}")]
    Profile {
        event: String,
        #[source]
        error: OpenError,
    },
    #[error("`{event}` cannot be profiled: {reason}")]
    Unavailable {
        event: String,
        #[source]
        reason: Reason,
    },
    #[error("the thread that reads the samples of `{event}` cannot be started: {error}")]
    Reader {
        event: String,
        #[source]
        error: std::io::Error,
    },
}

impl ProfileError {
    /// The hint for the user; `None` if nothing can be done.
    pub(crate) fn help(&self) -> Option<Hint> {
        Some(match self {
            ProfileError::Profile { error, .. } => return error.help().map(Hint::Perf),
            ProfileError::Unavailable { reason, .. } => return reason.help(),
            ProfileError::ZeroFrequency { .. } => Hint::PositiveFrequency,
            ProfileError::NeedsPeriod { .. } => Hint::GivePeriod,
            ProfileError::NoTerm { terms, .. } if !terms.is_empty() => {
                Hint::KnownTerms(terms.clone())
            }
            ProfileError::NoTerm { .. } | ProfileError::Reader { .. } => return None,
        })
    }
}
