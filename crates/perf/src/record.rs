use crate::{Attr, Errno, Exclude, Host, Kernel, OpenRequest, Placement, Refusal, output};
use std::collections::HashMap;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read, Write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// The file of a recording that holds the kernel's answers to opening events.
const OPENS: &str = "opens.tsv";
const HEADER: &str = "type\tconfig\tconfig1\tconfig2\texclude\tresult";
/// What the files of a recording may hold together, in bytes, and so the most that one of them may.
const MOST: u64 = 256 << 20;
/// The most names in one directory of a recording; the 24x7 events of a large machine are some ten thousand.
const MOST_NAMES: usize = 1 << 15;
/// The most files of a recording; a directory can be there many times, by links.
const MOST_FILES: usize = 1 << 17;

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
            return Err(at(directory, io::ErrorKind::NotFound, what));
        }
        let path = directory.join(OPENS);
        let opens = match read(&path) {
            Ok(bytes) => opens_of(&path, &bytes)?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => HashMap::new(),
            Err(e) => return Err(e),
        };
        Ok(Recording { directory: directory.to_path_buf(), opens })
    }

    /// Whether what a recording consists of is no more than can be kept; the error names the file that is too much.
    pub(crate) fn check(host: &Host, directory: &Path) -> io::Result<()> {
        let mut left = MOST;
        let others = [STATUS_FILE, OPENS].map(str::to_string);
        for path in files(host, directory)?.into_iter().chain(others) {
            let path = directory.join(path.trim_start_matches('/'));
            left = left.checked_sub(size(&path)?).ok_or_else(|| too_large(&path))?;
        }
        Ok(())
    }

    /// The file's place in the recording; a path that climbs out of it does not exist.
    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        let relative = path.strip_prefix("/").map_err(|_| io::ErrorKind::NotFound)?;
        let plain = relative.components().all(|c| matches!(c, std::path::Component::Normal(_)));
        if plain { Ok(self.directory.join(relative)) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

fn at(path: &Path, kind: io::ErrorKind, what: impl std::fmt::Display) -> io::Error {
    io::Error::new(kind, format!("{}: {what}", path.display()))
}

fn too_large(path: &Path) -> io::Error {
    let limit = MOST >> 20;
    let what =
        format!("with it, the recorded machine has more than {limit} MiB, which is the most");
    at(path, io::ErrorKind::InvalidData, what)
}

/// How many bytes a file holds, as far as it tells; none where there is no file.
fn size(path: &Path) -> io::Result<u64> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(found.len()),
        // It would be waited for.
        Ok(found) if !found.is_dir() => {
            Err(at(path, io::ErrorKind::InvalidData, "no plain file, as a recorded machine has"))
        }
        _ => Ok(0),
    }
}

/// The content of a file of a recording.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    size(path)?;
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST { Err(too_large(path)) } else { Ok(bytes) }
}

/// The answers of `opens.tsv`; of two for the same event, the last.
fn opens_of(path: &Path, bytes: &[u8]) -> io::Result<HashMap<Key, Option<Errno>>> {
    let mut opens = HashMap::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        match std::str::from_utf8(line).ok().and_then(parse_line) {
            Some((key, answer)) => drop(opens.insert(key, answer)),
            // The header, which may be missing.
            None if number == 0 => {}
            None => {
                let what = format!("{}:{}: not of the form `{HEADER}`", path.display(), number + 1);
                return Err(io::Error::new(io::ErrorKind::InvalidData, what.replace('\t', " ")));
            }
        }
    }
    Ok(opens)
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
        read(&self.place(path)?)
    }

    fn directory(&self, path: &Path) -> io::Result<Vec<String>> {
        let place = self.place(path)?;
        let names: Vec<String> =
            entries(&place)?.take(MOST_NAMES + 1).collect::<io::Result<_>>()?;
        if names.len() > MOST_NAMES {
            let what = format!("more than {MOST_NAMES} names, which is the most of a directory");
            return Err(at(&place, io::ErrorKind::InvalidData, what));
        }
        Ok(names)
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
    entries(directory)?.collect()
}

fn entries(directory: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    let name = |entry: io::Result<DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    Ok(fs::read_dir(directory)?.map(name))
}

/// The files that say what a machine is and allows.
const FILES: [&str; 14] = [
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
];

const STATUS_FILE: &str = "/proc/self/status";
/// The lines of it that bear on counting; the others say more of the user than they should.
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

/// The files that a recording consists of, as far as the machine has them, but for the two that are written anew.
fn files(host: &Host, root: &Path) -> io::Result<Vec<String>> {
    let names = |path: &str| match host.directory(path) {
        // What is too much is no directory that cannot be read.
        Err(e) if e.kind() == io::ErrorKind::InvalidData => Err(e),
        names => Ok(names.unwrap_or_default()),
    };
    let mut files: Vec<String> = FILES.map(str::to_string).to_vec();
    for cpu in host.online_cpus().iter() {
        let of_cpu = [
            "topology/core_id",
            "topology/physical_package_id",
            "cpufreq/cpuinfo_max_freq",
            "regs/identification/midr_el1",
        ];
        files.extend(of_cpu.map(|name| format!("/sys/devices/system/cpu/cpu{cpu}/{name}")));
    }
    let devices = "/sys/bus/event_source/devices";
    for pmu in names(devices)? {
        files.extend(["type", "cpumask", "cpus"].map(|name| format!("{devices}/{pmu}/{name}")));
        for folder in ["format", "events", "caps", "interface"] {
            let folder = format!("{devices}/{pmu}/{folder}");
            files.extend(names(&folder)?.iter().map(|name| format!("{folder}/{name}")));
            if files.len() > MOST_FILES {
                let what = format!(
                    "with it, the machine has more than {MOST_FILES} files, which is the most"
                );
                let folder = root.join(folder.trim_start_matches('/'));
                return Err(at(&folder, io::ErrorKind::InvalidData, what));
            }
        }
    }
    Ok(files)
}

pub(crate) fn write(host: &Host, into: &Path, events: &[(Attr, Placement)]) -> io::Result<()> {
    output::create_directory(into)?;
    for path in files(host, Path::new("/"))? {
        if let Ok(bytes) = host.bytes(&path) {
            save(into, &path, &bytes)?;
        }
    }
    let status = host.text(STATUS_FILE).unwrap_or_default();
    let kept = status
        .lines()
        .filter(|line| line.split_once(':').is_some_and(|(key, _)| STATUS.contains(&key)));
    let kept: String = kept.flat_map(|line| [line, "\n"]).collect();
    save(into, STATUS_FILE, kept.as_bytes())?;
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
