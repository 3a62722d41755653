//! The build ids of programs, libraries and the kernel.

use super::code_files::{self, VDSO, is_plain};
use counterpoint::perf::records::BuildId as Id;
use counterpoint_perfdata::{BuildId, build_id_of_notes};
use object::{Object, ReadCache};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Those of the kernel and of files, as far as they have one; a file that was mapped without saying its own is read.
pub fn of(files: &BTreeMap<PathBuf, Vec<Id>>) -> Vec<BuildId> {
    let own = std::fs::read("/sys/kernel/notes").unwrap_or_default();
    let kernel = build_id_of_notes(&own).map(|id| BuildId {
        path: b"[kernel.kallsyms]".to_vec(),
        id: id.to_vec(),
        is_kernel: true,
    });
    let ids = files.iter().flat_map(|(path, known)| {
        let read = if known.is_empty() { of_file(path) } else { None };
        let ids = known.iter().map(|id| id.as_bytes().to_vec()).chain(read);
        let path = path.as_os_str().as_bytes();
        ids.map(|id| BuildId { path: path.to_vec(), id, is_kernel: false })
    });
    kernel.into_iter().chain(ids).collect()
}

/// That of a file or the vdso.
pub fn of_file(path: &Path) -> Option<Vec<u8>> {
    if path.as_os_str() == VDSO {
        return of_vdso();
    }
    if !is_plain(path) {
        return None;
    }
    let cache = ReadCache::new(File::open(path).ok()?);
    object::File::parse(&cache).ok()?.build_id().ok()?.map(<[u8]>::to_vec)
}

/// That of the code that the kernel maps into every process.
pub fn of_vdso() -> Option<Vec<u8>> {
    let vdso = code_files::vdso()?;
    object::File::parse(&*vdso).ok()?.build_id().ok()?.map(<[u8]>::to_vec)
}
