//! Reads reports, row by row, into rows that are merged by their keys.

use super::merged::{Cell, Merged, Row};
use crate::records::{self, Key, Process, SCHEMA, Source};
use serde::Deserialize;
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

/// Rows that are of the same event, region and place, in the order in which they were first met.
#[derive(Default)]
pub struct Merging {
    rows: Vec<Row>,
    /// Where the row of a key is.
    places: HashMap<Key, usize>,
    /// Where in a row the value of a source is.
    cells: HashMap<(usize, usize), usize>,
    sources: Vec<Source>,
    /// The sources of each file; lines that name no process are of one source.
    known: HashMap<(usize, Process), usize>,
    reports: usize,
    /// The first source of each rank.
    ranks: HashMap<u64, usize>,
    repeated_ranks: BTreeSet<u64>,
}

/// A rank of a report of which another process was met before.
#[derive(Debug, PartialEq)]
pub struct Again {
    pub rank: u64,
    /// The file of the earlier process.
    pub file: String,
}

impl Merging {
    /// Adds the report in a file, and returns those of its ranks that were met before; the error names the line that is wrong.
    pub fn add(&mut self, file: &str, text: &str) -> Result<Vec<Again>, String> {
        let first_new = self.sources.len();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |what: &str| format!("line {}: {what}", index + 1);
            let line: Value = serde_json::from_str(line)
                .map_err(|e| wrong(&format!("not JSON from column {} on", e.column())))?;
            match line.get("schema").and_then(Value::as_u64) {
                Some(schema) if schema == u64::from(SCHEMA) => {}
                Some(_) => return Err(wrong("a schema that this version does not support")),
                None => return Err(wrong("not a line of a report")),
            }
            let wrong = |_| wrong("not a line of a report");
            match line.get("summary") {
                Some(summary) => {
                    let process = Process::deserialize(summary).map_err(wrong)?;
                    self.source(file, process.clone());
                    // A summary ends a report: another one of the same name is of another process, in another container or with a process id that is used again.
                    self.known.remove(&(self.reports, process));
                }
                None => self.row(file, records::Row::deserialize(&line).map_err(wrong)?),
            }
        }
        if self.sources.len() == first_new {
            return Err("it does not contain a report".to_string());
        }
        self.reports += 1;
        Ok((first_new..self.sources.len()).filter_map(|source| self.again(source)).collect())
    }

    /// Whether the rank of a new source was met before.
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
    fn source(&mut self, file: &str, process: Process) -> usize {
        match self.known.entry((self.reports, process)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let process = free.key().1.clone();
                self.sources.push(Source { process, file: file.to_string() });
                *free.insert(self.sources.len() - 1)
            }
        }
    }

    fn row(&mut self, file: &str, line: records::Row) {
        let is_in_total = line.region.is_some() && line.location.thread.is_some();
        let (process, key, cell) = split(line);
        let source = self.source(file, process);
        // The threads of a region are in its total already.
        if is_in_total {
            return;
        }
        let place = *self.places.entry(key.clone()).or_insert(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(Row { key, cells: Vec::new() });
        }
        let cells = &mut self.rows[place].cells;
        match self.cells.entry((place, source)) {
            Entry::Vacant(free) => {
                free.insert(cells.len());
                cells.push((source, cell));
            }
            Entry::Occupied(known) => match &mut cells[*known.get()].1 {
                last if cell.interval != last.interval => last.add(cell),
                // A program that reports again reports all that it has.
                last => *last = cell,
            },
        }
    }

    /// The rows, with the values of each by rank, and after them those without a rank as they came.
    pub fn finish(self) -> Merged {
        let Merging { mut rows, sources, reports, repeated_ranks, .. } = self;
        for row in &mut rows {
            row.cells.sort_by_key(|(source, _)| {
                let rank = sources[*source].process.rank;
                (rank.is_none(), rank, *source)
            });
        }
        Merged { rows, sources, reports, repeated_ranks }
    }
}

/// Splits a line into its process, its keys and its value.
fn split(line: records::Row) -> (Process, Key, Cell) {
    let cell = Cell {
        amount: line.value,
        status: line.status,
        reason: line.reason,
        interval: line.interval_s,
        is_formula: line.value.is_some() && line.raw.is_none(),
        coverage: line.coverage,
        calls: line.calls,
    };
    let key = Key {
        schema: line.schema,
        region: line.region,
        event: line.event,
        canonical: line.canonical,
        unit: line.unit,
        location: line.location,
    };
    (line.process, key, cell)
}
