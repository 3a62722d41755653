//! The files that have the contents of mappings: the very ones that were mapped, or none.

use super::build_id::{build_id_of, build_id_of_file, hex};
use super::code_file::{CodeFile, FileId, MappedFile, VDSO};
use super::debuginfod;
use super::plain::is_plain;
use std::env::var_os;
use std::fs::Metadata;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The places where the files of mappings are looked for.
#[derive(Clone, Debug)]
pub struct CodeFiles {
    /// The folder below which paths are.
    root: PathBuf,
    /// `/proc`, which has the files of other roots, and those that were deleted.
    processes: Option<PathBuf>,
    /// The cache of perf.
    perf: Option<PathBuf>,
    /// The cache of debuginfod.
    debuginfod: Option<PathBuf>,
    vdso: Option<Arc<[u8]>>,
}

/// Those of this system.
impl Default for CodeFiles {
    fn default() -> CodeFiles {
        CodeFiles::of_system()
    }
}

impl CodeFiles {
    /// The files of this system, those of containers whose processes run, and the caches of perf and debuginfod, by their variables `PERF_BUILDID_DIR`, `DEBUGINFOD_CACHE_PATH`, `XDG_CACHE_HOME` and `HOME`.
    pub fn of_system() -> CodeFiles {
        let home = || Some(PathBuf::from(var_os("HOME")?).join(".debug"));
        CodeFiles {
            processes: Some(PathBuf::from("/proc")),
            perf: var_os("PERF_BUILDID_DIR").map(PathBuf::from).or_else(home),
            debuginfod: debuginfod::cache(),
            ..CodeFiles::below("/")
        }
    }

    /// The files below a folder, such as the root of a container or of another machine, and no others.
    pub fn below(root: impl Into<PathBuf>) -> CodeFiles {
        let root = root.into();
        CodeFiles { root, processes: None, perf: None, debuginfod: None, vdso: None }
    }

    /// The same, with the contents of the code that the kernel maps into every process.
    #[must_use]
    pub fn with_vdso(self, contents: Vec<u8>) -> CodeFiles {
        CodeFiles { vdso: Some(contents.into()), ..self }
    }

    /// The file that was mapped: that of its path, if it is the one, or a copy with the same build id, in a cache or in the same folder.
    pub fn find(&self, mapped: &MappedFile<'_>) -> Option<CodeFile> {
        if mapped.path.as_os_str() == VDSO {
            return self.vdso(mapped.id);
        }
        let here = Some(self.reachable(mapped));
        let here = here.filter(|path| is_plain(path) && is_of(path, mapped));
        let copy = || {
            let FileId::BuildId(id) = mapped.id? else { return None };
            self.cached(id).or_else(|| beside(&self.rooted(mapped.path), id))
        };
        here.or_else(copy).map(CodeFile::Path)
    }

    /// The path at which this process finds the file: that of a process with other mounts, such as one in a container, and one that was deleted or replaced, are in `/proc` as long as the process runs.
    pub fn reachable(&self, mapped: &MappedFile<'_>) -> PathBuf {
        let of_process = mapped.pid.and_then(|pid| {
            // The path is one of the process, or, where it was read in `/proc/PID/maps`, one of this process.
            let inside = self.in_process(pid, mapped.path).filter(|path| is_of(path, mapped));
            inside.or_else(|| self.deleted(mapped, pid))
        });
        of_process.unwrap_or_else(|| self.rooted(mapped.path))
    }

    /// The place of a file of a process with another root, or other mounts.
    pub fn in_process(&self, pid: u32, path: &Path) -> Option<PathBuf> {
        let processes = self.processes.as_ref()?;
        let process = processes.join(pid.to_string());
        let path = path.strip_prefix("/").ok()?;
        let mounts = |of: &Path| of.join("ns/mnt").read_link().ok();
        let has_own_mounts = mounts(&processes.join("self"))? != mounts(&process)?;
        let has_own_root =
            || process.join("root").read_link().is_ok_and(|root| root != Path::new("/"));
        (has_own_mounts || has_own_root()).then(|| process.join("root").join(path))
    }

    /// Returns true if the file at the path of a mapping is certainly another one than the one that was mapped.
    pub fn is_other_inode(&self, mapped: &MappedFile<'_>) -> bool {
        is_other_inode_at(&self.rooted(mapped.path), mapped)
    }

    /// The map in which the run-time compiler of a process names its functions: a process in a container has its own `/tmp`, and its own number there.
    pub(crate) fn jit_map(&self, pid: u32) -> Option<PathBuf> {
        let name = |pid: &str| format!("perf-{pid}.map");
        let in_container = self.processes.as_ref().and_then(|processes| {
            let own = processes.join(pid.to_string());
            let status = std::fs::read_to_string(own.join("status")).unwrap_or_default();
            let mut lines = status.lines();
            let inner = lines.find_map(|line| line.strip_prefix("NSpid:")?.split('\t').next_back());
            Some(own.join("root/tmp").join(name(inner?)))
        });
        let outside = self.root.join("tmp").join(name(&pid.to_string()));
        in_container.into_iter().chain([outside]).find(|path| path.is_file())
    }

    fn rooted(&self, path: &Path) -> PathBuf {
        match path.strip_prefix("/") {
            Ok(inner) => self.root.join(inner),
            Err(_) => path.to_path_buf(),
        }
    }

    /// Every process has the same one, as long as the kernel is the same.
    fn vdso(&self, id: Option<FileId<'_>>) -> Option<CodeFile> {
        let bytes = self.vdso.clone()?;
        let is_this = match id {
            Some(FileId::BuildId(id)) => build_id_of(&*bytes).is_some_and(|own| own == id),
            _ => true,
        };
        is_this.then(|| CodeFile::Bytes { name: PathBuf::from(VDSO), bytes })
    }

    /// A copy of the file with this build id.
    fn cached(&self, id: &[u8]) -> Option<PathBuf> {
        let digits = hex(id);
        let (first, rest) = digits.split_at_checked(2)?;
        let perf = self.perf.as_ref();
        let of_perf = perf.map(|perf| perf.join(".build-id").join(first).join(rest).join("elf"));
        let of_debuginfod = self.debuginfod.as_ref().map(|of| of.join(&digits).join("executable"));
        let installed = self.root.join("usr/lib/debug/.build-id").join(first);
        let installed = installed.join(format!("{rest}.debug"));
        let files = [of_perf, of_debuginfod, Some(installed)].into_iter().flatten();
        let is_it =
            |path: &PathBuf| is_plain(path) && build_id_of_file(path).is_some_and(|own| own == id);
        files.into_iter().find(is_it)
    }

    /// The contents of a file that has no name any more.
    fn deleted(&self, mapped: &MappedFile<'_>, pid: u32) -> Option<PathBuf> {
        let is_there = mapped.path.exists() && is_of(mapped.path, mapped);
        if !mapped.path.is_absolute() || is_there {
            return None;
        }
        let process = self.processes.as_ref()?.join(pid.to_string());
        let program = process.join("exe");
        let name = |path: &Path| path.to_string_lossy().trim_end_matches(" (deleted)").to_string();
        if program.read_link().is_ok_and(|link| name(&link) == name(mapped.path)) {
            return Some(program);
        }
        let Range { start, end } = mapped.range;
        let file = process.join("map_files").join(format!("{start:x}-{end:x}"));
        // Only a privileged user may follow it.
        file.exists().then_some(file)
    }
}

/// Returns true if a file is the one that was mapped, as far as both tell.
fn is_of(path: &Path, mapped: &MappedFile<'_>) -> bool {
    match mapped.id {
        None => path.exists(),
        Some(FileId::BuildId(id)) => build_id_of_file(path).is_some_and(|own| own == id),
        Some(FileId::Inode(..)) => path.exists() && !is_other_inode_at(path, mapped),
    }
}

/// The kernel names the device of a mapping by that of the file below an overlay, of which nothing is known.
fn is_other_inode_at(path: &Path, mapped: &MappedFile<'_>) -> bool {
    let Some(FileId::Inode(major, minor, inode)) = mapped.id else {
        return false;
    };
    let is_other = |about: Metadata| about.dev() == device(major, minor) && about.ino() != inode;
    path.metadata().is_ok_and(is_other)
}

/// The number of a device, as `makedev(3)` makes it.
fn device(major: u32, minor: u32) -> u64 {
    let (major, minor) = (u64::from(major), u64::from(minor));
    (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
}

/// The most files of a folder that are looked at.
const MOST_BESIDE: usize = 256;

/// A file in the same folder with this build id: one from which the file was copied, or to which it was renamed.
fn beside(path: &Path, id: &[u8]) -> Option<PathBuf> {
    let files = path.parent()?.read_dir().ok()?.take(MOST_BESIDE).flatten();
    let mut files = files.map(|entry| entry.path()).filter(|path| is_plain(path));
    files.find(|path| build_id_of_file(path).is_some_and(|own| own == id))
}
