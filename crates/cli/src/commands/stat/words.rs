//! The command line.

use std::ffi::OsString;

/// The words after `stat` on the command line.
pub fn words() -> Vec<OsString> {
    std::env::args_os().skip(2).collect()
}
