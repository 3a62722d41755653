//! Finds the files in which distributions keep the symbols and line numbers of their stripped programs and libraries.

use super::build_id::{build_id_of_file, hex};
use super::debuginfod::Debuginfod;
use super::notice::{Notify, silent};
use object::{Object, ReadRef};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The places where debug files are looked for.
#[derive(Clone, Debug)]
pub struct DebugFiles {
    /// Usually `/usr/lib/debug`.
    directory: PathBuf,
    debuginfod: Debuginfod,
    pub(crate) notify: Notify,
}

/// Those below `/usr/lib/debug`, and those that were fetched before.
impl Default for DebugFiles {
    fn default() -> DebugFiles {
        DebugFiles::below("/usr/lib/debug")
    }
}

impl DebugFiles {
    /// Those below a directory, beside the programs, and those that were fetched from servers before.
    pub fn below(directory: impl Into<PathBuf>) -> DebugFiles {
        let (debuginfod, notify) = (Debuginfod::silent(), silent);
        DebugFiles { directory: directory.into(), debuginfod, notify }
    }

    /// Also asks the servers that `DEBUGINFOD_URLS` names for the debug files of stripped programs, by the program `debuginfod-find`, which may take a minute.
    #[must_use]
    pub fn with_servers(self) -> DebugFiles {
        DebugFiles { debuginfod: Debuginfod::from_env(), ..self }
    }

    /// Calls this function with each [`Notice`](crate::Notice).
    #[must_use]
    pub fn notify(self, notify: Notify) -> DebugFiles {
        DebugFiles { notify, ..self }
    }

    /// The debug file of a program or library: by its build id, by its debug link, beside it, or from a debuginfod server if it has no symbols itself.
    pub(crate) fn of<'d, R: ReadRef<'d>>(
        &self,
        path: &Path,
        file: &object::File<'d, R>,
        has_symbols: bool,
    ) -> Option<PathBuf> {
        let id = file.build_id().ok().flatten();
        let named = || self.by_link(path, file).or_else(|| self.by_name(path, id?));
        let found = id.and_then(|id| self.by_id(id)).or_else(named);
        // Lines alone are not worth a question to a server.
        let wanted = id.filter(|_| found.is_none() && !has_symbols);
        found.or_else(|| self.fetched(wanted?, path))
    }

    /// The file that holds what several debug files have in common, as `dwz` makes it, if a file refers to one.
    pub(crate) fn supplement<'d, R: ReadRef<'d>>(
        &self,
        path: &Path,
        file: &object::File<'d, R>,
    ) -> Option<PathBuf> {
        let (name, id) = file.gnu_debugaltlink().ok().flatten()?;
        let named = path.parent()?.join(OsStr::from_bytes(name));
        let named = Some(named).filter(|named| has_id(named, id));
        named.or_else(|| self.by_id(id)).or_else(|| self.fetched(id, path))
    }

    /// `DIR/.build-id/12/345….debug`, or what debuginfod has fetched before.
    fn by_id(&self, id: &[u8]) -> Option<PathBuf> {
        let digits = hex(id);
        let (first, rest) = digits.split_at_checked(2)?;
        let installed = self.directory.join(format!(".build-id/{first}/{rest}.debug"));
        let cached = self.debuginfod.cached(&digits, "debuginfo");
        [Some(installed), cached].into_iter().flatten().find(|found| has_id(found, id))
    }

    /// `FILE.debug` beside a file, or as it or the file itself is called below the directory of debug files, with the same build id.
    fn by_name(&self, path: &Path, id: &[u8]) -> Option<PathBuf> {
        let mut name = path.file_name()?.to_os_string();
        let inner = self.directory.join(path.strip_prefix("/").unwrap_or(path));
        let same = inner.clone();
        name.push(".debug");
        let files = [path.with_file_name(&name), inner.with_file_name(&name), same];
        files.into_iter().find(|found| has_id(found, id))
    }

    fn fetched(&self, id: &[u8], whose: &Path) -> Option<PathBuf> {
        self.debuginfod.fetch(id, whose, self.notify).filter(|found| has_id(found, id))
    }

    /// The file that `.gnu_debuglink` names: beside the program, in `.debug` there, or below the directory of debug files.
    fn by_link<'d, R: ReadRef<'d>>(
        &self,
        path: &Path,
        file: &object::File<'d, R>,
    ) -> Option<PathBuf> {
        let (name, crc) = file.gnu_debuglink().ok().flatten()?;
        let name = OsStr::from_bytes(name);
        let folder = path.parent()?;
        let inner: PathBuf =
            folder.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        let folders = [folder.to_path_buf(), folder.join(".debug"), self.directory.join(inner)];
        folders.into_iter().map(|f| f.join(name)).find(|found| crc_of(found) == Some(crc))
    }
}

/// Returns true if a path is that of an object with this build id.
fn has_id(path: &Path, id: &[u8]) -> bool {
    build_id_of_file(path).is_some_and(|own| own == id)
}

fn crc_of(path: &Path) -> Option<u32> {
    let mut reader = BufReader::new(regular(path)?);
    let mut crc = crc32fast::Hasher::new();
    let mut bytes = vec![0; 1 << 16];
    loop {
        match reader.read(&mut bytes).ok()? {
            0 => return Some(crc.finalize()),
            read => crc.update(&bytes[..read]),
        }
    }
}

/// Opens a plain file; a pipe or device would not end.
fn regular(path: &Path) -> Option<File> {
    path.metadata().ok().filter(|about| about.is_file())?;
    File::open(path).ok()
}
