use std::ops::Range;
use std::path::PathBuf;

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
