//! Files that results are written to.

use crate::sys;
use nix::libc;
use std::fs::{File, Metadata, OpenOptions, create_dir_all, metadata, symlink_metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Creates a file for results, or empties the one that is there; a new one has the permissions that the user's umask leaves.
///
/// In a directory that everybody may write to, such as `/tmp`, someone else may have put something there to be written through or read:
/// there a symbolic link is not followed, and what belongs to someone else, or has another name too, is not written to.
/// It is what `fs.protected_symlinks`, `fs.protected_regular` and `fs.protected_hardlinks` have the kernel do, on machines without them too.
/// In other directories links are followed.
///
/// # Errors
/// Those of `open(2)`, and `PermissionDenied` with the reason.
pub fn create(path: &Path) -> Result<File> {
    let directory = open_to_all(path)?;
    if let Some(directory) = &directory {
        check_what_is_there(path, directory)?;
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

/// Makes a directory for results with those that it lies in; one that is there has to be as for [`create`].
pub fn create_directory(path: &Path) -> Result<()> {
    create_dir_all(path)?;
    match open_to_all(path)? {
        Some(directory) => check_what_is_there(path, &directory),
        None => Ok(()),
    }
}

/// The directory that a path lies in, if everybody may write to it.
fn open_to_all(path: &Path) -> Result<Option<Metadata>> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    // A path without a name, such as `/` or `..`, is no file that anyone could have put there.
    if path.file_name().is_none() {
        return Ok(None);
    }
    let directory = metadata(parent.unwrap_or(Path::new(".")))?;
    Ok(Some(directory).filter(|directory| directory.mode() & 0o002 != 0))
}

fn check_what_is_there(path: &Path, directory: &Metadata) -> Result<()> {
    match symlink_metadata(path) {
        Ok(found) => check(&found, directory),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn check(found: &Metadata, directory: &Metadata) -> Result<()> {
    let refused = |what: &str| {
        let text = format!("{what}, in a directory that everybody may write to");
        Err(Error::new(ErrorKind::PermissionDenied, text))
    };
    if found.is_symlink() {
        refused("it is a symbolic link")
    } else if ![sys::effective_user(), directory.uid()].contains(&found.uid()) {
        refused("it belongs to another user")
    } else if found.is_file() && found.nlink() > 1 {
        refused("it has another name too")
    } else {
        Ok(())
    }
}
