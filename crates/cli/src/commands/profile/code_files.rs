//! The files that have the contents of modules: the very ones that were mapped, or none.

use super::build_ids;
use super::debug_files::hex;
use super::debuginfod::Debuginfod;
use counterpoint::perf::records::FileId;
use counterpoint::profile::Module;
use std::env::var_os;
use std::fs::{File, Metadata};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Where the contents of a module are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum CodeFile {
    Path(PathBuf),
    /// The code that the kernel maps into every process.
    Vdso,
}

/// The code that the kernel maps into every process.
pub const VDSO: &str = "[vdso]";

/// The file of a module: that of its path, if it is the one that was mapped, or a copy with the same build id: in a cache of perf or debuginfod, or in the same folder.
pub fn of(module: &Module) -> Option<CodeFile> {
    if module.path.as_os_str() == VDSO {
        let is_this = module
            .build_id()
            .is_none_or(|id| build_ids::of_vdso().is_some_and(|own| own == id.as_bytes()));
        return is_this.then_some(CodeFile::Vdso);
    }
    if module.is_anonymous() || module.pid.is_none() {
        return None;
    }
    let here = Some(reachable(module)).filter(|path| is_plain(path) && is_of(path, module));
    let copy = || {
        let id = module.build_id()?;
        cached(id.as_bytes()).or_else(|| beside(&module.path, id.as_bytes()))
    };
    here.or_else(copy).map(CodeFile::Path)
}

/// Whether a file is the one that was mapped, as far as both tell.
fn is_of(path: &Path, module: &Module) -> bool {
    match module.file {
        None => path.exists(),
        Some(FileId::BuildId(id)) => {
            build_ids::of_file(path).is_some_and(|own| own == id.as_bytes())
        }
        Some(FileId::Inode { .. }) => path.exists() && !is_other_inode_at(path, module),
        Some(_) => true,
    }
}

/// Whether the file at the path of a module is certainly another one than the one that was mapped.
pub fn is_other_inode(module: &Module) -> bool {
    is_other_inode_at(&module.path, module)
}

/// What the kernel calls the device of a mapping is that of the file below an overlay, of which nothing is known.
fn is_other_inode_at(path: &Path, module: &Module) -> bool {
    let Some(FileId::Inode { device: (major, minor), inode, .. }) = module.file else {
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

/// A copy of the file with this build id.
fn cached(id: &[u8]) -> Option<PathBuf> {
    let digits = hex(id);
    let (first, rest) = digits.split_at_checked(2)?;
    let home = || Some(PathBuf::from(var_os("HOME")?).join(".debug"));
    let perf = var_os("PERF_BUILDID_DIR").map(PathBuf::from).or_else(home);
    let of_perf = perf.map(|perf| perf.join(".build-id").join(first).join(rest).join("elf"));
    let of_debuginfod = Debuginfod::from_env().cached(&digits, "executable");
    let installed = Path::new("/usr/lib/debug/.build-id").join(first).join(format!("{rest}.debug"));
    let files = [of_perf, of_debuginfod, Some(installed)].into_iter().flatten();
    let is_it =
        |path: &PathBuf| is_plain(path) && build_ids::of_file(path).is_some_and(|own| own == id);
    files.into_iter().find(is_it)
}

/// The most files of a folder that are looked at.
const MOST_BESIDE: usize = 256;

/// A file in the same folder with this build id: one from which the file was copied, or to which it was renamed.
fn beside(path: &Path, id: &[u8]) -> Option<PathBuf> {
    let files = path.parent()?.read_dir().ok()?.take(MOST_BESIDE).flatten();
    let mut files = files.map(|entry| entry.path()).filter(|path| is_plain(path));
    files.find(|path| build_ids::of_file(path).is_some_and(|own| own == id))
}

/// The file of a module as this process finds it: that of a process with other mounts, such as one in a container, and one that was deleted or replaced, are in `/proc` as long as the process runs.
pub fn reachable(module: &Module) -> PathBuf {
    let of_process = module.pid.and_then(|pid| {
        // The path is one of the process, or, where it was read in `/proc/PID/maps`, one of this process.
        let inside = in_process(pid, &module.path).filter(|path| is_of(path, module));
        inside.or_else(|| deleted(module, pid))
    });
    of_process.unwrap_or_else(|| module.path.clone())
}

/// Where a file of a process with another root, or other mounts, is.
pub fn in_process(pid: u32, path: &Path) -> Option<PathBuf> {
    let process = Path::new("/proc").join(pid.to_string());
    let path = path.strip_prefix("/").ok()?;
    let mounts = |of: &Path| of.join("ns/mnt").read_link().ok();
    let has_own_mounts = mounts(Path::new("/proc/self"))? != mounts(&process)?;
    let has_own_root = || process.join("root").read_link().is_ok_and(|root| root != Path::new("/"));
    (has_own_mounts || has_own_root()).then(|| process.join("root").join(path))
}

/// The contents of a file that has no name any more.
fn deleted(module: &Module, pid: u32) -> Option<PathBuf> {
    let is_there = module.path.exists() && is_of(&module.path, module);
    if !module.path.is_absolute() || is_there {
        return None;
    }
    let process = Path::new("/proc").join(pid.to_string());
    let program = process.join("exe");
    let name = |path: &Path| path.to_string_lossy().trim_end_matches(" (deleted)").to_string();
    if program.read_link().is_ok_and(|link| name(&link) == name(&module.path)) {
        return Some(program);
    }
    let Range { start, end } = module.range;
    let mapped = process.join("map_files").join(format!("{start:x}-{end:x}"));
    // Only a privileged user may follow it.
    mapped.exists().then_some(mapped)
}

/// Whether it is a file with contents that end: those of the kernel, such as `/proc/kmsg`, have no length, and may wait for ever.
pub fn is_plain(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.len() > 0)
}

/// The kernel gives every process the same one: this process's own.
pub fn vdso() -> Option<Vec<u8>> {
    let maps = counterpoint::perf::Host::local().maps(None).ok()?;
    let vdso = PathBuf::from(VDSO);
    let map = maps.iter().find(|map| map.path.as_ref() == Some(&vdso))?;
    let mut bytes = vec![0; usize::try_from(map.range.end - map.range.start).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, map.range.start).ok()?;
    Some(bytes)
}
