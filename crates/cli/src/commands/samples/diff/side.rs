//! What is compared, and how.

use super::run::Run;
use std::path::PathBuf;

/// What is compared: the base or the other.
pub struct Side {
    /// The command, or the file or files.
    pub title: String,
    /// At least one.
    pub runs: Vec<Run>,
}

/// What is compared, and what noise is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// The shares of all samples: noise is chance in taking them.
    Shares,
    /// The amounts of runs that took turns: noise is what their differences differ by.
    Rounds,
    /// The amounts of runs of each side on its own.
    Runs,
}

impl Side {
    /// The title of a side of these files.
    pub fn title(files: &[PathBuf]) -> String {
        let first = files.first().map(|path| path.to_string_lossy()).unwrap_or_default();
        match files.len() {
            0 | 1 => first.into_owned(),
            count => format!("{first} and {} more", count - 1),
        }
    }
}
