use crate::{Attr, Errno, Exclude, Host, Kernel, OpenRequest, Placement, Refusal, output};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// The file of a recording that holds the kernel's answers to opening events.
const OPENS: &str = "opens.tsv";
const HEADER: &str = "type\tconfig\tconfig1\tconfig2\texclude\tresult";

/// A directory that holds a machine's `proc/` and `sys/` files, and what it answered to opening events.
pub(crate) struct Recording {
    directory: PathBuf,
    opens: HashMap<Key, Option<Errno>>,
}

/// `type`, `config`, `config1`, `config2`, and the letters of the excluded levels.
type Key = (u32, u64, u64, u64, String);

fn key(attr: &Attr) -> Key {
    (attr.kind, attr.config, attr.config1, attr.config2, attr.exclude.letters())
}

impl Recording {
    pub(crate) fn load(directory: &Path) -> io::Result<Recording> {
        if !directory.is_dir() {
            let what = "no directory of a recorded machine; make one with `counterpoint doctor --record DIR`";
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("{}: {what}", directory.display()),
            ));
        }
        let path = directory.join(OPENS);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(e),
        };
        let mut opens = HashMap::new();
        for (number, line) in
            text.lines().enumerate().filter(|(n, line)| *n > 0 && !line.is_empty())
        {
            let (key, answer) = parse_line(line).ok_or_else(|| {
                let what = format!("{}:{}: not of the form `{HEADER}`", path.display(), number + 1);
                io::Error::new(io::ErrorKind::InvalidData, what.replace('\t', " "))
            })?;
            opens.insert(key, answer);
        }
        Ok(Recording { directory: directory.to_path_buf(), opens })
    }

    /// The file's place in the recording; a path that climbs out of it does not exist.
    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        let relative = path.strip_prefix("/").map_err(|_| io::ErrorKind::NotFound)?;
        let plain = relative.components().all(|c| matches!(c, std::path::Component::Normal(_)));
        if plain { Ok(self.directory.join(relative)) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

fn parse_line(line: &str) -> Option<(Key, Option<Errno>)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[kind, config, config1, config2, exclude, result] = fields.as_slice() else { return None };
    let hex = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let exclude = Exclude::from_letters(exclude)?;
    let attr = Attr {
        kind: kind.parse().ok()?,
        config: hex(config)?,
        config1: hex(config1)?,
        config2: hex(config2)?,
        exclude,
        ..Attr::default()
    };
    let answer = if result == "ok" { None } else { Some(result.parse().ok()?) };
    Some((key(&attr), answer))
}

impl Kernel for Recording {
    fn open(&self, _: &OpenRequest<'_>) -> Result<OwnedFd, Refusal> {
        Err(Errno::ENOSYS.into())
    }

    fn id(&self, _: BorrowedFd<'_>) -> Result<u64, Errno> {
        Err(Errno::ENOSYS)
    }

    fn read(&self, _: BorrowedFd<'_>, _: &mut [u64]) -> Result<usize, Errno> {
        Err(Errno::ENOSYS)
    }

    fn enable(&self, _: BorrowedFd<'_>) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }

    fn disable(&self, _: BorrowedFd<'_>) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(self.place(path)?)
    }

    fn directory(&self, path: &Path) -> io::Result<Vec<String>> {
        names(&self.place(path)?)
    }

    fn open_directory(&self, _: &Path) -> io::Result<OwnedFd> {
        Err(Errno::ENOSYS.into())
    }

    fn raise_open_files(&self) -> Result<u64, Errno> {
        Err(Errno::ENOSYS)
    }

    fn probe(&self, request: &OpenRequest<'_>) -> Result<(), Refusal> {
        match self.opens.get(&key(request.attr)) {
            Some(None) => Ok(()),
            Some(Some(errno)) => Err((*errno).into()),
            None => Err(Errno::ENODATA.into()),
        }
    }

    fn is_recording(&self) -> bool {
        true
    }
}

/// The names in a directory of the file system.
pub(crate) fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

/// The files that say what a machine is and allows.
const FILES: [&str; 13] = [
    "/proc/cpuinfo",
    "/proc/version",
    "/proc/self/limits",
    "/proc/self/mounts",
    "/proc/sys/kernel/kptr_restrict",
    "/proc/sys/kernel/nmi_watchdog",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/perf_event_max_sample_rate",
    "/proc/sys/kernel/perf_event_mlock_kb",
    "/proc/sys/kernel/perf_event_paranoid",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
];

/// The lines of `/proc/self/status` that bear on counting; the others say more of the user than they should.
const STATUS: [&str; 10] = [
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
];

pub(crate) fn write(host: &Host, into: &Path, events: &[(Attr, Placement)]) -> io::Result<()> {
    output::create_directory(into)?;
    let copy = |path: String| match host.kernel().file(Path::new(&path)) {
        Ok(bytes) => save(into, &path, &bytes),
        Err(_) => Ok(()),
    };
    FILES.iter().try_for_each(|path| copy(path.to_string()))?;
    let status = host.text("/proc/self/status").unwrap_or_default();
    let kept = status
        .lines()
        .filter(|line| line.split_once(':').is_some_and(|(key, _)| STATUS.contains(&key)));
    let kept: String = kept.flat_map(|line| [line, "\n"]).collect();
    save(into, "/proc/self/status", kept.as_bytes())?;
    for cpu in host.online_cpus().iter() {
        for name in [
            "topology/core_id",
            "topology/physical_package_id",
            "cpufreq/cpuinfo_max_freq",
            "regs/identification/midr_el1",
        ] {
            copy(format!("/sys/devices/system/cpu/cpu{cpu}/{name}"))?;
        }
    }
    let devices = "/sys/bus/event_source/devices";
    for pmu in host.names(devices) {
        for name in ["type", "cpumask", "cpus"] {
            copy(format!("{devices}/{pmu}/{name}"))?;
        }
        for folder in ["format", "events", "caps", "interface"] {
            for name in host.names(format!("{devices}/{pmu}/{folder}")) {
                copy(format!("{devices}/{pmu}/{folder}/{name}"))?;
            }
        }
    }
    save(into, &format!("/{OPENS}"), opens(host, events).as_bytes())
}

/// Tries every event with all levels, and again in user space only where that was not permitted.
fn opens(host: &Host, events: &[(Attr, Placement)]) -> String {
    let mut text = format!("{HEADER}\n");
    let mut answer = |attr: &Attr, placement: &Placement| -> Option<Errno> {
        let refusal = host.probe(attr, placement).err().map(|e| e.errno);
        let (kind, config, config1, config2, exclude) = key(attr);
        let result = refusal.map_or("ok".to_string(), |errno| errno.to_string());
        text.push_str(&format!(
            "{kind}\t{config:#x}\t{config1:#x}\t{config2:#x}\t{exclude}\t{result}\n"
        ));
        refusal
    };
    for (attr, placement) in events {
        if matches!(answer(attr, placement), Some(Errno::EACCES | Errno::EPERM | Errno::ENOENT)) {
            answer(&attr.user_only(), placement);
        }
    }
    text
}

fn save(into: &Path, path: &str, bytes: &[u8]) -> io::Result<()> {
    let path = into.join(path.trim_start_matches('/'));
    if let Some(parent) = path.parent() {
        output::create_directory(parent)?;
    }
    output::create(&path)?.write_all(bytes)
}
