//! The open files of a set, and the counts and levels of their numbers.

use super::name::Chosen;
use super::place::{Cell, cells};
use super::subject::Subject;
use super::table::{FieldKind, Scope};
use super::tally::Tally;
use super::watched::Watched;
use crate::report::values::Reason;
use crate::sources::level::Readings;
use crate::sources::source::{Measure, Meter, Opening, Reading, add};
use counterpoint_perf::Host;
use counterpoint_perf::process::{command_times, keep_last_text};
use std::time::Instant;

/// Reads the files of the sources of a set, each file once.
#[derive(Debug)]
pub(super) struct FilesMeter {
    files: Vec<Watched>,
    numbers: Vec<Numbers>,
    subject: Subject,
    is_running: bool,
}

/// The numbers of a source.
#[derive(Debug)]
struct Numbers {
    /// The place of its reading.
    place: usize,
    chosen: Chosen,
    /// The numbers of each CPU, or all.
    groups: Vec<Group>,
    /// The reason why its files are not known.
    missing: Option<Reason>,
}

/// Numbers that are added up.
#[derive(Debug)]
struct Group {
    cpu: Option<u32>,
    members: Vec<Member>,
    /// The readings of a level.
    level: Readings,
}

#[derive(Debug)]
struct Member {
    file: usize,
    number: usize,
    tally: Tally,
    most: Option<i64>,
}

impl FilesMeter {
    pub(super) fn open(sources: Vec<(usize, Chosen)>, opening: &Opening<'_>) -> FilesMeter {
        let subject = Subject::of(opening.target, opening.host);
        let number = |(place, chosen)| Numbers { place, chosen, groups: Vec::new(), missing: None };
        let numbers = sources.into_iter().map(number).collect();
        let mut meter = FilesMeter { files: Vec::new(), numbers, subject, is_running: false };
        meter.find(opening.host);
        meter
    }

    /// Finds the files of the sources whose instances were not there before.
    fn find(&mut self, host: &Host) {
        for at in 0..self.numbers.len() {
            let numbers = &self.numbers[at];
            if !numbers.groups.is_empty() {
                continue;
            }
            match cells(host, &numbers.chosen, &self.subject) {
                Ok(cells) => {
                    self.numbers[at].missing = None;
                    cells.into_iter().for_each(|cell| self.add(at, cell));
                }
                Err(reason) => self.numbers[at].missing = Some(reason),
            }
        }
    }

    /// Adds a number of a source; a file that is read already is not read again.
    fn add(&mut self, at: usize, cell: Cell) {
        let file = self.files.iter().position(|file| file.path == cell.path).unwrap_or_else(|| {
            let of = self.numbers[at].chosen.field.file;
            if let Some(pid) = cell.command {
                keep_last_text(pid, &cell.path);
            }
            self.files.push(Watched::new(cell.path, cell.command, of.form, of.needs_root));
            self.files.len() - 1
        });
        let number = self.files[file].want(&cell.place);
        let tally = if self.is_running { Tally::late() } else { Tally::default() };
        let member = Member { file, number, tally, most: cell.most };
        let groups = &mut self.numbers[at].groups;
        match groups.iter_mut().find(|group| group.cpu == cell.cpu) {
            Some(group) => group.members.push(member),
            None => groups.push(Group {
                cpu: cell.cpu,
                members: vec![member],
                level: Readings::default(),
            }),
        }
    }

    /// Reads all files, and notes what they have.
    fn note(&mut self, host: &Host) {
        if self.numbers.iter().any(|numbers| numbers.groups.is_empty()) {
            self.find(host);
        }
        self.files.iter_mut().for_each(|file| file.read(host));
        let now = Instant::now();
        for numbers in &mut self.numbers {
            for group in &mut numbers.groups {
                group.note(&self.files, numbers.chosen.field.kind, now);
            }
        }
    }

    fn reading(&self, numbers: &Numbers) -> Reading {
        if let Some(reason) = &numbers.missing {
            return Err(reason.clone());
        }
        let kind = numbers.chosen.field.kind;
        let is_split = numbers.chosen.field.file.scope == Scope::Cpu;
        match numbers.groups.as_slice() {
            [one] if !(is_split && one.cpu.is_some()) => one.reading(&self.files, kind),
            groups => Ok(Measure::Cpus(
                groups
                    .iter()
                    .filter_map(|group| Some((group.cpu?, group.reading(&self.files, kind))))
                    .collect(),
            )),
        }
    }
}

impl Group {
    fn note(&mut self, files: &[Watched], kind: FieldKind, now: Instant) {
        let reading = |member: &Member| files[member.file].reading(member.number);
        match kind {
            FieldKind::Counter(_) => {
                for member in &mut self.members {
                    let reading = files[member.file].reading(member.number);
                    member.tally.note(reading, member.most);
                }
            }
            // Of a command that is held, the numbers are those of the process that becomes it.
            FieldKind::Level if self.members.iter().any(|member| is_held(&files[member.file])) => {}
            FieldKind::Level => {
                let readings = self.members.iter().filter_map(reading);
                if let Some(sum) = readings.reduce(i64::saturating_add) {
                    self.level.note(sum, now);
                }
            }
        }
    }

    fn reading(&self, files: &[Watched], kind: FieldKind) -> Reading {
        let known = match kind {
            FieldKind::Level => self.level.level().map(Measure::Level),
            FieldKind::Counter(_) => {
                let measures = self.members.iter().filter_map(|member| member.tally.measure());
                measures
                    .map(Ok)
                    .reduce(|mut sum, one| {
                        add(&mut sum, &one);
                        sum
                    })
                    .and_then(Reading::ok)
            }
        };
        known.ok_or_else(|| match self.members.first() {
            Some(member) => files[member.file].reason(member.number),
            None => Reason::NeverRan,
        })
    }

    fn stop(&mut self) {
        self.level.stop();
        self.members.iter_mut().for_each(|member| member.tally.stop());
    }
}

fn is_held(file: &Watched) -> bool {
    let times = file.command.and_then(command_times);
    times.is_some_and(|times| times.began.is_none())
}

impl Meter for FilesMeter {
    fn start(&mut self, host: &Host) {
        if !self.is_running {
            self.note(host);
            self.is_running = true;
        }
    }

    fn stop(&mut self, host: &Host) {
        if self.is_running {
            self.note(host);
            self.is_running = false;
            self.numbers.iter_mut().flat_map(|numbers| &mut numbers.groups).for_each(Group::stop);
        }
    }

    fn read(&mut self, host: &Host, readings: &mut [Reading]) {
        if self.is_running {
            self.note(host);
        }
        for numbers in &self.numbers {
            readings[numbers.place] = self.reading(numbers);
        }
    }

    fn has_levels(&self) -> bool {
        let is_better = |numbers: &Numbers| match numbers.chosen.field.kind {
            FieldKind::Level => true,
            FieldKind::Counter(most) => most.is_some(),
        };
        self.numbers.iter().any(is_better)
    }
}
