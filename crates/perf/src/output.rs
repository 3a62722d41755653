//! Opens files for results.

use crate::{Errno, sys};
use nix::libc;
use std::fs::{File, Metadata, OpenOptions, create_dir_all, metadata, symlink_metadata};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// Creates a file for results, or truncates an existing one; a new file has the permissions that the user's umask leaves.
///
/// In a world-writable directory such as `/tmp`, another user may have created the file or a link to read the results or to have another file overwritten.
/// In such a directory symbolic links are not followed, and files that belong to another user or have several hard links are not written to.
/// These are the rules of the kernel's `fs.protected_symlinks`, `fs.protected_regular` and `fs.protected_hardlinks`, applied on all machines.
/// In other directories, links are followed.
///
/// Until it is closed, a plain file is locked (`flock(2)`): a second process that would overwrite it gets an error before either result is lost.
/// On a file system without locks, nothing is locked.
///
/// # Errors
/// Returns the errors of `open(2)`, `PermissionDenied` with the reason, and `WouldBlock` if another process is writing the file.
pub fn create(path: &Path) -> Result<File> {
    let file = open(path, OpenOptions::new().write(true).create(true))?;
    if file.metadata()?.is_file() {
        if !lock(&file, libc::LOCK_EX) {
            let text = "another process is writing this file";
            return Err(Error::new(ErrorKind::WouldBlock, text));
        }
        file.set_len(0)?;
    }
    Ok(file)
}

/// Opens a file for results that are added at its end, or creates it; the rules of [`create`] apply.
///
/// Several processes may append to a file at the same time, and none may overwrite it meanwhile.
/// The kernel puts each write at the end as a whole, so a result that is written in one call is not mixed with others.
/// An empty file first gets the heading, from one of the processes and before any result.
///
/// # Errors
/// Returns the errors of [`create`]; `WouldBlock` only if another process overwrites the file.
pub fn append(path: &Path, heading: &[u8]) -> Result<File> {
    let mut file = open(path, OpenOptions::new().append(true).create(true))?;
    if !file.metadata()?.is_file() {
        return Ok(file);
    }
    let end = Instant::now() + PATIENCE;
    // All hold the file together, and one of them alone while it writes the heading.
    loop {
        if lock(&file, libc::LOCK_EX) && file.metadata()?.len() == 0 {
            file.write_all(heading)?;
        }
        if lock(&file, libc::LOCK_SH) {
            return Ok(file);
        }
        if Instant::now() > end {
            let text = "another process is overwriting this file";
            return Err(Error::new(ErrorKind::WouldBlock, text));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long a heading may take; who overwrites a file holds it for longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Locks a file without waiting, and returns whether it could be locked.
fn lock(file: &File, kind: i32) -> bool {
    // Not every file system has locks.
    sys::lock(file.as_fd(), kind | libc::LOCK_NB) != Err(Errno::EAGAIN)
}

fn open(path: &Path, options: &mut OpenOptions) -> Result<File> {
    let directory = open_to_all(path)?;
    if let Some(directory) = &directory {
        check_existing(path, directory)?;
    }
    if directory.is_some() {
        options.custom_flags(libc::O_NOFOLLOW);
    }
    let file = options.open(path)?;
    if let Some(directory) = &directory {
        check(&file.metadata()?, directory)?;
    }
    Ok(file)
}

/// Creates a directory for results, including its parents; for an existing one, the rules of [`create`] apply.
pub fn create_directory(path: &Path) -> Result<()> {
    create_dir_all(path)?;
    match open_to_all(path)? {
        Some(directory) => check_existing(path, &directory),
        None => Ok(()),
    }
}

/// The parent directory of a path, if it is world-writable.
fn open_to_all(path: &Path) -> Result<Option<Metadata>> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    // A path without a name, such as `/` or `..`, cannot be a file that another user created.
    if path.file_name().is_none() {
        return Ok(None);
    }
    let directory = metadata(parent.unwrap_or(Path::new(".")))?;
    Ok(Some(directory).filter(|directory| directory.mode() & 0o002 != 0))
}

fn check_existing(path: &Path, directory: &Metadata) -> Result<()> {
    match symlink_metadata(path) {
        Ok(found) => check(&found, directory),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn check(found: &Metadata, directory: &Metadata) -> Result<()> {
    let denied = |problem: &str| {
        let text = format!("{problem}, in a world-writable directory");
        Err(Error::new(ErrorKind::PermissionDenied, text))
    };
    if found.is_symlink() {
        denied("it is a symbolic link")
    } else if ![sys::effective_user(), directory.uid()].contains(&found.uid()) {
        denied("it belongs to another user")
    } else if found.is_file() && found.nlink() > 1 {
        denied("it has several hard links")
    } else {
        Ok(())
    }
}
