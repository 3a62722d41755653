//! The answer of `encode` to a string.

use counterpoint::pmu::{Encoding, PerfEncoding};
use std::ops::Range;

pub struct Answer {
    pub input: String,
    pub outcome: Outcome,
}

pub enum Outcome {
    /// A string of libpfm's, which is one event on one PMU.
    Libpfm {
        encoding: Box<Encoding>,
        /// Its full string has the same codes, which some of libpfm's have not: a filter of 0 that is printed is a filter.
        is_full_the_same: bool,
    },
    /// A list of events as `stat -e` takes it, each on each of its boxes.
    Opened(Vec<Opened>),
    Refused(Refused),
}

/// An event on a box, as the kernel is asked to open it.
pub struct Opened {
    pub pmu: String,
    /// The event as it was written.
    pub event: String,
    pub canonical: String,
    pub perf: PerfEncoding,
    /// The CPUs that it is counted on, if not on any.
    pub cpus: Option<String>,
}

/// The reason why a string has no encoding.
pub struct Refused {
    /// The word of machine formats.
    pub code: &'static str,
    pub message: String,
    /// The bytes of the input that are wrong.
    pub span: Range<usize>,
    pub help: Option<String>,
    pub similar: Vec<String>,
}

impl Answer {
    /// Returns true if the string names something that is not known.
    pub fn is_unknown(&self) -> bool {
        matches!(&self.outcome, Outcome::Refused(refused) if refused.code == "NOTFOUND")
    }

    pub fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Refused(_))
    }
}
