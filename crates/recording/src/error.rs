//! The errors of reading a recording.

use super::file::Problem;
use std::io;

/// The reason why a recording cannot be read; the sentence does not name the file.
#[derive(Debug, thiserror::Error)]
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
    /// It has the data of a processor's tracer, and no samples.
    #[error("{0}, and it has no samples: perf inject --itrace -o FILE makes them")]
    AuxAlone(String),
}
