use counterpoint_perf::records::{BuildId, FileId};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The text of a program or library, at the addresses where it was first seen.
///
/// Samples of processes that have it at other addresses are counted here too.
/// Another text at the same addresses, such as that of another program with fixed addresses, is moved to free ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The path of the file, or a name such as `[vdso]` and `[kernel]`.
    pub path: PathBuf,
    /// The addresses in the profile.
    pub range: Range<u64>,
    /// The offset in the file at which they begin.
    pub offset: u64,
    /// A process that has it at these addresses; `None` for the kernel.
    pub pid: Option<u32>,
    /// Which of the files that had this path it is, as far as that is known.
    pub file: Option<FileId>,
    /// The user whose rights the process had that was seen with it first; `None` if that is not known, as of recorded samples.
    pub user: Option<u32>,
}

impl Module {
    /// The build id of the file, if it is known.
    pub fn build_id(&self) -> Option<BuildId> {
        match self.file {
            Some(FileId::BuildId(id)) => Some(id),
            _ => None,
        }
    }

    /// Returns true if it is memory that is not of a file, such as that of a run-time compiler; its offset is its address in the process.
    pub fn is_anonymous(&self) -> bool {
        is_anonymous(&self.path)
    }
}

/// The name that the kernel gives to the memory of a process that has none.
pub(crate) const ANONYMOUS: &str = "//anon";

/// Returns true if the name of a mapping is that of memory without a file, each of which is another one.
pub fn is_anonymous(path: &Path) -> bool {
    let name = path.as_os_str().as_bytes();
    let begins = ["//anon", "/anon_hugepage", "/dev/zero", "/memfd:", "[heap]", "[stack", "[anon:"];
    begins.iter().any(|begin| name.starts_with(begin.as_bytes()))
}

/// Returns true if a file is one that a run-time compiler maps so that profilers see its name (`jit-PID.dump`).
pub(crate) fn is_jit_dump(path: &Path) -> bool {
    let name = path.file_name().map_or(&b""[..], OsStrExt::as_bytes);
    name.starts_with(b"jit-") && name.ends_with(b".dump")
}

/// The common identity of the file of two mappings of one path and size; `None` if they are of two files.
///
/// The entries that perf reads in `/proc/PID/maps` have no generation, and a build id and an inode cannot be compared.
pub(crate) fn same_file(a: Option<FileId>, b: Option<FileId>) -> Option<Option<FileId>> {
    use FileId::{BuildId, Inode};
    match (a, b) {
        (None, known) | (known, None) => Some(known),
        (Some(a), Some(b)) if a == b => Some(Some(a)),
        (
            Some(Inode { device, inode, generation }),
            Some(Inode { device: other_device, inode: other_inode, generation: other }),
        ) => {
            let is_same = (device, inode) == (other_device, other_inode);
            let generation = match (generation, other) {
                (0, known) | (known, 0) => Some(known),
                _ => None,
            };
            let generation = generation.filter(|_| is_same)?;
            Some(Some(Inode { device, inode, generation }))
        }
        (Some(id @ BuildId(_)), Some(Inode { .. }))
        | (Some(Inode { .. }), Some(id @ BuildId(_))) => Some(Some(id)),
        _ => None,
    }
}
