//! Locks of files: one process writes a file, and knows that it is still the one of its name.

use crate::{Errno, sys};
use nix::libc;
use std::fs::{File, metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Locks a file for one process, without waiting.
pub(super) fn hold(file: &File) -> Result<()> {
    if lock(file, libc::LOCK_EX) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::WouldBlock, "another process is writing this file"))
}

/// Locks a file without waiting, and returns whether it could be locked.
pub(super) fn lock(file: &File, kind: i32) -> bool {
    // Not every file system has locks.
    sys::lock(file.as_fd(), kind | libc::LOCK_NB) != Err(Errno::EAGAIN)
}

/// Returns true if an open file is still the one of this name.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    let identity = |of: Result<std::fs::Metadata>| of.map(|of| (of.dev(), of.ino())).ok();
    identity(file.metadata()) == identity(metadata(path))
}
