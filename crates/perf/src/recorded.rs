//! The files of a recorded machine.

use crate::{Cpuid, Files};
use std::collections::BTreeMap;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// The maximum size of the files of a recording together, in bytes.
pub(crate) const MAX_BYTES: u64 = 256 << 20;
/// The maximum number of names in one directory of a recording; a large machine has some ten thousand 24x7 events.
const MAX_NAMES: usize = 1 << 15;

/// The files of a recorded machine, which are below a directory.
pub(crate) struct RecordedFiles {
    directory: PathBuf,
    /// The recorded leaves of `CPUID`; none at first.
    pub(crate) cpuid: BTreeMap<u32, Cpuid>,
}

impl RecordedFiles {
    /// The files below `directory`; an error if it is not a directory.
    pub(crate) fn below(directory: &Path) -> io::Result<RecordedFiles> {
        if !directory.is_dir() {
            let problem = "not a directory with a recorded machine";
            return Err(error_at(directory, io::ErrorKind::NotFound, problem));
        }
        Ok(RecordedFiles { directory: directory.to_path_buf(), cpuid: BTreeMap::new() })
    }

    /// The path of a file in the recording; a path that leads out of the recording does not exist.
    fn path(&self, path: &Path) -> io::Result<PathBuf> {
        let relative = path.strip_prefix("/").map_err(|_| io::ErrorKind::NotFound)?;
        let is_inside = relative.components().all(|c| matches!(c, Component::Normal(_)));
        if is_inside {
            Ok(self.directory.join(relative))
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }
}

impl Files for RecordedFiles {
    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        read(&self.path(path)?)
    }

    fn directory(&self, path: &Path) -> io::Result<Vec<String>> {
        let path = self.path(path)?;
        let name =
            |entry: io::Result<DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        let names: Vec<String> =
            fs::read_dir(&path)?.map(name).take(MAX_NAMES + 1).collect::<io::Result<_>>()?;
        if names.len() > MAX_NAMES {
            let problem = format!("more than {MAX_NAMES} names, the maximum for a directory");
            return Err(error_at(&path, io::ErrorKind::InvalidData, problem));
        }
        Ok(names)
    }

    /// Fails: a directory is opened to count, which a recorded machine cannot.
    fn open_directory(&self, _: &Path) -> io::Result<OwnedFd> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn cpuid(&self, leaf: u32) -> Option<Cpuid> {
        self.cpuid.get(&leaf).copied()
    }
}

/// Reads a file of a recording.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    size(path)?;
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large(path)) } else { Ok(bytes) }
}

/// The size of a file in bytes, as far as its metadata show; 0 if it does not exist.
pub(crate) fn size(path: &Path) -> io::Result<u64> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(found.len()),
        // Reading a pipe or a device could block.
        Ok(found) if !found.is_dir() => Err(error_at(
            path,
            io::ErrorKind::InvalidData,
            "not a plain file, as those of a recorded machine are",
        )),
        _ => Ok(0),
    }
}

pub(crate) fn too_large(path: &Path) -> io::Error {
    let limit = MAX_BYTES >> 20;
    let problem =
        format!("with this file, the recorded machine has more than {limit} MiB, the maximum");
    error_at(path, io::ErrorKind::InvalidData, problem)
}

pub(crate) fn error_at(
    path: &Path,
    kind: io::ErrorKind,
    problem: impl std::fmt::Display,
) -> io::Error {
    io::Error::new(kind, format!("{}: {problem}", path.display()))
}
