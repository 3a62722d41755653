//! Creates files for results.

use crate::sys;
use nix::libc;
use std::fs::{File, Metadata, OpenOptions, create_dir_all, metadata, symlink_metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Creates a file for results, or truncates an existing one; a new file has the permissions that the user's umask leaves.
///
/// In a world-writable directory such as `/tmp`, another user may have created the file or a link to read the results or to have another file overwritten.
/// In such a directory symbolic links are not followed, and files that belong to another user or have several hard links are not written to.
/// These are the rules of the kernel's `fs.protected_symlinks`, `fs.protected_regular` and `fs.protected_hardlinks`, applied on all machines.
/// In other directories, links are followed.
///
/// # Errors
/// Returns the errors of `open(2)`, and `PermissionDenied` with the reason.
pub fn create(path: &Path) -> Result<File> {
    let directory = open_to_all(path)?;
    if let Some(directory) = &directory {
        check_existing(path, directory)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    if directory.is_some() {
        options.custom_flags(libc::O_NOFOLLOW);
    }
    let file = options.open(path)?;
    let found = file.metadata()?;
    if let Some(directory) = &directory {
        check(&found, directory)?;
    }
    if found.is_file() {
        file.set_len(0)?;
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
