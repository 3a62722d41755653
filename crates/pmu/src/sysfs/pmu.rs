//! A PMU from the files of its directory.

use super::error::{FileError, FileErrorKind};
use super::format::Format;
use crate::syntax::{self, Term, Value};

/// One directory of `/sys/bus/event_source/devices`.
///
/// ```
/// use counterpoint_pmu::{syntax, sysfs};
///
/// let cpu = sysfs::Pmu::from_files(
///     "cpu",
///     4,
///     [("event", "config:0-7\n"), ("umask", "config:8-15\n"), ("ldlat", "config1:0-15\n")],
///     [("mem-loads", "event=0xcd,umask=0x1,ldlat=3\n")],
/// );
/// let groups = syntax::parse("cpu/mem-loads,ldlat=30/").unwrap();
/// let syntax::Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!() };
/// let config = cpu.encode(terms).unwrap();
/// assert_eq!((config.config, config.config1), (0x1cd, 30));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Pmu {
    /// The directory's name.
    pub name: String,
    /// The number in its file `type`, for `perf_event_attr.type`.
    pub kind: u32,
    /// The fields of its directory `format`.
    pub formats: Vec<Format>,
    /// The named events of its directory `events`.
    pub events: Vec<Event>,
    /// Files that cannot be understood; the rest is usable without them.
    pub problems: Vec<FileError>,
}

/// A named event of a PMU: a file of its directory `events`, and the files beside it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Event {
    /// The file's name.
    pub name: String,
    /// Its content; the caller must supply a value `?`.
    pub terms: Vec<Term>,
    /// `NAME.scale`: the factor of a count.
    pub scale: Option<f64>,
    /// `NAME.unit`: the unit of the scaled count.
    pub unit: Option<String>,
    /// `NAME.per-pkg`: one count for a whole package, to be read on one CPU of it.
    pub per_package: bool,
    /// `NAME.snapshot`: a state at the time of reading, not to be summed.
    pub snapshot: bool,
}

impl Event {
    /// An event of these terms, which is counted as it is.
    pub fn new(name: &str, terms: Vec<Term>) -> Event {
        Event { name: name.to_owned(), terms, ..Event::default() }
    }

    /// The terms that must be supplied, such as `core` of `domain=0x2,offset=0xe0,core=?`.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter(|term| is_placeholder(term)).map(|term| term.name.as_str())
    }
}

/// The event that a file of `events` belongs to, and the ending that names its property, if it has one.
fn split_ending(file: &str) -> (&str, Option<&str>) {
    // An event's own name may hold dots, so only the endings that the kernel knows are split off.
    let ending = ["scale", "unit", "per-pkg", "snapshot"].into_iter().find_map(|ending| {
        let name = file.strip_suffix(ending)?.strip_suffix('.')?;
        Some((name, Some(ending)))
    });
    ending.unwrap_or((file, None))
}

/// Returns true if two files of `events` belong to the same event.
pub fn is_about(file: &str, other: &str) -> bool {
    split_ending(file).0 == split_ending(other).0
}

impl Pmu {
    /// A PMU from the number in `type` and the names and contents of the files in `format` and `events`.
    pub fn from_files<'a>(
        name: &str,
        kind: u32,
        formats: impl IntoIterator<Item = (&'a str, &'a str)>,
        events: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Pmu {
        let mut pmu = Pmu {
            name: name.to_owned(),
            kind,
            formats: Vec::new(),
            events: Vec::new(),
            problems: Vec::new(),
        };
        for (file, text) in formats {
            match Format::parse(file, text) {
                Ok(format) => pmu.formats.push(format),
                Err(kind) => pmu.problem("format", file, kind),
            }
        }
        for (file, text) in events {
            if let Err(kind) = pmu.event_file(file, text.trim()) {
                pmu.problem("events", file, kind);
            }
        }
        // Files beside an event are useless without it, and without its scale its value would be wrong.
        let unscaled: Vec<String> = pmu
            .problems
            .iter()
            .filter(|p| p.kind == FileErrorKind::Scale)
            .map(|p| p.file.clone())
            .collect();
        let is_scaled = |event: &Event| {
            !unscaled
                .iter()
                .any(|file| is_about(file.rsplit('/').next().unwrap_or(file), &event.name))
        };
        pmu.events.retain(|event| !event.terms.is_empty() && is_scaled(event));
        pmu.formats.sort_by(|a, b| a.name.cmp(&b.name));
        pmu.events.sort_by(|a, b| a.name.cmp(&b.name));
        pmu
    }

    /// The field of this name.
    pub fn format(&self, name: &str) -> Option<&Format> {
        self.formats.iter().find(|format| format.name == name)
    }

    /// The event of this name, in any case if none has it exactly.
    pub fn event(&self, name: &str) -> Option<&Event> {
        let exact = self.events.iter().find(|event| event.name == name);
        exact.or_else(|| self.events.iter().find(|event| event.name.eq_ignore_ascii_case(name)))
    }

    fn problem(&mut self, directory: &str, file: &str, kind: FileErrorKind) {
        self.problems.push(FileError { file: format!("{}/{directory}/{file}", self.name), kind });
    }

    /// One file of `events`, which may come before or after the others of its event.
    fn event_file(&mut self, file: &str, text: &str) -> Result<(), FileErrorKind> {
        let (name, Some(ending)) = split_ending(file) else {
            let terms = syntax::terms(text).map_err(FileErrorKind::Terms)?;
            if terms.is_empty() {
                return Err(FileErrorKind::Empty);
            }
            self.entry(file).terms = terms;
            return Ok(());
        };
        match ending {
            "scale" => {
                let scale = text.parse().ok().filter(|scale: &f64| scale.is_finite());
                self.entry(name).scale = Some(scale.ok_or(FileErrorKind::Scale)?);
            }
            "unit" => self.entry(name).unit = Some(text.to_owned()),
            "per-pkg" => self.entry(name).per_package = text != "0",
            _ => self.entry(name).snapshot = text != "0",
        }
        Ok(())
    }

    fn entry(&mut self, name: &str) -> &mut Event {
        let index = self.events.iter().position(|event| event.name == name).unwrap_or_else(|| {
            self.events.push(Event { name: name.to_owned(), ..Event::default() });
            self.events.len() - 1
        });
        &mut self.events[index]
    }
}

/// `name=?`
pub(super) fn is_placeholder(term: &Term) -> bool {
    matches!(&term.value, Value::Text(text) if text == "?")
}
