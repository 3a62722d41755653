//! Probes of functions: places in programs and libraries that the kernel watches as tracepoints.

use crate::{Attr, Errno, OpenRequest, Placement, ReadFormat, Setup, pmu_type, sys};
use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::ffi::{CString, OsStr};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The probes that were defined in tracefs, until it is dropped.
///
/// The events of the PMU `uprobe` need no definition, but a program that has them cannot fork: the kernel then reads the name of the file again, from the memory of the program that forks.
#[derive(Default)]
pub(crate) struct Probes(Mutex<Vec<Defined>>);

struct Defined {
    place: Place,
    /// Keeps the probe in the memory of every process that has the file: when one process of several ends, Linux may otherwise take it out of the memory of another one that is just being forked.
    held: Option<OwnedFd>,
    tracefs: PathBuf,
    name: String,
    id: u64,
}

#[derive(Clone, PartialEq, Eq)]
struct Place {
    file: CString,
    offset: u64,
    at_return: bool,
}

/// The group of a process's probes, before the number of the process.
const GROUP: &str = "counterpoint_";

impl Probes {
    /// The attribute of the tracepoint that takes the place of a probe; any other attribute is `None`.
    pub(crate) fn tracepoint(&self, attr: &Attr) -> Result<Option<Attr>, Errno> {
        let Some(file) = &attr.file else { return Ok(None) };
        let (offset, at_return) = (attr.config2, attr.config != 0);
        let place = Place { file: file.clone(), offset, at_return };
        let id =
            self.id(place).map_err(|error| error.raw_os_error().map_or(Errno::ENOENT, Errno))?;
        let (kind, config, config2) = (pmu_type::TRACEPOINT, id, 0);
        Ok(Some(Attr { kind, config, config2, file: None, ..attr.clone() }))
    }

    fn id(&self, place: Place) -> io::Result<u64> {
        let mut all = self.all();
        if let Some(known) = all.iter().find(|of| of.place == place) {
            return Ok(known.id);
        }
        let roots = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"].map(Path::new);
        let has_probes = |root: &&Path| root.join("uprobe_events").exists();
        let tracefs = roots.into_iter().find(has_probes).ok_or(io::ErrorKind::NotFound)?;
        if all.is_empty() {
            remove_left_behind(tracefs);
        }
        // Processes of several containers may have one number.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
        let name = format!("{GROUP}{}/p{now:x}", std::process::id());
        let path = Path::new(OsStr::from_bytes(place.file.as_bytes()));
        let open = File::open(path)?;
        // A name cannot have what separates words, or begins a comment.
        let is_plain =
            !place.file.as_bytes().iter().any(|of| of.is_ascii_whitespace() || b":#".contains(of));
        let file = if is_plain {
            path.display().to_string()
        } else {
            format!("/proc/self/fd/{}", open.as_raw_fd())
        };
        let kind = if place.at_return { 'r' } else { 'p' };
        write(tracefs, &format!("{kind}:{name} {file}:{:#x}", place.offset))?;
        let id = fs::read_to_string(tracefs.join("events").join(&name).join("id"));
        let tracefs = tracefs.to_path_buf();
        let id = id.and_then(|id| id.trim().parse().map_err(|_| io::ErrorKind::InvalidData.into()));
        let held = id.as_ref().ok().filter(|_| !is_of_system(path)).and_then(|id| hold(*id));
        all.push(Defined { place, held, tracefs, name, id: *id.as_ref().unwrap_or(&0) });
        id
    }

    fn all(&self) -> MutexGuard<'_, Vec<Defined>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Probes {
    fn drop(&mut self) {
        for Defined { tracefs, name, held, .. } in self.all().drain(..) {
            drop(held);
            // What is in use is removed by a later process.
            let _ = write(&tracefs, &format!("-:{name}"));
        }
    }
}

/// Returns true for a library that the processes of the whole machine have, which would be slowed down.
fn is_of_system(path: &Path) -> bool {
    ["/lib", "/usr/lib", "/lib64", "/usr/lib64"].iter().any(|folder| path.starts_with(folder))
}

/// Opens a tracepoint that counts nothing.
fn hold(id: u64) -> Option<OwnedFd> {
    let request = OpenRequest {
        attr: &Attr::new(pmu_type::TRACEPOINT, id),
        setup: Setup { disabled: true, ..Setup::default() },
        format: ReadFormat::default(),
        placement: &Placement::Cpu(0),
        leader: None,
        sampling: None,
    };
    sys::open(&request).ok()
}

fn write(tracefs: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(tracefs.join("uprobe_events"))?;
    file.write_all(line.as_bytes())
}

/// Removes the probes of processes that are gone, as after `kill -9`.
fn remove_left_behind(tracefs: &Path) {
    let all = fs::read_to_string(tracefs.join("uprobe_events")).unwrap_or_default();
    for name in all.lines().filter_map(|line| line.split([':', ' ']).nth(1)) {
        let of_process = name.strip_prefix(GROUP).and_then(|rest| rest.split('/').next());
        let Some(pid) = of_process.and_then(|pid| pid.parse().ok()) else { continue };
        if kill(Pid::from_raw(pid), None) == Err(nix::errno::Errno::ESRCH) {
            let _ = write(tracefs, &format!("-:{name}"));
        }
    }
}
