//! Keeps a result from overwriting a file that it is made of: no file is read and written by one command.

use crate::show;
use std::collections::HashSet;
use std::fs::{File, Metadata, metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The device and the inode of a file.
type Identity = (u64, u64);

/// The plain files of a command, of which some may be read by other threads.
static FILES: Mutex<Option<Files>> = Mutex::new(None);

#[derive(Default)]
struct Files {
    read: HashSet<Identity>,
    written: HashSet<Identity>,
    /// The names of those that are new.
    created: HashSet<PathBuf>,
}

/// Notes that a file is read; an error if a result is written to it.
pub fn reads(file: &Metadata) -> Result<()> {
    if !file.is_file() {
        return Ok(());
    }
    let is_written = noted(|files| {
        files.read.insert(identity(file));
        files.written.contains(&identity(file))
    });
    if is_written || of_stream(&show::bytes_out()).is_ok_and(|out| identity(&out) == identity(file))
    {
        let text = "the result is written to this file, which is also read";
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    Ok(())
}

/// Notes that a result is written to the file of this name; an error if that file is read, or has a result already.
pub fn writes(path: &Path) -> Result<()> {
    let problem = match metadata(path) {
        Ok(file) if !file.is_file() => None,
        Ok(file) => noted(|files| {
            let is_read = files.read.contains(&identity(&file));
            let is_first = files.written.insert(identity(&file));
            let read = is_read.then_some("this file is read, and the result would overwrite it");
            read.or((!is_first).then_some(TWICE))
        }),
        Err(_) => noted(|files| (!files.created.insert(place(path))).then_some(TWICE)),
    };
    problem.map_or(Ok(()), |text| Err(Error::new(ErrorKind::InvalidInput, text)))
}

const TWICE: &str = "two results would be written to this file";

/// The name of a file that is not there, however its directory is written.
fn place(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
    parent.join(path.file_name().unwrap_or_default())
}

/// A standard stream to which a command writes, too.
pub enum Stream {
    Output,
    Error,
}

/// The standard stream that goes to the file of this name; nothing is lost in devices such as `/dev/null`.
pub fn standard_stream(path: &Path) -> Option<Stream> {
    let file = metadata(path).ok().filter(|file| !file.file_type().is_char_device())?;
    let is_same =
        |stream: Result<Metadata>| stream.is_ok_and(|stream| identity(&stream) == identity(&file));
    if is_same(of_stream(&show::bytes_out())) {
        Some(Stream::Output)
    } else {
        is_same(of_stream(&show::terminal())).then_some(Stream::Error)
    }
}

fn noted<T>(note: impl FnOnce(&mut Files) -> T) -> T {
    note(FILES.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

fn of_stream(stream: &impl AsFd) -> Result<Metadata> {
    File::from(stream.as_fd().try_clone_to_owned()?).metadata()
}

fn identity(file: &Metadata) -> Identity {
    (file.dev(), file.ino())
}
