//! The build ids of programs, libraries and the kernel.

use super::symbols::{contents, is_plain};
use counterpoint_perfdata::{BuildId, build_id_of_notes};
use object::{Object, ReadCache};
use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Those of the kernel and of files, as far as they have one.
pub fn of(files: &BTreeSet<PathBuf>) -> Vec<BuildId> {
    let own = std::fs::read("/sys/kernel/notes").unwrap_or_default();
    let kernel = build_id_of_notes(&own).map(|id| BuildId {
        path: b"[kernel.kallsyms]".to_vec(),
        id: id.to_vec(),
        is_kernel: true,
    });
    let file = |path: &PathBuf| {
        let id = of_file(path)?;
        Some(BuildId { path: path.as_os_str().as_bytes().to_vec(), id, is_kernel: false })
    };
    kernel.into_iter().chain(files.iter().filter_map(file)).collect()
}

/// That of a file or the vdso.
pub fn of_file(path: &Path) -> Option<Vec<u8>> {
    if path.as_os_str() == "[vdso]" {
        let vdso = contents(path)?;
        return object::File::parse(&*vdso).ok()?.build_id().ok()?.map(<[u8]>::to_vec);
    }
    if !is_plain(path) {
        return None;
    }
    let cache = ReadCache::new(File::open(path).ok()?);
    object::File::parse(&cache).ok()?.build_id().ok()?.map(<[u8]>::to_vec)
}
