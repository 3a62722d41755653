//! Descriptions of events: those of a vendor's JSON files, or else those of the tables.

use crate::failure::Failure;
use crate::input::Together;
use crate::show;
use counterpoint::Machine;
use counterpoint::pmu::descriptions::{Description, Descriptions, files, folder};
use counterpoint::pmu::{Attribute, AttributeKind, Event, Pmu};
use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Describes events.
#[derive(Default)]
pub struct Words {
    /// The vendor's files, and the directory they are in.
    vendor: Option<(PathBuf, Descriptions)>,
}

/// A description in one line.
#[derive(Clone, Copy)]
pub struct Worded<'a> {
    pub text: &'a str,
    pub author: Author,
}

/// Whose words a description is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The tables of this project.
    Counterpoint,
    /// The JSON files of the vendor.
    Vendor,
}

/// The variable that names the directory if the option does not.
const VARIABLE: &str = "COUNTERPOINT_EVENTS_DIR";

impl Words {
    /// Reads the directory: one of Intel's perfmon or of Linux's `pmu-events`, with a map of processors, or the files
    /// of one processor. Without one, `COUNTERPOINT_EVENTS_DIR` names it.
    pub fn of(directory: Option<&Path>, machine: &Machine) -> Result<Words, Failure> {
        if let Some(directory) = directory {
            return Words::read(directory, machine);
        }
        let variable = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        let Some(directory) = variable.map(PathBuf::from) else { return Ok(Words::default()) };
        // As with files of definitions, what the environment names is reported and left out.
        Words::read(&directory, machine).or_else(|failure| {
            let text = failure.text;
            writeln!(show::stderr(), "counterpoint: {VARIABLE}: {text}")?;
            Ok(Words::default())
        })
    }

    fn read(directory: &Path, machine: &Machine) -> Result<Words, Failure> {
        let wrong = |path: &Path, e: Error| Failure::new(format!("{}: {e}", path.display()));
        let mut vendor = Descriptions::default();
        let mut read = Together::default();
        for file in listed(directory, machine).map_err(|e| wrong(directory, e))? {
            let text = plain(&file.path).and_then(|()| read.text(&file.path));
            let text = text.map_err(|e| wrong(&file.path, e))?;
            let errors = match file.is_standard {
                true => vendor.add_standard(&text),
                false => vendor.add(&text, file.unit),
            };
            for error in errors {
                let _ = writeln!(show::stderr(), "counterpoint: {}: {error}", file.path.display());
            }
        }
        if vendor.iter().next().is_none() {
            let text = format!("{}: no descriptions of events were found", directory.display());
            let help = "name the directory of one processor, or the one with a mapfile.csv that lists this machine's processor";
            return Err(Failure::new(text).help(help));
        }
        Ok(Words { vendor: Some((directory.to_path_buf(), vendor)) })
    }

    /// Describes an event.
    pub fn event(&self, event: &Event) -> Option<Worded<'_>> {
        self.worded(self.vendors(event, None), event.description())
    }

    /// Describes an attribute. Modifiers are described by the tables alone.
    pub fn attribute(&self, event: &Event, attribute: &Attribute) -> Option<Worded<'_>> {
        let is_umask = attribute.kind == AttributeKind::Umask;
        let vendors = is_umask.then(|| self.vendors(event, Some(attribute.name)));
        self.worded(vendors.flatten(), attribute.description())
    }

    fn worded<'a>(
        &'a self,
        vendors: Option<&'a Description>,
        own: Option<&'static str>,
    ) -> Option<Worded<'a>> {
        let vendors =
            vendors.map(|vendors| Worded { text: &vendors.brief, author: Author::Vendor });
        vendors.or_else(|| Some(Worded { text: own?, author: Author::Counterpoint }))
    }

    /// The vendor's description of an event or of one of its unit masks.
    pub fn vendors(&self, event: &Event, umask: Option<&str>) -> Option<&Description> {
        self.vendor.as_ref()?.1.of(event, umask)
    }

    /// Whose words describe the event and its unit masks.
    pub fn sources(&self, event: &Event, attributes: &[Attribute]) -> String {
        let masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
        let masks = masks.map(|mask| self.attribute(event, mask));
        let authors: Vec<Option<Author>> =
            masks.chain([self.event(event)]).map(|worded| Some(worded?.author)).collect();
        let has = |author| authors.contains(&Some(author));
        match (&self.vendor, has(Author::Vendor), has(Author::Counterpoint)) {
            (Some((path, _)), true, false) => format!("the vendor's, in {}", path.display()),
            (Some((path, _)), true, true) => {
                format!("the vendor's, in {}, and else Counterpoint's own", path.display())
            }
            (Some((path, _)), false, false) => format!("none, and none in {}", path.display()),
            (None, _, false) => "none; --descriptions DIR reads the vendor's".to_string(),
            (None, ..) if authors.contains(&None) => {
                "Counterpoint's own; --descriptions DIR reads the vendor's".to_string()
            }
            (_, _, true) => "Counterpoint's own".to_string(),
        }
    }
}

/// The description of a PMU, with the number of its counters.
pub fn about(pmu: &Pmu) -> String {
    let mut text = pmu.description.to_string();
    match (pmu.counters, pmu.fixed_counters) {
        (0, _) => {}
        (counters, 0) => text.push_str(&format!(": {counters} counters")),
        (counters, fixed) => {
            text.push_str(&format!(": {counters} counters, and {fixed} for one event each"));
        }
    }
    text
}

/// A file of descriptions.
struct File {
    path: PathBuf,
    /// The PMU that its events belong to where they do not say.
    unit: Option<&'static str>,
    /// It holds the events that all processors of an architecture have.
    is_standard: bool,
}

/// The files of this machine's processor, those that others refer to first.
fn listed(directory: &Path, machine: &Machine) -> io::Result<Vec<File>> {
    let Some(cpu) = machine.tables().cpu.as_ref() else { return json_files(directory) };
    let of_architecture = directory.join(folder(cpu));
    let text = |path: &Path| plain(path).and_then(|()| crate::input::text(path));
    let map_in = |folder: &Path| match text(&folder.join("mapfile.csv")) {
        Ok(map) => Ok(Some((folder.to_path_buf(), map))),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::new(e.kind(), format!("mapfile.csv: {e}"))),
    };
    let Some((root, map)) =
        map_in(directory)?.map_or_else(|| map_in(&of_architecture), |map| Ok(Some(map)))?
    else {
        return json_files(directory);
    };
    let mut found = json_files(&root)?;
    found.iter_mut().for_each(|file| file.is_standard = true);
    for entry in files(&map, cpu).0 {
        let path = root.join(entry.path);
        let of_entry = match path.is_dir() {
            true => json_files(&path)?,
            false => vec![File { path, unit: None, is_standard: false }],
        };
        found.extend(of_entry.into_iter().map(|file| File { unit: entry.unit, ..file }));
        not_too_many(found.len())?;
    }
    Ok(found)
}

/// Every JSON file of a directory, by name.
fn json_files(directory: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(File { path, unit: None, is_standard: false });
            not_too_many(files.len())?;
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Whether it is a file that has an end, and none that would be waited for.
fn plain(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::InvalidData, "it is not a regular file")),
    }
}

fn not_too_many(files: usize) -> io::Result<()> {
    /// No vendor has a hundred for one processor.
    const MOST: usize = 1 << 12;
    if files <= MOST {
        return Ok(());
    }
    let text = format!("it has more than {MOST} files of descriptions, which is the limit");
    Err(Error::new(ErrorKind::InvalidData, text))
}
