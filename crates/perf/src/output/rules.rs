//! The rules that protect results from other users.

use crate::sys;
use nix::libc;
use std::fs::{File, Metadata, OpenOptions, create_dir_all, metadata, read_link, symlink_metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The most links that lead to one another, as in the kernel.
const MOST_LINKS: usize = 40;

/// Creates a directory for results, including its parents; for an existing one, the rules of [`create`](super::create) apply.
pub fn create_directory(path: &Path) -> Result<()> {
    check_way(path)?;
    create_dir_all(path)?;
    match open_to_all(path)? {
        Some(directory) => check_existing(path, &directory),
        None => Ok(()),
    }
}

/// Opens a file of this name, and nothing that another user put there.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> Result<File> {
    check_way(path)?;
    let directory = open_to_all(path)?;
    if let Some(directory) = &directory {
        check_existing(path, directory)?;
        options.custom_flags(libc::O_NOFOLLOW);
    }
    let file = options.open(path)?;
    if let Some(directory) = &directory {
        check(&file.metadata()?, directory)?;
    }
    Ok(file)
}

/// The name of the file to which symbolic links lead, where they are followed.
pub(super) fn followed(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if let Some(directory) = open_to_all(&path)? {
            check_existing(&path, &directory)?;
        }
        match read_link(&path) {
            Ok(target) if !is_of_process(&path) => {
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            _ => return Ok(path),
        }
    }
    Err(Error::from_raw_os_error(libc::ELOOP))
}

/// Returns true if a name is that of an open file of a process, such as `/proc/self/fd/1`, to which `/dev/stdout` leads.
pub(super) fn is_of_process(path: &Path) -> bool {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    parent.is_some_and(|parent| parent.starts_with("/proc"))
}

/// The parent directory of a path, if it is world-writable.
fn open_to_all(path: &Path) -> Result<Option<Metadata>> {
    // A path without a name, such as `/` or `..`, cannot be a file that another user created.
    if path.file_name().is_none() {
        return Ok(None);
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = metadata(parent.unwrap_or(Path::new(".")))?;
    Ok(Some(directory).filter(|directory| directory.mode() & 0o002 != 0))
}

/// Checks the directories on the way: none is a link that another user put into a world-writable directory.
fn check_way(path: &Path) -> Result<()> {
    for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        let Ok(found) = symlink_metadata(above) else { continue };
        if !found.is_symlink() {
            continue;
        }
        if let Some(directory) = open_to_all(above)?
            && !is_trusted(&found, &directory)
        {
            let text = format!("{} is a symbolic link of another user", above.display());
            return Err(denied(&text));
        }
    }
    Ok(())
}

fn check_existing(path: &Path, directory: &Metadata) -> Result<()> {
    match symlink_metadata(path) {
        Ok(found) => check(&found, directory),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn check(found: &Metadata, directory: &Metadata) -> Result<()> {
    if found.is_symlink() {
        Err(denied("it is a symbolic link"))
    } else if !is_trusted(found, directory) {
        Err(denied("it belongs to another user"))
    } else if found.is_file() && found.nlink() > 1 {
        Err(denied("it has several hard links"))
    } else {
        Ok(())
    }
}

fn is_trusted(found: &Metadata, directory: &Metadata) -> bool {
    [sys::effective_user(), directory.uid()].contains(&found.uid())
}

fn denied(problem: &str) -> Error {
    Error::new(ErrorKind::PermissionDenied, format!("{problem}, in a world-writable directory"))
}
