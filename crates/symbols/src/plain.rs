//! Files with contents that end.

use std::path::Path;

/// Returns true for a file with contents that end: those of the kernel, such as `/proc/kmsg`, have no length, and may wait for ever.
pub fn is_plain(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.len() > 0)
}
