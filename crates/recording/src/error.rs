//! The errors of reading a recording.

use super::file::Problem;
use std::{fmt, io};

/// The reason why a recording cannot be read; the sentence does not name the file.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no recording, or its header is damaged.
    #[error("{0}")]
    File(Problem),
    /// Its records cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a directory, as `perf record --threads` makes it.
    #[error("this is a directory, as perf record --threads makes it")]
    Directory,
    /// It has no event of this name.
    #[error("it has no event `{name}`, but `{}`", events.join("`, `"))]
    NoSuchEvent {
        /// The name that was asked for.
        name: String,
        /// The names of its events.
        events: Vec<String>,
    },
    /// Its samples cannot be told apart.
    #[error("the samples of its events differ and do not say which event they are of")]
    UnlikeSamples,
    /// An event of it was sampled in another manner than in the recordings that were read before.
    #[error(
        "`{event}` was sampled {here}, and {before} in the recordings before it: their samples cannot be added up"
    )]
    OtherManner {
        /// The name of the event.
        event: String,
        /// How it was sampled.
        here: String,
        /// How it was sampled in the recordings before.
        before: String,
    },
    /// It has the data of a processor's tracer, and no samples.
    #[error("{0}, and it has no samples: perf inject --itrace -o FILE makes them")]
    AuxAlone(String),
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the variant with its fields.
impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        match self {
            ReadError::File(problem) => f.debug_tuple("File").field(problem).finish(),
            ReadError::Io(error) => f.debug_tuple("Io").field(error).finish(),
            ReadError::Directory => f.write_str("Directory"),
            ReadError::NoSuchEvent { name, events } => {
                f.debug_struct("NoSuchEvent").field("name", name).field("events", events).finish()
            }
            ReadError::OtherManner { event, here, before } => {
                let mut shown = f.debug_struct("OtherManner");
                shown.field("event", event).field("here", here).field("before", before).finish()
            }
            ReadError::UnlikeSamples => f.write_str("UnlikeSamples"),
            ReadError::AuxAlone(what) => f.debug_tuple("AuxAlone").field(what).finish(),
        }
    }
}
