//! A file of code, and what is known of one that a process has mapped.

use super::build_id::{build_id_of, build_id_of_file};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the code that the kernel maps into every process.
pub const VDSO: &str = "[vdso]";

/// The place of the contents of a program or library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeFile {
    /// In a file.
    Path(PathBuf),
    /// In memory: what has no file, such as the vdso, or comes from elsewhere.
    Bytes {
        /// The name, which no two different ones share.
        name: PathBuf,
        /// The contents.
        bytes: Arc<[u8]>,
    },
}

impl CodeFile {
    /// The path, or the name of what has none.
    pub fn path(&self) -> &Path {
        match self {
            CodeFile::Path(path) => path,
            CodeFile::Bytes { name, .. } => name,
        }
    }

    /// The build id; `None` if it has none, or is no ELF file.
    pub fn build_id(&self) -> Option<Vec<u8>> {
        match self {
            CodeFile::Path(path) => build_id_of_file(path),
            CodeFile::Bytes { bytes, .. } => build_id_of(&**bytes),
        }
    }
}

/// A file that a process has mapped as code, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedFile<'m> {
    /// The path, as the process sees it.
    pub path: &'m Path,
    /// The addresses at which the process has it.
    pub range: Range<u64>,
    /// The process; `None` if it is not known, or does not run any more.
    pub pid: Option<u32>,
    /// Which of the files that had this path it is, as far as that is known.
    pub id: Option<FileId<'m>>,
}

/// Tells a file from others that had the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileId<'m> {
    /// The build id.
    BuildId(&'m [u8]),
    /// The major and the minor number of the device, and the number of the inode.
    Inode(u32, u32, u64),
}
