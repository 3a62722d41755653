//! An open file for results.

use super::lock::{hold, is_at, lock};
use super::rules;
use nix::libc;
use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions, remove_file, rename};
use std::io::{ErrorKind, Result, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt, fchown};
use std::path::{Path, PathBuf};

/// A file that [`create`](super::create) or [`append`](super::append) has opened.
#[derive(Debug)]
pub struct OutputFile {
    file: File,
    state: State,
}

#[derive(Debug, Default)]
enum State {
    /// The written bytes are in the file of that name.
    #[default]
    Direct,
    /// The first write truncates the file.
    Untouched,
    /// A write begins a new line.
    Appended,
    /// It is written beside the name that it will have; the file that it replaces is locked.
    Beside { part: PathBuf, path: PathBuf, _replaced: Option<File> },
}

impl OutputFile {
    /// Gives a file its name, in place of the file that has it; more may be written afterwards.
    ///
    /// # Errors
    /// Returns those of `rename(2)`, and those that a file system reports only when a file is closed.
    pub fn publish(&mut self) -> Result<()> {
        match &self.state {
            State::Untouched => self.file.set_len(0)?,
            State::Beside { part, path, .. } => {
                // NFS reports a full disk when any descriptor of the file is closed.
                nix::unistd::close(self.file.try_clone()?.into_raw_fd())?;
                rename(part, path)?;
            }
            State::Appended => return Ok(()),
            State::Direct => {}
        }
        self.state = State::Direct;
        Ok(())
    }

    /// Gives what was written so far the name, and begins anew beside it: what is written from now on replaces it as a whole when it is published.
    ///
    /// A file that [has its name](OutputFile::has_name) keeps it, and what is written.
    ///
    /// # Errors
    /// Returns those of [`OutputFile::publish`], and of [`create`](super::create).
    pub fn checkpoint(&mut self) -> Result<()> {
        let State::Beside { path, .. } = &self.state else { return Ok(()) };
        let path = path.clone();
        self.publish()?;
        *self = OutputFile::beside(&path, Some(self.file.try_clone()?))?;
        Ok(())
    }

    /// Returns true if the file has its name already, because it was published or is written directly.
    pub fn has_name(&self) -> bool {
        !matches!(self.state, State::Beside { .. })
    }

    /// The metadata of the file.
    ///
    /// # Errors
    /// Returns those of `fstat(2)`.
    pub fn metadata(&self) -> Result<Metadata> {
        self.file.metadata()
    }

    /// A file that is written as it is.
    pub fn direct(file: File) -> OutputFile {
        OutputFile { file, state: State::Direct }
    }

    pub(super) fn appended(file: File) -> OutputFile {
        OutputFile { file, state: State::Appended }
    }

    /// Creates the file beside its name.
    pub(super) fn beside(path: &Path, replaced: Option<File>) -> Result<OutputFile> {
        let part = part_of(path);
        let file = new(&part)?;
        let this = OutputFile {
            file: file.try_clone()?,
            state: State::Beside { part, path: path.to_path_buf(), _replaced: replaced },
        };
        if let State::Beside { _replaced: Some(replaced), .. } = &this.state {
            be_like(&file, &replaced.metadata()?)?;
        }
        Ok(this)
    }

    /// Creates the file beside an existing one, or else opens that one.
    pub(super) fn replacing(path: &Path, existing: File) -> Result<OutputFile> {
        if !rules::is_of_process(path) {
            match OutputFile::beside(path, Some(existing.try_clone()?)) {
                Err(error) if error.kind() != ErrorKind::WouldBlock => {}
                made => return made,
            }
        }
        Ok(OutputFile { file: existing, state: State::Untouched })
    }

    /// The bytes with a newline before them, if the file ends within a line.
    fn on_a_new_line(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut last = [b'\n'];
        let end = self.file.metadata().ok()?.len().checked_sub(1)?;
        self.file.read_exact_at(&mut last, end).ok()?;
        (last != [b'\n']).then(|| [b"\n", bytes].concat())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self.state {
            State::Untouched => self.publish()?,
            State::Appended => {
                if let Some(line) = self.on_a_new_line(bytes) {
                    return self.file.write(&line).map(|written| written.saturating_sub(1));
                }
            }
            State::Direct | State::Beside { .. } => {}
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.file.seek(to)
    }
}

impl AsFd for OutputFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let State::Beside { part, .. } = &self.state {
            let _ = remove_file(part);
        }
    }
}

/// Returns true if a process is writing a file of this name, beside it.
pub(super) fn is_written(path: &Path) -> bool {
    File::open(part_of(path)).is_ok_and(|part| !lock(&part, libc::LOCK_SH))
}

/// The name beside, which is hidden and no longer than a name may be.
fn part_of(path: &Path) -> PathBuf {
    const LONGEST: usize = 240;
    let name = path.file_name().unwrap_or_default().as_bytes();
    let name = &name[..name.len().min(LONGEST)];
    path.with_file_name(OsString::from_vec([b".", name, b".part"].concat()))
}

/// Creates a file that no other process is writing; what one has left is removed.
fn new(part: &Path) -> Result<File> {
    loop {
        match rules::open(part, OpenOptions::new().write(true).create_new(true)) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let left = match rules::open(part, OpenOptions::new().write(true)) {
                    // Its process has given it its name meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound => continue,
                    left => left?,
                };
                hold(&left)?;
                if is_at(&left, part) {
                    remove_file(part)?;
                }
            }
            file => {
                let file = file?;
                hold(&file)?;
                if is_at(&file, part) {
                    return Ok(file);
                }
            }
        }
    }
}

/// Gives a file the owner and the permissions of the one that it replaces.
fn be_like(file: &File, other: &Metadata) -> Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (other.uid(), other.gid()) {
        fchown(file, Some(other.uid()), Some(other.gid()))?;
    }
    file.set_permissions(other.permissions())
}
