//! What can be told of a command before it runs.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Whether the kernel takes an unprivileged user's events away when the program starts: it is set-user or set-group, or may not be read.
///
/// What was counted until then would look like the whole (`execve(2)` on set-user programs, and on those that may not be dumped).
pub fn escapes(program: &OsStr) -> bool {
    let Some((path, metadata)) = find(program) else { return false };
    let sets = metadata.mode() & 0o6000 != 0;
    sets || File::open(path).is_err_and(|e| e.kind() == std::io::ErrorKind::PermissionDenied)
}

/// The file that `execvp(3)` would run.
fn find(program: &OsStr) -> Option<(PathBuf, Metadata)> {
    let executable = |path: PathBuf| {
        let metadata = path.metadata().ok()?;
        (metadata.is_file() && metadata.mode() & 0o111 != 0).then_some((path, metadata))
    };
    if Path::new(program).components().count() > 1 {
        return executable(PathBuf::from(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).find_map(|folder| executable(folder.join(program)))
}
