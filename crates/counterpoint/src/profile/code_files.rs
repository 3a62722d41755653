//! The files of the modules of a profile.

use super::module::Module;
use counterpoint_perf::Host;
use counterpoint_perf::records::FileId as Known;
use counterpoint_symbols::{CodeFile, CodeFiles, FileId, MappedFile, VDSO};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

impl Module {
    /// The facts about its file, for [`CodeFiles`].
    pub fn mapped_file(&self) -> MappedFile<'_> {
        let id = match &self.file {
            Some(Known::BuildId(id)) => Some(FileId::BuildId(id.as_bytes())),
            Some(Known::Inode { device: (major, minor), inode, .. }) => {
                Some(FileId::Inode(*major, *minor, *inode))
            }
            _ => None,
        };
        MappedFile { path: &self.path, range: self.range.clone(), pid: self.pid, id }
    }

    /// The file that was mapped; `None` for the kernel, for memory without a file, and if the file is not there any more.
    pub fn code_file(&self, files: &CodeFiles) -> Option<CodeFile> {
        let is_vdso = self.path.as_os_str() == VDSO;
        let has_file = is_vdso || (!self.is_anonymous() && self.pid.is_some());
        if has_file { files.find(&self.mapped_file()) } else { None }
    }

    /// The build id that it had when it was sampled, or else that of its file now.
    pub fn build_id_of(&self, files: &CodeFiles) -> Option<Vec<u8>> {
        let read = || self.code_file(files)?.build_id();
        self.build_id().map(|id| id.as_bytes().to_vec()).or_else(read)
    }
}

/// The files of this system, of its containers and caches, and the code that this kernel maps into every process.
pub fn code_files() -> CodeFiles {
    let files = CodeFiles::of_system();
    match vdso() {
        Some(contents) => files.with_vdso(contents),
        None => files,
    }
}

/// The kernel gives every process the same one: this process's own.
fn vdso() -> Option<Vec<u8>> {
    let maps = Host::local().maps(None).ok()?;
    let map = maps.iter().find(|map| map.path.as_deref() == Some(Path::new(VDSO)))?;
    let mut bytes = vec![0; usize::try_from(map.range.end - map.range.start).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, map.range.start).ok()?;
    Some(bytes)
}
