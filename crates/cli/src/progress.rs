//! One line on a terminal that is redrawn.

use crate::show;
use std::io::{IsTerminal, Write};

/// Written over again and again, and erased before anything else is written; nothing where standard error is not a terminal.
pub struct Progress {
    shown: bool,
    width: usize,
}

impl Progress {
    /// `shown` is false where something else writes to the terminal.
    pub fn new(shown: bool) -> Progress {
        Progress { shown: shown && show::terminal().is_terminal(), width: 0 }
    }

    pub fn show(&mut self, line: &str) {
        if self.shown {
            self.width = self.width.max(line.len());
            let _ = write!(show::terminal(), "\r{line:<width$}", width = self.width);
            let _ = show::terminal().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.width > 0 {
            let _ = write!(show::terminal(), "\r{:width$}\r", "", width = self.width);
        }
    }
}
