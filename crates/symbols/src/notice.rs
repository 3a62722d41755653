//! Messages that are worth saying to a person while files are read.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Something that takes long, or is left out, while files are read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The servers of `DEBUGINFOD_URLS` are asked for the debug file of this program or library.
    Asking(PathBuf),
    /// The servers did not answer in this time and are not asked again.
    NoAnswer(Duration),
    /// The program `debuginfod-find`, which asks the servers, is not installed, so that this file stays without symbols.
    NotInstalled(PathBuf),
    /// The program `debuginfod-find` cannot be run, so that this file stays without symbols.
    CannotRun(PathBuf),
    /// The compressed debug information of a file would take so many bytes, and is not read.
    Inflated(PathBuf, u64),
    /// The map of a run-time compiler is longer than so many bytes, and the rest of it is not read.
    LongMap(PathBuf, u64),
}

/// Called with each notice, when it is known.
pub type Notify = fn(&Notice);

/// Says nothing.
pub(crate) fn silent(_: &Notice) {}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Asking(whose) => {
                write!(f, "asking DEBUGINFOD_URLS for the symbols of {}", whose.display())
            }
            Notice::NoAnswer(limit) => {
                let seconds = limit.as_secs();
                write!(f, "no answer within {seconds} s: DEBUGINFOD_URLS is not asked again")
            }
            Notice::NotInstalled(whose) => {
                let whose = whose.display();
                write!(
                    f,
                    "DEBUGINFOD_URLS is set, but debuginfod-find is not installed (packages call it debuginfod or elfutils): {whose} stays without symbols"
                )
            }
            Notice::CannotRun(whose) => {
                let whose = whose.display();
                write!(
                    f,
                    "DEBUGINFOD_URLS is set, but debuginfod-find cannot be run: {whose} stays without symbols"
                )
            }
            Notice::Inflated(path, bytes) => {
                let (path, mebibytes) = (path.display(), bytes >> 20);
                write!(
                    f,
                    "{path}: its compressed debug information has {mebibytes} MiB, and is not read: its lines are not known"
                )
            }
            Notice::LongMap(path, most) => {
                let (path, most) = (path.display(), most >> 20);
                write!(f, "{path} is longer than {most} MiB: the rest of its names is not read")
            }
        }
    }
}
