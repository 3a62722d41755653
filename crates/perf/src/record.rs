//! Recording of a machine: its files, and the results of opening events.

use crate::answers::{self, Answers};
use crate::recorded::{MAX_BYTES, RecordedFiles, error_at, read, size, too_large};
use crate::{Attr, Errno, Host, Placement, cpuid, output, shown};
use std::io::{self, Write};
use std::path::Path;

impl Host {
    /// A machine that [`Host::record`] recorded: it shows which events can be opened, but cannot count.
    ///
    /// A file that is not in `directory` does not exist on that machine.
    /// The error names `directory` if it is not one, the invalid line of `opens.tsv` or `cpuid.tsv`, or the file with which the recording exceeds 256 MiB.
    pub fn recorded(directory: &Path) -> io::Result<Host> {
        let mut files = RecordedFiles::below(directory)?;
        files.cpuid = parsed(directory, CPUID, cpuid::parse)?;
        let answers = parsed(directory, OPENS, Answers::parse)?;
        let host = Host::with_answers(files, answers);
        check_size(&host, directory)?;
        Ok(host)
    }

    /// Records this machine into `directory`, for [`Host::recorded`].
    ///
    /// `events` are the events to try to open, each with its placement.
    /// The directory is created, and files in it are overwritten.
    pub fn record(&self, directory: &Path, events: &[(Attr, Placement)]) -> io::Result<()> {
        output::create_directory(directory)?;
        for path in files(self, Path::new("/"))? {
            if let Ok(bytes) = self.bytes(&path) {
                save(directory, &path, &bytes)?;
            }
        }
        // The contents of these tables are for root only, and which there are shows what the machine has.
        for name in self.names(TABLES) {
            save(directory, &format!("{TABLES}/{name}"), b"")?;
        }
        let leaves = cpuid::RECORDED.into_iter().filter_map(|leaf| Some((leaf, self.cpuid(leaf)?)));
        if self.cpuid(0).is_some() {
            save(directory, &format!("/{CPUID}"), cpuid::print(leaves).as_bytes())?;
        }
        let status = self.text(STATUS_FILE).unwrap_or_default();
        let kept = status
            .lines()
            .filter(|line| line.split_once(':').is_some_and(|(key, _)| STATUS.contains(&key)));
        let kept: String = kept.flat_map(|line| [line, "\n"]).collect();
        save(directory, STATUS_FILE, kept.as_bytes())?;
        save(directory, &format!("/{OPENS}"), opens(self, events).as_bytes())
    }
}

/// The file of a recording with the results of opening events.
const OPENS: &str = "opens.tsv";
/// The file of a recording with leaves of `CPUID`, if the machine has them.
const CPUID: &str = "cpuid.tsv";
/// The directory of the firmware's tables, whose names are recorded.
const TABLES: &str = "/sys/firmware/acpi/tables";
/// The maximum number of files of a recording; links can show a directory many times.
const MAX_FILES: usize = 1 << 17;

/// Parses a file of a recording; nothing if it does not exist.
fn parsed<T: Default>(
    directory: &Path,
    name: &str,
    parse: impl Fn(&[u8]) -> Result<T, (usize, String)>,
) -> io::Result<T> {
    let path = directory.join(name);
    match read(&path) {
        Ok(bytes) => parse(&bytes).map_err(|(line, problem)| {
            let problem = format!("{}:{line}: {problem}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, problem)
        }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(e) => Err(e),
    }
}

/// Checks the size of a recording; the error names the file with which it is too large.
fn check_size(host: &Host, directory: &Path) -> io::Result<()> {
    let mut left = MAX_BYTES;
    let others = [STATUS_FILE, OPENS, CPUID].map(str::to_string);
    for path in files(host, directory)?.into_iter().chain(others) {
        let path = directory.join(path.trim_start_matches('/'));
        left = left.checked_sub(size(&path)?).ok_or_else(|| too_large(&path))?;
    }
    Ok(())
}

/// The files that describe a machine and what it permits.
const FILES: [&str; 17] = [
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/version",
    "/proc/self/limits",
    "/proc/self/mounts",
    "/proc/self/uid_map",
    "/proc/sys/kernel/kptr_restrict",
    "/proc/sys/kernel/nmi_watchdog",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/perf_event_max_sample_rate",
    "/proc/sys/kernel/perf_event_mlock_kb",
    "/proc/sys/kernel/perf_event_paranoid",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
    "/sys/devices/system/cpu/smt/active",
    "/sys/devices/system/node/online",
];

const STATUS_FILE: &str = "/proc/self/status";
/// The lines that matter for counting; the others would reveal more about the user than necessary.
const STATUS: [&str; 17] = [
    "Name",
    "Uid",
    "Gid",
    "CapInh",
    "CapPrm",
    "CapEff",
    "CapBnd",
    "NoNewPrivs",
    "Seccomp",
    "Seccomp_filters",
    // Numbers that are counted.
    "VmHWM",
    "VmRSS",
    "VmSize",
    "VmSwap",
    "Threads",
    "voluntary_ctxt_switches",
    "nonvoluntary_ctxt_switches",
];

/// The files of a recording, as far as the machine has them, except those that are composed.
fn files(host: &Host, root: &Path) -> io::Result<Vec<String>> {
    let names = |path: &str| match host.directory(path) {
        // Too many names are an error, unlike a directory that cannot be read.
        Err(e) if e.kind() == io::ErrorKind::InvalidData => Err(e),
        names => Ok(names.unwrap_or_default()),
    };
    let mut files: Vec<String> = FILES.map(str::to_string).to_vec();
    files.extend(shown::files(host));
    for cpu in host.online_cpus().iter() {
        let of_cpu = [
            "topology/core_id",
            "topology/physical_package_id",
            "topology/die_id",
            "topology/core_cpus_list",
            "topology/thread_siblings_list",
            "topology/die_cpus_list",
            "topology/package_cpus_list",
            "cpufreq/base_frequency",
            "cpufreq/cpuinfo_max_freq",
            "acpi_cppc/nominal_freq",
            "regs/identification/midr_el1",
        ];
        files.extend(of_cpu.map(|name| format!("/sys/devices/system/cpu/cpu{cpu}/{name}")));
    }
    for cpu in host.online_cpus().iter() {
        let caches = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
        let indexes = names(&caches)?.into_iter().filter(|name| name.starts_with("index"));
        files.extend(indexes.flat_map(|index| {
            ["level", "type", "shared_cpu_list"].map(|file| format!("{caches}/{index}/{file}"))
        }));
    }
    let nodes = "/sys/devices/system/node";
    let numbered =
        |name: &String| name.strip_prefix("node").is_some_and(|n| n.parse::<u32>().is_ok());
    let nodes_of = names(nodes)?.into_iter().filter(numbered);
    files.extend(nodes_of.map(|node| format!("{nodes}/{node}/cpulist")));
    let devices = "/sys/bus/event_source/devices";
    for pmu in names(devices)? {
        files.extend(["type", "cpumask", "cpus"].map(|name| format!("{devices}/{pmu}/{name}")));
        for name in ["format", "events", "caps", "interface"] {
            let folder = format!("{devices}/{pmu}/{name}");
            files.extend(names(&folder)?.iter().map(|name| format!("{folder}/{name}")));
            if files.len() > MAX_FILES {
                let problem = format!(
                    "with this directory, the machine has more than {MAX_FILES} files, the maximum"
                );
                let folder = root.join(folder.trim_start_matches('/'));
                return Err(error_at(&folder, io::ErrorKind::InvalidData, problem));
            }
        }
    }
    Ok(files)
}

/// Tries to open every event at all levels, and where that is not permitted again in user space only.
fn opens(host: &Host, events: &[(Attr, Placement)]) -> String {
    let mut results = Vec::new();
    for (attr, placement) in events {
        let mut attempt = |attr: Attr| -> Option<Errno> {
            let errno = host.probe(&attr, placement).err().map(|error| error.errno);
            results.push((attr, errno));
            errno
        };
        let first = attempt(attr.clone());
        if matches!(first, Some(Errno::EACCES | Errno::EPERM | Errno::ENOENT)) {
            attempt(attr.user_only());
        }
    }
    answers::print(results)
}

fn save(directory: &Path, path: &str, bytes: &[u8]) -> io::Result<()> {
    let path = directory.join(path.trim_start_matches('/'));
    if let Some(parent) = path.parent() {
        output::create_directory(parent)?;
    }
    let mut file = output::create(&path)?;
    file.write_all(bytes)?;
    file.publish()
}
