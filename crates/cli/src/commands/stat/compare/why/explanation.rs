//! What explains a difference in time.

use crate::commands::samples::diff;
use counterpoint_compare::{Interval, Verdict};

/// What explains the difference.
pub struct Why {
    /// The mean elapsed time of the base, in seconds.
    pub base: f64,
    pub parts: Vec<Part>,
    /// The CPU time, and the time of waiting, by function; empty if nothing could be profiled.
    pub tables: Vec<diff::Table>,
    pub sides: Option<[diff::Side; 2]>,
    /// Sentences about what was not measured.
    pub notes: Vec<String>,
    pub exit_code: u8,
}

/// A part of the time of a run that was compared.
pub struct Part {
    pub kind: Kind,
    pub name: String,
    /// The file that contains the function, if it is one.
    pub module: Option<String>,
    /// What B takes more than A, in seconds a run.
    pub difference: Interval,
    pub verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What threads do: to run in the program or in the kernel, or not to run.
    State,
    /// What the slots of the processor do, by the metrics of top-down analysis.
    Slots,
    /// CPU time of a function.
    Function,
    /// Waiting in a function.
    Waiting,
}

impl Why {
    /// Percent of the elapsed time of the base.
    pub fn points(&self, seconds: f64) -> f64 {
        100.0 * seconds / self.base
    }
}
