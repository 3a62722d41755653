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
}

impl Module {
    /// Whether it is memory that is not of a file, such as that of a run-time compiler; its offset is its address in the process.
    pub fn is_anonymous(&self) -> bool {
        is_anonymous(&self.path)
    }
}

/// The name that the kernel gives to the memory of a process that has none.
pub(crate) const ANONYMOUS: &str = "//anon";

/// Whether the name of a mapping is that of memory without a file, each of which is another one.
pub fn is_anonymous(path: &Path) -> bool {
    let name = path.as_os_str().as_bytes();
    let begins = ["//anon", "/anon_hugepage", "/dev/zero", "/memfd:", "[heap]", "[stack", "[anon:"];
    begins.iter().any(|begin| name.starts_with(begin.as_bytes()))
}
