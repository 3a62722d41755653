//! The open files of a set, and the counts and levels of their numbers.

use super::name::Chosen;
use super::place::{Cell, cells};
use super::subject::Subject;
use super::table::{FieldKind, Scope};
use super::tally::{Tally, Wrap};
use super::watched::Watched;
use crate::report::values::Reason;
use crate::sources::level::Readings;
use crate::sources::marks::Marks;
use crate::sources::source::{Measure, Meter, Opening, Reading};
use crate::sources::usage;
use counterpoint_perf::Host;
use counterpoint_perf::process::{CommandTimes, command_times, keep_last_text};
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
    /// The numbers of each CPU, or all; empty while its files are not known.
    groups: Vec<Group>,
    /// The readings at which its files were not known.
    missing: Marks,
}

/// Numbers that are added up.
#[derive(Debug)]
struct Group {
    cpu: Option<u32>,
    members: Vec<Member>,
    /// The readings of a level, or of a peak.
    level: Readings,
    /// The peak of a command before its exec.
    held: Option<i128>,
}

#[derive(Debug)]
struct Member {
    file: usize,
    number: usize,
    tally: Tally,
    wrap: Option<Wrap>,
}

impl FilesMeter {
    pub(super) fn open(sources: Vec<(usize, Chosen)>, opening: &Opening<'_>) -> FilesMeter {
        let subject = Subject::of(opening.target, opening.host);
        // Until counting begins, there is no number.
        let mut missing = Marks::default();
        missing.miss(Reason::NotBegun);
        let number = |(place, chosen)| Numbers {
            place,
            chosen,
            groups: Vec::new(),
            missing: missing.clone(),
        };
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
                Ok(cells) if cells.is_empty() => {
                    let text = "nothing here has this name".to_string();
                    self.numbers[at].missing.miss(Reason::NotShown(text));
                }
                Ok(cells) => cells.into_iter().for_each(|cell| self.add(at, cell)),
                Err(reason) => self.numbers[at].missing.miss(reason),
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
        let Numbers { chosen, groups, missing, .. } = &mut self.numbers[at];
        let (tally, level) = (Tally::new(missing.clone()), Readings::new(missing.clone()));
        let (tally, level) =
            if self.is_running { (tally.late(), level.late()) } else { (tally, level) };
        let member = Member { file, number, tally, wrap: cell.wrap };
        match groups.iter_mut().find(|group| group.cpu == cell.cpu) {
            Some(group) => group.members.push(member),
            None => groups.push(Group {
                cpu: cell.cpu,
                members: vec![member],
                level: level.of_peak(matches!(chosen.field.kind, FieldKind::Peak(_))),
                held: None,
            }),
        }
    }

    /// Reads all files, and notes what they have.
    fn note(&mut self, host: &Host) {
        if self.numbers.iter().any(|numbers| numbers.groups.is_empty()) {
            self.find(host);
        }
        let has_peaks = self
            .numbers
            .iter()
            .any(|numbers| matches!(numbers.chosen.field.kind, FieldKind::Peak(_)));
        for file in &mut self.files {
            if has_peaks && matches!(times(file), Some(CommandTimes { began: None, .. })) {
                file.command.iter().for_each(|pid| usage::settle(host, *pid));
            }
            file.read(host);
        }
        let now = Instant::now();
        for numbers in &mut self.numbers {
            for group in &mut numbers.groups {
                group.note(&self.files, numbers.chosen.field.kind, now);
            }
        }
    }

    fn reading(&self, numbers: &Numbers) -> Reading {
        let kind = numbers.chosen.field.kind;
        let is_split = numbers.chosen.field.file.scope == Scope::Cpu;
        match numbers.groups.as_slice() {
            [] => Ok(Measure::Count(0, numbers.missing.clone())),
            [one] if !(is_split && one.cpu.is_some()) => Ok(one.measure(kind)),
            groups => Ok(Measure::Cpus(
                groups
                    .iter()
                    .filter_map(|group| Some((group.cpu?, Ok(group.measure(kind)))))
                    .collect(),
            )),
        }
    }
}

impl Group {
    fn note(&mut self, files: &[Watched], kind: FieldKind, now: Instant) {
        if let FieldKind::Counter(_) = kind {
            for member in &mut self.members {
                let reading = files[member.file].reading(member.number);
                member.tally.note(reading, now, member.wrap);
            }
            return;
        }
        let reading = self.together(files, kind);
        match self.members.iter().find_map(|member| times(&files[member.file])) {
            // Of a command that is held, the numbers are those of the process that becomes it.
            Some(CommandTimes { began: None, .. }) => self.held = reading.ok(),
            Some(CommandTimes { ended: Some((_, usage)), .. }) => match kind {
                FieldKind::Peak(true) => {
                    let held = self.held.and_then(|held| u64::try_from(held).ok()).unwrap_or(0);
                    let peak = usage::peak(&usage, held << 10).map(|bytes| i128::from(bytes >> 10));
                    self.level.note(peak, now);
                }
                _ => self.level.end(Reason::NotShown(ENDED.to_string())),
            },
            _ => self.level.note(reading, now),
        }
    }

    /// The level of all members: those of several processes are added up, and of peaks there is the greatest.
    fn together(&self, files: &[Watched], kind: FieldKind) -> Result<i128, Reason> {
        let readings = self.members.iter().map(|of| files[of.file].reading(of.number));
        let both = match kind {
            FieldKind::Peak(_) => Ord::max,
            _ => i128::saturating_add,
        };
        let join = |own: Result<i128, Reason>, other: Result<i128, Reason>| match (own, other) {
            (Ok(own), Ok(other)) => Ok(both(own, other)),
            (own, other) => own.or(other),
        };
        readings.reduce(join).unwrap_or(Err(Reason::NeverRan))
    }

    fn measure(&self, kind: FieldKind) -> Measure {
        if !matches!(kind, FieldKind::Counter(_)) {
            return Measure::Level(self.level.level(), self.level.marks.clone());
        }
        let add = |(count, marks): (u64, Marks), tally: &Tally| {
            (
                count.saturating_add(tally.count),
                tally.marks.clone().with(&marks, u32::saturating_add),
            )
        };
        let tallies = self.members.iter().map(|member| &member.tally);
        let (count, marks) = tallies.fold((0, Marks::default()), add);
        Measure::Count(count, marks)
    }

    /// Returns true if a counter of it appeared while it was counted.
    fn has_appeared(&self) -> bool {
        self.members.iter().any(|member| member.tally.marks.came > 0)
    }

    fn stop(&mut self) {
        self.level.stop();
        self.members.iter_mut().for_each(|member| member.tally.stop());
    }
}

/// The times of the command to which a file belongs.
fn times(file: &Watched) -> Option<CommandTimes> {
    file.command.and_then(command_times)
}

const ENDED: &str = "the command had ended when it was read";

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
            FieldKind::Level | FieldKind::Peak(_) => true,
            FieldKind::Counter(Some(_)) => true,
            // What comes may also go before the end.
            FieldKind::Counter(None) => {
                numbers.groups.is_empty() || numbers.groups.iter().any(Group::has_appeared)
            }
        };
        self.numbers.iter().any(is_better)
    }
}
