use crate::error::diagnose;
use crate::local::LocalKernel;
use crate::record::Recording;
use crate::{
    Access, Attr, Cause, CpuSet, Errno, Group, Kernel, OpenError, OpenRequest, Placement,
    ReadFormat, Sampler, Sampling, Setup, sys,
};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// The machine whose events are counted: the running one, a recorded one, or a script.
///
/// Every call into the kernel and every read of `/sys` and `/proc` goes through it.
/// Cloning is cheap.
#[derive(Clone)]
pub struct Host {
    kernel: Arc<dyn Kernel>,
    /// The kernel is the one that this process runs on.
    is_local: bool,
}

impl Host {
    /// The machine that this process runs on.
    pub fn local() -> Host {
        Host { is_local: true, ..Host::with_kernel(LocalKernel::default()) }
    }

    /// A machine that [`Host::record`] wrote down; it answers what can be opened, and counts nothing.
    ///
    /// Any file may be missing: it is then missing on that machine.
    /// The error names the directory if it is not one, the line of `opens.tsv` that cannot be read, or the file with which it holds more than 256 MiB.
    pub fn recorded(directory: &Path) -> io::Result<Host> {
        let host = Host::with_kernel(Recording::load(directory)?);
        Recording::check(&host, directory)?;
        Ok(host)
    }

    /// A machine behind any other [`Kernel`], such as a test's.
    pub fn with_kernel(kernel: impl Kernel + 'static) -> Host {
        Host { kernel: Arc::new(kernel), is_local: false }
    }

    pub(crate) fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// What [`Kernel::read`] does.
    // Reads of the running kernel are inlined to the system call: a return after one is not predicted, which costs 20 ns.
    #[inline]
    pub(crate) fn read(&self, event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno> {
        if self.is_local { sys::read(event, words) } else { self.kernel.read(event, words) }
    }

    /// Whether this is a recorded machine, which can answer but not count.
    pub fn is_recording(&self) -> bool {
        self.kernel.is_recording()
    }

    /// Opens `events` as one group: all of them or none.
    ///
    /// Counting has begun unless `setup` says otherwise.
    pub fn open(
        &self,
        events: &[Attr],
        placement: Placement,
        setup: Setup,
    ) -> Result<Group, OpenError> {
        let mut group = self.group(placement, setup);
        for event in events {
            group.add(event)?;
        }
        Ok(group)
    }

    /// An empty group, for events that may be refused one by one.
    pub fn group(&self, placement: Placement, setup: Setup) -> Group {
        Group::new(self.clone(), placement, setup)
    }

    /// A sampler without events yet: `sampling` says what a sample holds.
    pub fn sampler(&self, sampling: Sampling, setup: Setup) -> Sampler {
        Sampler::new(self.clone(), sampling, setup)
    }

    /// Whether `attr` can be opened at `placement`; nothing stays open.
    pub fn probe(&self, attr: &Attr, placement: &Placement) -> Result<(), OpenError> {
        let setup = Setup { disabled: true, ..Setup::default() };
        let request = OpenRequest {
            attr,
            setup,
            format: ReadFormat::default(),
            placement,
            leader: None,
            sampling: None,
        };
        self.kernel.probe(&request).map_err(|refusal| diagnose(self, &request, refusal))
    }

    /// What this process may count, and what stands in the way.
    pub fn access(&self) -> Access {
        Access::of(self)
    }

    /// The bytes of a file of the machine, such as a catalog of the firmware.
    pub fn bytes(&self, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
        self.kernel.file(path.as_ref())
    }

    /// The text of a file of the machine, such as `/proc/cpuinfo`, without blanks at the end.
    pub fn text(&self, path: impl AsRef<Path>) -> io::Result<String> {
        let bytes = self.bytes(path)?;
        Ok(String::from_utf8_lossy(&bytes).trim_end().to_string())
    }

    /// The names in a directory of the machine, sorted (numbers by value).
    pub fn directory(&self, path: impl AsRef<Path>) -> io::Result<Vec<String>> {
        let mut names = self.kernel.directory(path.as_ref())?;
        names.sort_by(|a, b| by_number(a).cmp(&by_number(b)));
        Ok(names)
    }

    /// The same; empty if there is no such directory, or it cannot be read.
    pub fn names(&self, path: impl AsRef<Path>) -> Vec<String> {
        self.directory(path).unwrap_or_default()
    }

    /// Opens a directory of the machine, such as a cgroup's.
    pub fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        self.kernel.open_directory(path)
    }

    /// The CPUs that run; empty where the machine does not tell.
    pub fn online_cpus(&self) -> CpuSet {
        let text = self.text("/sys/devices/system/cpu/online").unwrap_or_default();
        text.parse().unwrap_or_default()
    }

    /// The CPUs that run, for who counts on all of them: without the list there is no sum over them.
    pub fn every_online_cpu(&self) -> Result<CpuSet, OpenError> {
        let cpus = self.online_cpus();
        if cpus.is_empty() {
            return Err(OpenError { errno: Errno::ENODATA, cause: Cause::UnknownCpus });
        }
        Ok(cpus)
    }

    /// The number of the core and of the socket (package) that a CPU belongs to, where sysfs tells.
    ///
    /// What the kernel itself does not know, and shows as -1, is the CPU's own number and socket 0.
    pub fn core_and_socket(&self, cpu: u32) -> Option<(u32, u32)> {
        let number = |name: &str, unknown: u32| -> Option<u32> {
            match self
                .text(format!("/sys/devices/system/cpu/cpu{cpu}/topology/{name}"))
                .ok()?
                .as_str()
            {
                "-1" => Some(unknown),
                number => number.parse().ok(),
            }
        };
        Some((number("core_id", cpu)?, number("physical_package_id", 0)?))
    }

    /// The highest clock rate of the processor in MHz: cpufreq's, else that of `/proc/cpuinfo`.
    ///
    /// The largest over all CPUs; `None` where neither tells.
    #[doc(alias = "cpu_max_mhz")]
    pub fn max_mhz(&self) -> Option<f64> {
        let frequency = |cpu: u32| -> Option<f64> {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq");
            Some(self.text(path).ok()?.parse::<f64>().ok()? / 1000.0)
        };
        let from_sysfs = self.online_cpus().iter().filter_map(frequency).reduce(f64::max);
        from_sysfs.or_else(|| {
            let cpuinfo = self.text("/proc/cpuinfo").ok()?;
            let rates = cpuinfo.lines().filter_map(|line| {
                let (key, value) = line.split_once(':')?;
                let value = value.trim().trim_end_matches("MHz");
                matches!(key.trim(), "cpu MHz" | "clock" | "cpu MHz dynamic")
                    .then(|| value.parse().ok())?
            });
            rates.reduce(f64::max)
        })
    }

    /// Writes what this machine says of itself and its events into `directory`, for [`Host::recorded`].
    ///
    /// `events` are the events whose opening is tried, each with the placement to try it at.
    /// The directory is made; files in it are overwritten.
    pub fn record(&self, directory: &Path, events: &[(Attr, Placement)]) -> io::Result<()> {
        crate::record::write(self, directory, events)
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.is_recording() { "recorded" } else { "live" };
        f.debug_tuple("Host").field(&kind).finish()
    }
}

/// The name with its trailing number taken as a number, so that `cpu10` comes after `cpu9`.
fn by_number(name: &str) -> (&str, u64) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0))
}
