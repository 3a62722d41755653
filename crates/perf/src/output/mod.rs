//! Opens files for results.

mod file;
mod lock;
mod rules;

pub use file::OutputFile;
pub use rules::create_directory;

use lock::{hold, is_at, lock};
use nix::libc;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Creates a file for results, in place of the file of this name if there is one.
///
/// A plain file is written beside its name, as `.NAME.part`, and takes the name when it is [published](OutputFile::publish).
/// If it is dropped before, it is removed, and the file that was there stays as it was.
/// A new file has the permissions that the user's umask leaves; one that replaces another has the owner and the permissions of that file.
/// Devices and pipes are written directly, and so is a file that cannot be replaced by one of the same owner; that file is truncated by the first write.
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
pub fn create(path: &Path) -> Result<OutputFile> {
    let path = &rules::followed(path)?;
    loop {
        let existing = match rules::open(path, OpenOptions::new().write(true)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return OutputFile::beside(path, None);
            }
            existing => existing?,
        };
        if !existing.metadata()?.is_file() {
            return Ok(OutputFile::direct(existing));
        }
        hold(&existing)?;
        // A process that held it may have replaced it meanwhile.
        if is_at(&existing, path) {
            return OutputFile::replacing(path, existing);
        }
    }
}

/// Creates a file without a name, in the directory for temporary files, which is gone when it is closed.
///
/// # Errors
/// Returns the errors of `open(2)` and `unlink(2)`.
pub fn temporary() -> Result<File> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = std::env::temp_dir().join(format!(".counterpoint-{}-{next}", std::process::id()));
    let file =
        OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&name)?;
    std::fs::remove_file(&name)?;
    Ok(file)
}

/// Opens a file for results that are added at its end, or creates it; the rules of [`create`] apply.
///
/// Several processes may append to a file at the same time, and none may overwrite it meanwhile.
/// The kernel puts each write at the end as a whole, so a result that is written in one call is not mixed with others.
/// A write begins a new line if the file ends within one, because a process was stopped or the disk was full.
/// An empty file first gets the heading, from one of the processes and before any result.
///
/// # Errors
/// Returns the errors of [`create`]; `WouldBlock` only if another process overwrites the file.
pub fn append(path: &Path, heading: &[u8]) -> Result<OutputFile> {
    let path = &rules::followed(path)?;
    let end = Instant::now() + PATIENCE;
    // All hold the file together, and one of them alone while it writes the heading.
    loop {
        let mut file = open_to_append(path)?;
        if !file.metadata()?.is_file() {
            return Ok(OutputFile::direct(file));
        }
        if !file::is_written(path) {
            if lock(&file, libc::LOCK_EX) && is_at(&file, path) && file.metadata()?.len() == 0 {
                file.write_all(heading)?;
            }
            if lock(&file, libc::LOCK_SH) && is_at(&file, path) {
                return Ok(OutputFile::appended(file));
            }
        }
        if Instant::now() > end {
            let text = "another process is overwriting this file";
            return Err(Error::new(ErrorKind::WouldBlock, text));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The time that a heading may take; who overwrites a file holds it for longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Its end is read, if the user may read it.
fn open_to_append(path: &Path) -> Result<File> {
    let open = |reads| rules::open(path, OpenOptions::new().append(true).create(true).read(reads));
    match open(true) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => open(false),
        file => file,
    }
}
