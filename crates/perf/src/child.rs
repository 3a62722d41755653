//! The standard streams of a command, and its end.

use std::os::fd::BorrowedFd;

/// The standard streams of a command; one that is `None` is that of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streams<'a> {
    /// Its standard input.
    pub input: Option<BorrowedFd<'a>>,
    /// Its standard output.
    pub output: Option<BorrowedFd<'a>>,
    /// Its standard error.
    pub error: Option<BorrowedFd<'a>>,
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this status.
    Exited(i32),
    /// It was killed by this signal.
    Killed(i32),
}

impl Ended {
    /// The exit status as shells report it: the command's own status, or 128 plus the signal number.
    pub fn code(self) -> i32 {
        match self {
            Ended::Exited(code) => code,
            Ended::Killed(signal) => 128 + signal,
        }
    }
}
