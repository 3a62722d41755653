//! The machine that this process runs on.

use crate::probes::Probes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::{Attr, pmu_type};
use crate::{Cpuid, Errno, Events, Files, OpenFailure, OpenRequest, Readiness, RingMemory, sys};
use nix::fcntl::{OFlag, open};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::stat::Mode;
use std::ffi::CStr;
use std::fs::{self, DirEntry, File};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
#[cfg(target_arch = "aarch64")]
use std::sync::OnceLock;
use std::time::Duration;

impl Readiness {
    pub(crate) fn of(file: &PollFd<'_>) -> Readiness {
        let found = file.revents().unwrap_or(PollFlags::empty());
        Readiness {
            ready: found.contains(PollFlags::POLLIN),
            ended: found.intersects(PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL),
        }
    }
}

/// The files of the machine that this process runs on.
pub(crate) struct LocalFiles;

impl Files for LocalFiles {
    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn directory(&self, path: &Path) -> io::Result<Vec<String>> {
        let name =
            |entry: io::Result<DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        fs::read_dir(path)?.map(name).collect()
    }

    fn open_file(&self, path: &Path) -> io::Result<Option<File>> {
        let flags = OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC | OFlag::O_NOCTTY;
        Ok(Some(File::from(open(path, flags, Mode::empty())?)))
    }

    fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        Ok(open(path, OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?)
    }

    fn cpuid(&self, leaf: u32) -> Option<Cpuid> {
        sys::cpuid(leaf)
    }
}

/// The kernel that this process runs on.
#[derive(Default)]
pub(crate) struct LocalEvents {
    probes: Probes,
    /// The types of PMUs whose counters a thread may read, from when they are first asked for.
    #[cfg(target_arch = "aarch64")]
    readable: OnceLock<Vec<u32>>,
}

impl Events for LocalEvents {
    fn open(&self, request: &OpenRequest<'_>) -> Result<OwnedFd, OpenFailure> {
        match self.probes.tracepoint(request.attr)? {
            Some(attr) => sys::open(&OpenRequest { attr: &attr, ..*request }),
            None => sys::open(request),
        }
    }

    fn id(&self, event: BorrowedFd<'_>) -> Result<u64, Errno> {
        sys::id(event)
    }

    fn read(&self, event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno> {
        sys::read(event, words)
    }

    fn enable(&self, event: BorrowedFd<'_>) -> Result<(), Errno> {
        sys::enable(event)
    }

    fn disable(&self, event: BorrowedFd<'_>) -> Result<(), Errno> {
        sys::disable(event)
    }

    fn filter(&self, event: BorrowedFd<'_>, condition: &CStr) -> Result<(), Errno> {
        sys::filter(event, condition)
    }

    #[cfg(target_arch = "x86_64")]
    fn user_readable(&self, attr: &Attr) -> Option<Attr> {
        // The page of an event shows whether it can be read.
        let of_kernel = [pmu_type::SOFTWARE, pmu_type::TRACEPOINT, pmu_type::BREAKPOINT];
        (!of_kernel.contains(&attr.kind)).then(|| attr.clone())
    }

    #[cfg(target_arch = "aarch64")]
    fn user_readable(&self, attr: &Attr) -> Option<Attr> {
        // Bit 1 of `config1` requests it, by the kernel's documentation of perf on arm64.
        const USER_ACCESS: u64 = 1 << 1;
        let readable = self.readable.get_or_init(readable_types);
        let config1 = attr.config1 | USER_ACCESS;
        readable.contains(&attr.kind).then(|| Attr { config1, ..attr.clone() })
    }

    #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
    fn user_counter(&self, event: BorrowedFd<'_>) -> Result<Box<dyn crate::UserCounter>, Errno> {
        Ok(Box::new(sys::CounterPage::new(event)?))
    }

    fn map(&self, event: BorrowedFd<'_>, bytes: usize) -> Result<Box<dyn RingMemory>, Errno> {
        Ok(Box::new(sys::Mapping::new(event, bytes)?))
    }

    fn redirect(&self, event: BorrowedFd<'_>, owner: BorrowedFd<'_>) -> Result<(), Errno> {
        sys::redirect(event, owner)
    }

    fn poll(
        &self,
        files: &[BorrowedFd<'_>],
        timeout: Option<Duration>,
    ) -> Result<Vec<Readiness>, Errno> {
        let mut asked: Vec<PollFd<'_>> =
            files.iter().map(|file| PollFd::new(*file, PollFlags::POLLIN)).collect();
        let most = timeout.map_or(PollTimeout::NONE, crate::process::poll_timeout);
        poll(&mut asked, most).map_err(Errno::of)?;
        Ok(asked.iter().map(Readiness::of).collect())
    }

    fn signal(&self, event: BorrowedFd<'_>, signal: i32, thread: u32) -> Result<(), Errno> {
        sys::signal(event, signal, thread)
    }

    #[allow(clippy::useless_conversion, reason = "a limit has 32 bits on some processors")]
    fn raise_open_files(&self) -> Result<u64, Errno> {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(Errno::of)?;
        setrlimit(Resource::RLIMIT_NOFILE, hard, hard).map_err(Errno::of)?;
        Ok(hard.into())
    }
}

/// The types of events that accept the bit that requests user access: the generic ones, and those of PMUs with its format in sysfs.
#[cfg(target_arch = "aarch64")]
fn readable_types() -> Vec<u32> {
    const DEVICES: &str = "/sys/bus/event_source/devices";
    let text = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    if text("/proc/sys/kernel/perf_user_access") != "1" {
        return Vec::new();
    }
    let pmus = LocalFiles.directory(Path::new(DEVICES)).unwrap_or_default();
    let takes_it = |pmu: &String| text(&format!("{DEVICES}/{pmu}/format/rdpmc")) == "config1:1";
    let kind = |pmu: String| text(&format!("{DEVICES}/{pmu}/type")).parse().ok();
    let mut types: Vec<u32> = pmus.into_iter().filter(takes_it).filter_map(kind).collect();
    if !types.is_empty() {
        types.extend([pmu_type::HARDWARE, pmu_type::HW_CACHE, pmu_type::RAW]);
    }
    types
}
