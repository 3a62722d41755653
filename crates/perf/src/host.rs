//! A machine: the only access to its kernel and its files.

use crate::answers::Answers;
use crate::local::{LocalEvents, LocalFiles};
use crate::{Cause, CpuSet, Cpuid, Errno, Events, Files, OpenError, OpenFailure, OpenRequest, sys};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A machine: its files and, if it is running, its events.
///
/// Every call to open, read or control an event and every read of `/sys` and `/proc` goes through it.
/// Cloning is cheap.
#[derive(Clone)]
pub struct Host {
    files: Arc<dyn Files>,
    opener: Opener,
    /// Read when they are first needed, and shared by clones: they do not change while a kernel runs.
    pub(crate) core_pmus: Arc<OnceLock<Vec<String>>>,
}

/// The kernel, or the recording, that opens the events of a machine.
#[derive(Clone)]
enum Opener {
    /// The running kernel, distinguished from others so that reads are inlined to the system call.
    Local(Arc<LocalEvents>),
    /// A stand-in for it, such as a test's script.
    Events(Arc<dyn Events>),
    /// Nothing: the machine is not running, and only shows which events could be opened.
    Answers(Arc<Answers>),
}

impl Host {
    /// The machine that this process runs on.
    pub fn local() -> Host {
        Host::new(Arc::new(LocalFiles), Opener::Local(Arc::default()))
    }

    /// A running machine with the files and events of `kernel`, such as a test's script.
    pub fn with_kernel(kernel: impl Files + Events + 'static) -> Host {
        let kernel = Arc::new(kernel);
        Host::new(kernel.clone(), Opener::Events(kernel))
    }

    /// A machine that is not running: it has `files`, and which events it could open is unknown.
    pub fn with_files(files: impl Files + 'static) -> Host {
        Host::with_answers(files, Answers::default())
    }

    pub(crate) fn with_answers(files: impl Files + 'static, answers: Answers) -> Host {
        Host::new(Arc::new(files), Opener::Answers(Arc::new(answers)))
    }

    fn new(files: Arc<dyn Files>, opener: Opener) -> Host {
        Host { files, opener, core_pmus: Arc::default() }
    }

    /// Returns true if events can be counted: `false` for a recorded machine.
    pub fn is_running(&self) -> bool {
        !matches!(self.opener, Opener::Answers(_))
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// The events; `ENOSYS` if the machine is not running.
    pub(crate) fn events(&self) -> Result<&dyn Events, Errno> {
        match &self.opener {
            Opener::Local(events) => Ok(&**events),
            Opener::Events(events) => Ok(&**events),
            Opener::Answers(_) => Err(Errno::ENOSYS),
        }
    }

    /// The result of opening an event; nothing stays open.
    pub(crate) fn try_open(&self, request: &OpenRequest<'_>) -> Result<(), OpenFailure> {
        match &self.opener {
            Opener::Answers(answers) => answers.result(request.attr),
            _ => self.events()?.open(request).map(drop),
        }
    }

    /// Calls [`Events::read`].
    // Reads from the running kernel are inlined to the system call: a return after one is not predicted, which costs 20 ns.
    #[inline]
    pub(crate) fn read(&self, event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno> {
        match &self.opener {
            Opener::Local(_) => sys::read(event, words),
            _ => self.events()?.read(event, words),
        }
    }

    /// The contents of a file of the machine, such as a catalog of the firmware.
    pub fn bytes(&self, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
        self.files.file(path.as_ref())
    }

    /// The text of a file of the machine, such as `/proc/cpuinfo`, without white space at the end.
    pub fn text(&self, path: impl AsRef<Path>) -> io::Result<String> {
        let bytes = self.bytes(path)?;
        Ok(String::from_utf8_lossy(&bytes).trim_end().to_string())
    }

    /// The names in a directory of the machine, sorted (numbers by value).
    pub fn directory(&self, path: impl AsRef<Path>) -> io::Result<Vec<String>> {
        let mut names = self.files.directory(path.as_ref())?;
        names.sort_by(|a, b| by_number(a).cmp(&by_number(b)));
        Ok(names)
    }

    /// Like [`Host::directory`], but returns no names if the directory does not exist or cannot be read.
    pub fn names(&self, path: impl AsRef<Path>) -> Vec<String> {
        self.directory(path).unwrap_or_default()
    }

    /// The facts that the processor says of itself in a basic or extended leaf of `CPUID`; `None` if it has no such leaf, as on other architectures than x86, or if the machine was recorded without it.
    ///
    /// Leaf 0 exists on every x86 processor.
    pub fn cpuid(&self, leaf: u32) -> Option<Cpuid> {
        self.files.cpuid(leaf)
    }

    /// Opens a directory of the machine, such as a cgroup's.
    pub fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        self.files.open_directory(path)
    }

    /// The user with whose rights a process acts; `None` if it has ended.
    pub fn user_of(&self, pid: u32) -> Option<u32> {
        let status = self.text(format!("/proc/{pid}/status")).ok()?;
        let ids = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
        // The real id comes first, and then the effective one.
        ids.split_whitespace().nth(1)?.parse().ok()
    }

    /// The processes of the user with this id, except the calling one; those that end meanwhile may be among them.
    pub fn processes_of(&self, user: u32) -> Vec<u32> {
        let pids = self.names("/proc").into_iter().filter_map(|name| name.parse().ok());
        let others = pids.filter(|pid| *pid != std::process::id());
        others.filter(|pid| self.user_of(*pid) == Some(user)).collect()
    }

    /// The CPUs that are online; empty if the machine does not show them.
    pub fn online_cpus(&self) -> CpuSet {
        let text = self.text("/sys/devices/system/cpu/online").unwrap_or_default();
        text.parse().unwrap_or_default()
    }

    /// The CPUs that are online; an error if the machine does not show them, because there is no sum over unknown CPUs.
    pub fn every_online_cpu(&self) -> Result<CpuSet, OpenError> {
        let cpus = self.online_cpus();
        if cpus.is_empty() {
            return Err(OpenError { errno: Errno::ENODATA, cause: Cause::UnknownCpus });
        }
        Ok(cpus)
    }

    /// The highest clock rate of the processor in MHz, from cpufreq or else from `/proc/cpuinfo`.
    ///
    /// The largest of all CPUs; `None` if neither shows it.
    #[doc(alias = "cpu_max_mhz")]
    pub fn max_mhz(&self) -> Option<f64> {
        self.max_mhz_from().map(|(mhz, _)| mhz)
    }

    /// Like [`Host::max_mhz`], with the file that shows it.
    pub fn max_mhz_from(&self) -> Option<(f64, &'static str)> {
        let frequency = |cpu: u32| -> Option<f64> {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq");
            Some(self.text(path).ok()?.parse::<f64>().ok()? / 1000.0)
        };
        let from_sysfs = self.online_cpus().iter().filter_map(frequency).reduce(f64::max);
        let from_sysfs = from_sysfs.map(|mhz| (mhz, "cpufreq/cpuinfo_max_freq"));
        from_sysfs.or_else(|| {
            let cpuinfo = self.text("/proc/cpuinfo").ok()?;
            let rates = cpuinfo.lines().filter_map(|line| {
                let (key, value) = line.split_once(':')?;
                let value = value.trim().trim_end_matches("MHz");
                matches!(key.trim(), "cpu MHz" | "clock" | "cpu MHz dynamic")
                    .then(|| value.parse().ok())?
            });
            rates.reduce(f64::max).map(|mhz| (mhz, "/proc/cpuinfo"))
        })
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.opener {
            Opener::Local(_) => "local",
            Opener::Events(_) => "scripted",
            Opener::Answers(_) => "recorded",
        };
        f.debug_tuple("Host").field(&kind).finish()
    }
}

/// Splits off the trailing number of a name, so that `cpu10` is sorted after `cpu9`.
fn by_number(name: &str) -> (&str, u64) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0))
}
