//! The build ids of the files of a recording.

use super::file::{BuildId, build_id_of_notes};
use counterpoint::perf::Host;
use counterpoint::perf::records::BuildId as Id;
use counterpoint::profile::{Module, code_files};
use counterpoint::symbols::{CodeFiles, MappedFile, build_id_of_file};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Those of the kernel and of files, as far as they have one; a file that was mapped without saying its own is read.
pub(crate) fn recorded(host: &Host, files: &BTreeMap<PathBuf, Vec<Id>>) -> Vec<BuildId> {
    let code = code_files();
    let own = host.bytes("/sys/kernel/notes").unwrap_or_default();
    let kernel = build_id_of_notes(&own).map(|id| BuildId {
        path: b"[kernel.kallsyms]".to_vec(),
        id: id.to_vec(),
        is_kernel: true,
    });
    let ids = files.iter().flat_map(|(path, known)| {
        let read = if known.is_empty() { of_path(&code, path) } else { None };
        let ids = known.iter().map(|id| id.as_bytes().to_vec()).chain(read);
        let path = path.as_os_str().as_bytes();
        ids.map(|id| BuildId { path: path.to_vec(), id, is_kernel: false })
    });
    kernel.into_iter().chain(ids).collect()
}

/// That of a file, or of the code that the kernel maps into every process.
fn of_path(files: &CodeFiles, path: &Path) -> Option<Vec<u8>> {
    files.find(&MappedFile { path, range: 0..0, pid: None, id: None })?.build_id()
}

/// Returns true if a file that a recording names is another one than the one that was mapped, and has this build id.
pub(crate) fn is_of_another(files: &CodeFiles, module: &Module, id: &[u8]) -> bool {
    files.is_other_inode(&module.mapped_file())
        && build_id_of_file(&module.path).is_some_and(|own| own == id)
}
