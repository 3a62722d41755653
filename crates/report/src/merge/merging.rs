//! Adds reports, row by row, to rows that are merged by their keys.

use super::differences::differences;
use super::entry::{End, Entry, KeyedCell};
use super::member::Member;
use super::merged::{Cell, EventCells, Kind, Merged};
use super::missing::missing;
use super::remarks;
use crate::Environment;
use crate::Timeline;
use crate::{MergedKey, Source};
use crate::{Process, Status};
use std::collections::hash_map::Entry as Place;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Rows that are of the same event, region and place, in the order in which they were first met.
#[derive(Debug, Default)]
pub struct Merging {
    rows: Vec<EventCells>,
    /// The place of the row of a key.
    places: HashMap<MergedKey, usize>,
    /// The places of the rows of a report, in its order, which is mostly that of the next one.
    order: Vec<usize>,
    sources: Vec<Source>,
    reports: usize,
    /// The first source of each rank.
    ranks: HashMap<u64, usize>,
    repeated_ranks: BTreeSet<u64>,
    /// With the source of each.
    timelines: Vec<(usize, Timeline)>,
    /// The states of machines, likewise.
    environments: Vec<(usize, Environment)>,
}

/// The state that is known only while a file is added.
#[derive(Default)]
struct InFile {
    /// The sources of the file; lines that name no process are of one source.
    known: HashMap<Process, usize>,
    /// The source of the line before.
    last: Option<usize>,
    /// The number of rows before.
    rows: usize,
    /// The place in a row of the value of a source, and its last interval.
    cells: HashMap<(usize, usize), (usize, Option<f64>)>,
}

/// A rank of a report of which another process was met before.
#[derive(Debug, PartialEq)]
pub struct Again {
    /// The rank.
    pub rank: u64,
    /// The file of the earlier process.
    pub file: String,
}

impl Merging {
    /// Adds the report in a file, and returns those of its ranks that were met before.
    pub fn add(&mut self, file: &str, entries: Vec<Entry>) -> Vec<Again> {
        let first_new = self.sources.len();
        let mut in_file = InFile::default();
        for Entry { process, value, end, timeline } in entries {
            let source = self.source(&mut in_file, file, &process);
            if let Some(timeline) = timeline {
                self.timeline(source, timeline);
            }
            if let Some(value) = value {
                // The regions of a program have no summary.
                if value.key.region.is_none() {
                    self.sources[source].incomplete = true;
                }
                self.row(&mut in_file, source, value);
            }
            if let Some(End { interrupted, checkpoint, elapsed_s, failed_runs, environment }) = end
            {
                self.environments.extend(environment.map(|of| (source, of)));
                let source = &mut self.sources[source];
                *source = Source {
                    incomplete: false,
                    interrupted,
                    checkpoint_s: elapsed_s.filter(|_| checkpoint),
                    failed_runs,
                    ..source.clone()
                };
                // Another report of the same name is of another process, in another container or with a process id that is used again.
                in_file.known.remove(&process);
                in_file.last = None;
            }
        }
        self.reports += 1;
        (first_new..self.sources.len()).filter_map(|source| self.again(source)).collect()
    }

    /// The number of files.
    pub fn reports(&self) -> usize {
        self.reports
    }

    /// The rank of a new source, if it was met before.
    fn again(&mut self, source: usize) -> Option<Again> {
        let rank = self.sources[source].process.rank?;
        let first = *self.ranks.entry(rank).or_insert(source);
        if first == source {
            return None;
        }
        self.repeated_ranks.insert(rank);
        Some(Again { rank, file: self.sources[first].file.clone() })
    }

    /// The source of a line.
    fn source(&mut self, in_file: &mut InFile, file: &str, process: &Process) -> usize {
        if let Some(last) = in_file.last.filter(|last| self.sources[*last].process == *process) {
            return last;
        }
        let source = in_file.known.get(process).copied().unwrap_or_else(|| {
            in_file.known.insert(process.clone(), self.sources.len());
            self.sources.push(Source::new(process.clone(), file));
            self.sources.len() - 1
        });
        in_file.last = Some(source);
        source
    }

    /// A program that reports again reports all that it has.
    fn timeline(&mut self, source: usize, timeline: Timeline) {
        // Those of a source follow each other.
        let known = self.timelines.iter_mut().rev().take_while(|(other, _)| *other == source);
        match { known }.find(|(_, known)| known.thread == timeline.thread) {
            Some((_, known)) => *known = timeline,
            None => self.timelines.push((source, timeline)),
        }
    }

    fn row(&mut self, in_file: &mut InFile, source: usize, value: KeyedCell) {
        let KeyedCell { key, cell, interval } = value;
        let place = self.place(in_file, key);
        let cells = &mut self.rows[place].cells;
        match in_file.cells.entry((place, source)) {
            Place::Vacant(free) => {
                free.insert((cells.len(), interval));
                cells.push((source, cell));
            }
            Place::Occupied(mut known) => {
                let (at, last) = known.get_mut();
                match &mut cells[*at].1 {
                    before if interval != *last => before.add_interval(cell),
                    // A program that reports again reports all that it has.
                    before => *before = cell,
                }
                *last = interval;
            }
        }
    }

    /// The place of the row of a key, which is added if it is new.
    fn place(&mut self, in_file: &mut InFile, key: MergedKey) -> usize {
        let near = self.order.get(in_file.rows).copied();
        let place = near.filter(|near| self.rows[*near].key == key).unwrap_or_else(|| {
            self.places.get(&key).copied().unwrap_or_else(|| {
                self.places.insert(key.clone(), self.rows.len());
                self.rows.push(EventCells { key, cells: Vec::new() });
                self.rows.len() - 1
            })
        });
        if near.is_some() {
            self.order[in_file.rows] = place;
        } else if self.order.len() < self.rows.len() {
            // A report with intervals has its rows again and again.
            self.order.push(place);
        }
        in_file.rows += 1;
        place
    }

    /// The rows, with the values of each by rank, and after them those without a rank as they came.
    pub fn finish(self) -> Merged {
        let Merging { mut rows, sources, reports, repeated_ranks, timelines, environments, .. } =
            self;
        leave_out_parts(&mut rows);
        add_absent(&mut rows);
        for row in &mut rows {
            row.cells.sort_by_key(|(source, _)| {
                let rank = sources[*source].process.rank;
                (rank.is_none(), rank, *source)
            });
        }
        let members = Member::of_sources(&sources);
        let missing = missing(&sources);
        let differences = differences(&environments);
        let gap = remarks::gap(&sources, &missing);
        let timelines = timelines.into_iter();
        let timelines = timelines.map(|(source, line)| (members[source].title_on_host(), line));
        let timelines = timelines.collect();
        Merged {
            rows,
            members,
            sources,
            reports,
            repeated_ranks,
            missing,
            differences,
            gap,
            timelines,
        }
    }
}

/// Removes rows of the whole that nobody has a value of, if those who count it have it in parts, such as sockets.
fn leave_out_parts(rows: &mut Vec<EventCells>) {
    let is_left = |row: &EventCells| row.cells.iter().all(|(_, cell)| cell.is_elsewhere);
    let name = |row: &EventCells| (row.key.region.clone(), row.key.event.clone());
    if !rows.iter().any(is_left) {
        return;
    }
    let counted: HashSet<_> = rows.iter().filter(|row| !is_left(row)).map(name).collect();
    rows.retain(|row| !is_left(row) || !counted.contains(&name(row)));
}

/// Adds to the rows of whole runs that a report does not have them, if it has others of them.
fn add_absent(rows: &mut [EventCells]) {
    let is_of_run = |row: &EventCells| row.key.region.is_none() && row.is_of_all();
    let of_runs = rows.iter().filter(|row| is_of_run(row));
    let sources: BTreeSet<usize> =
        of_runs.flat_map(|row| row.cells.iter().map(|(source, _)| *source)).collect();
    for row in rows.iter_mut().filter(|row| is_of_run(row)) {
        let known: HashSet<usize> = row.cells.iter().map(|(source, _)| *source).collect();
        let absent = sources.iter().filter(|source| !known.contains(source));
        row.cells.extend(absent.map(|source| (*source, absent_cell())));
    }
}

fn absent_cell() -> Cell {
    Cell {
        amount: None,
        coverage: None,
        calls: None,
        reason: Some("its report does not have this event".into()),
        status: Status::NotCounted,
        kind: Kind::Count,
        is_elsewhere: false,
        is_absent: true,
    }
}
