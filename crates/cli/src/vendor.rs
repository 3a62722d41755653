//! The vendor's files of events: `--vendor-events DIR`, `COUNTERPOINT_EVENTS_DIR`, or those of the system.

use crate::failure::Failure;
use crate::input::Together;
use crate::show;
use counterpoint::Machine;
use counterpoint::pmu::CpuId;
use counterpoint::pmu::vendor::{Events, MapEntry, all_files, files, folder};
use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

// The directory of the files with the events of the processor's vendor.
#[derive(clap::Args)]
pub struct VendorArgs {
    /// Read events and their descriptions from a vendor's JSON files: Intel's perfmon, Linux's pmu-events, or the files of one processor; without the option, from the directory that COUNTERPOINT_EVENTS_DIR names, or else from /usr/share/counterpoint/events
    #[arg(long = "vendor-events", aliases = ["events", "descriptions"], value_name = "DIR")]
    vendor_events: Option<PathBuf>,
}

/// The variable that names the directory if the option does not.
const VARIABLE: &str = "COUNTERPOINT_EVENTS_DIR";
/// The directory of the system.
const SYSTEM: &str = "/usr/share/counterpoint/events";

impl VendorArgs {
    /// Those of a command that has its own option for the directory.
    pub fn of(vendor_events: Option<PathBuf>) -> VendorArgs {
        VendorArgs { vendor_events }
    }

    /// The machine with the events of its processor.
    ///
    /// A directory of the option is read now, and a mistake in it ends the command; another one is read when a name is
    /// looked up that nothing else has, and reported and left out if it cannot be read.
    pub fn with(&self, machine: Machine) -> Result<Machine, Failure> {
        self.with_beside(machine, &[])
    }

    /// Like [`VendorArgs::with`]; if no directory is named, the events beside the metrics of these directories are read.
    pub fn with_beside(&self, machine: Machine, metrics: &[PathBuf]) -> Result<Machine, Failure> {
        if let Some(directory) = &self.vendor_events {
            let events = read(directory, machine.cpu().as_ref())?;
            return Ok(machine.with_vendor(events));
        }
        let beside = metrics.iter().find(|path| has_map(path, &machine)).cloned();
        let named = self.named();
        let is_named = named.is_some();
        let Some(directory) = named.or(beside).or_else(|| self.directory()) else {
            return Ok(machine);
        };
        Ok(machine.with_vendor_source(move |machine| {
            read(&directory, machine.cpu().as_ref()).unwrap_or_else(|failure| {
                // A directory that nobody named serves many processors, and need not have this one.
                if is_named {
                    let _ = writeln!(show::stderr(), "counterpoint: {VARIABLE}: {}", failure.text);
                }
                Events::default()
            })
        }))
    }

    /// The directory that is read.
    pub fn directory(&self) -> Option<PathBuf> {
        self.named().or_else(|| Some(PathBuf::from(SYSTEM)).filter(|path| path.is_dir()))
    }

    /// The directory that the option or the variable names.
    fn named(&self) -> Option<PathBuf> {
        let variable = || std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        self.vendor_events.clone().or_else(|| variable().map(PathBuf::from))
    }
}

/// Returns true if a directory has a map of processors, by which events are found.
fn has_map(directory: &Path, machine: &Machine) -> bool {
    let of_architecture = machine.cpu().map(|cpu| directory.join(folder(&cpu)));
    let folders = std::iter::once(directory.to_path_buf()).chain(of_architecture);
    folders.into_iter().any(|folder| folder.join("mapfile.csv").is_file())
}

/// Reads a directory: one of Intel's perfmon or of Linux's `pmu-events`, with a map of processors, or the files of one
/// processor.
pub fn read(directory: &Path, cpu: Option<&CpuId>) -> Result<Events, Failure> {
    let wrong = |path: &Path, e: Error| Failure::new(format!("{}: {e}", path.display()));
    let mut events = Events::default();
    let mut read = Together::default();
    let is_missing = |e: &Error| e.kind() == ErrorKind::NotFound;
    let unlisted = |e: Error| {
        if is_missing(&e) {
            wrong(directory, e).help("name a directory; events to count are named with -e")
        } else {
            wrong(directory, e)
        }
    };
    for file in listed(directory, cpu).map_err(unlisted)? {
        let text = plain(&file.path).and_then(|()| read.text(&file.path));
        let text = text.map_err(|e| wrong(&file.path, e))?;
        let errors = if file.is_standard {
            events.add_standard(&text)
        } else {
            events.add(&text, file.unit)
        };
        for error in errors {
            let _ = writeln!(show::stderr(), "counterpoint: {}: {error}", file.path.display());
        }
    }
    if events.is_empty() {
        let text = format!("{}: no events were found", directory.display());
        let help = "name the directory of one processor, or the one with a mapfile.csv that lists this machine's processor";
        return Err(Failure::new(text).help(help));
    }
    Ok(events)
}

/// A file of events.
struct File {
    path: PathBuf,
    /// The PMU that its events belong to where they do not say.
    unit: Option<&'static str>,
    /// It holds the events that all processors of an architecture have.
    is_standard: bool,
}

/// The files of a processor, those that others refer to first.
fn listed(directory: &Path, cpu: Option<&CpuId>) -> io::Result<Vec<File>> {
    let own = map_in(directory)?;
    let of_architecture = || match cpu {
        Some(cpu) => map_in(&directory.join(folder(cpu))),
        None => Ok(None),
    };
    match (own.map_or_else(of_architecture, |map| Ok(Some(map)))?, cpu) {
        (Some((root, map)), Some(cpu)) => of_map(&root, files(&map, cpu).0),
        _ => of_processor(directory),
    }
}

/// The map of a directory, and the directory that its paths are relative to.
pub fn map_in(folder: &Path) -> io::Result<Option<(PathBuf, String)>> {
    let path = folder.join("mapfile.csv");
    match plain(&path).and_then(|()| crate::input::text(&path)) {
        Ok(map) => Ok(Some((folder.to_path_buf(), map))),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::new(e.kind(), format!("mapfile.csv: {e}"))),
    }
}

/// The files beside a map, and those that its entries name.
fn of_map(root: &Path, entries: Vec<MapEntry<'_>>) -> io::Result<Vec<File>> {
    let mut found = json_files(root)?;
    found.iter_mut().for_each(|file| file.is_standard = true);
    for entry in entries {
        let path = root.join(entry.path);
        let of_entry = if path.is_dir() {
            json_files(&path)?
        } else {
            vec![File { path, unit: None, is_standard: false }]
        };
        found.extend(of_entry.into_iter().map(|file| File { unit: entry.unit, ..file }));
        not_too_many(found.len())?;
    }
    Ok(found)
}

/// The files of a directory that is of one processor. A map above it says which files have events, and of which kind
/// of cores they are.
fn of_processor(directory: &Path) -> io::Result<Vec<File>> {
    // The directory of a vendor, a processor and its `events`.
    const LEVELS: usize = 3;
    let whole = std::fs::canonicalize(directory)?;
    for root in whole.ancestors().skip(1).take(LEVELS) {
        let Some((_, map)) = map_in(root)? else { continue };
        let mut entries = all_files(&map);
        entries.retain(|entry| root.join(entry.path).starts_with(&whole));
        entries.sort_by_key(|entry| (entry.path, entry.unit));
        entries.dedup();
        if !entries.is_empty() {
            return of_map(root, entries);
        }
    }
    let mut found = json_files(directory)?;
    let events = directory.join("events");
    if events.is_dir() {
        found.extend(json_files(&events)?);
    }
    Ok(found)
}

/// Every JSON file of a directory, by name.
fn json_files(directory: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        // Linux keeps the descriptions of groups of metrics beside the events.
        let is_other = path.file_name().is_some_and(|name| name == "metricgroups.json");
        if path.extension().is_some_and(|extension| extension == "json") && !is_other {
            files.push(File { path, unit: None, is_standard: false });
            not_too_many(files.len())?;
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Returns an error unless it is a file that has an end, and none that would be waited for.
pub fn plain(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::InvalidData, "it is not a regular file"))
    }
}

pub fn not_too_many(files: usize) -> io::Result<()> {
    /// No vendor has a hundred for one processor.
    const MOST: usize = 1 << 12;
    if files <= MOST {
        return Ok(());
    }
    let text = format!("it has more than {MOST} files of events, which is the limit");
    Err(Error::new(ErrorKind::InvalidData, text))
}
