//! The files of code, each read once.

use super::binary::Binary;
use super::code_file::{CodeFile, MappedFile};
use super::code_files::CodeFiles;
use super::debug_files::DebugFiles;
use super::jit::Jit;
use super::source_files::SourceFiles;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The files of code of any number of profiles, each read when its first address is asked for.
#[derive(Default)]
pub struct Binaries {
    files: CodeFiles,
    debug_files: DebugFiles,
    /// `None` for a file that cannot be read.
    binaries: RefCell<HashMap<PathBuf, Option<Rc<Binary>>>>,
    /// The places where mapped files were found, or that they were not.
    found: RefCell<HashMap<Mapped, Option<CodeFile>>>,
    /// By process.
    jits: RefCell<HashMap<u32, Option<Rc<Jit>>>>,
    source_files: SourceFiles,
}

/// The path, the bytes that tell the file from others of that path, and the process.
type Mapped = (PathBuf, Vec<u8>, Option<u32>);

impl Binaries {
    /// Those of `files`, with the lines and symbols of `debug_files`.
    pub fn new(files: CodeFiles, debug_files: DebugFiles) -> Binaries {
        Binaries { files, debug_files, ..Binaries::default() }
    }

    /// The places where files are looked for.
    pub fn files(&self) -> &CodeFiles {
        &self.files
    }

    /// The functions and lines of a file that was mapped; `None` if it is not there any more, or cannot be read.
    pub fn binary(&self, mapped: &MappedFile<'_>) -> Option<Rc<Binary>> {
        let key = (mapped.path.to_path_buf(), id_bytes(mapped), mapped.pid);
        let mut found = self.found.borrow_mut();
        let file = found.entry(key).or_insert_with(|| self.files.find(mapped)).clone()?;
        let mut binaries = self.binaries.borrow_mut();
        let read = || Binary::open(&file, &self.debug_files).map(Rc::new);
        binaries.entry(file.path().to_path_buf()).or_insert_with(read).clone()
    }

    /// The functions that the run-time compiler of a process made, also by its jitdump; `None` if it names none.
    pub fn jit(&self, pid: u32, dump: Option<&Path>) -> Option<Rc<Jit>> {
        let notify = self.debug_files.notify;
        let read = || Jit::read(pid, dump, &self.files, notify).map(Rc::new);
        self.jits.borrow_mut().entry(pid).or_insert_with(read).clone()
    }

    /// The source files that were named, and who may see them.
    pub fn source_files(&self) -> &SourceFiles {
        &self.source_files
    }
}

/// The bytes of an identity, which differ between identities.
fn id_bytes(mapped: &MappedFile<'_>) -> Vec<u8> {
    use super::code_file::FileId::{BuildId, Inode};
    match mapped.id {
        None => Vec::new(),
        Some(BuildId(id)) => [b"b", id].concat(),
        Some(Inode(major, minor, inode)) => {
            let numbers = [u64::from(major), u64::from(minor), inode];
            numbers.into_iter().flat_map(u64::to_ne_bytes).collect()
        }
    }
}

impl fmt::Debug for Binaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut binaries = f.debug_struct("Binaries");
        binaries.field("files", &self.files).field("debug_files", &self.debug_files);
        binaries.finish_non_exhaustive()
    }
}
