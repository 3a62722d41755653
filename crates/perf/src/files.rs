//! The files of a machine that are read.

use crate::Cpuid;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The files of a machine below `/`, such as those of `/proc` and `/sys`, and the answers of its processor about itself.
///
/// [`Host`](crate::Host) reads every file through it, so that a recorded machine or a test can stand in for the running one.
pub trait Files: Send + Sync {
    /// Returns the contents of a file.
    fn file(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Returns the names in a directory, in any order.
    fn directory(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Opens a file that is read again and again; `None` if only [`Files::file`] reads it.
    fn open_file(&self, _path: &Path) -> io::Result<Option<File>> {
        Ok(None)
    }
    /// Opens a directory, such as that of a cgroup.
    fn open_directory(&self, path: &Path) -> io::Result<OwnedFd>;

    /// Returns what the processor says of itself in a basic leaf of `CPUID`; `None` if it has no such leaf, as on other architectures than x86, or if that is unknown.
    fn cpuid(&self, _leaf: u32) -> Option<Cpuid> {
        None
    }
}

/// Files in memory, by absolute path; their directories can be listed, but not opened.
impl Files for BTreeMap<PathBuf, Vec<u8>> {
    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.get(path).cloned().ok_or(io::ErrorKind::NotFound.into())
    }

    fn directory(&self, path: &Path) -> io::Result<Vec<String>> {
        let below = self.keys().filter_map(|file| file.strip_prefix(path).ok());
        let names: BTreeSet<String> = below
            .filter_map(|rest| Some(rest.iter().next()?.to_string_lossy().into_owned()))
            .collect();
        if names.is_empty() {
            Err(io::ErrorKind::NotFound.into())
        } else {
            Ok(names.into_iter().collect())
        }
    }

    fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        self.directory(path)?;
        Err(io::ErrorKind::Unsupported.into())
    }
}
