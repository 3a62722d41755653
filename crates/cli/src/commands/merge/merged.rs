//! Rows of reports, merged by their keys.

use crate::records::{self, Amount, Key, Location, SCHEMA, Spread, Status};
use serde::Deserialize;
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rows that are of the same event, region and place, in the order in which they were first met.
#[derive(Default)]
pub struct Merged {
    rows: Vec<Row>,
    /// Where the row of a key is.
    places: HashMap<Key, usize>,
    /// Where in a row that of a report and a rank is.
    cells: HashMap<(usize, u64, u64), usize>,
    reports: u64,
    /// The first report of each rank.
    ranks: BTreeMap<u64, u64>,
}

/// A rank of a report that an earlier one has too.
#[derive(Debug, PartialEq)]
pub struct Again {
    pub rank: u64,
    /// The place of the earlier report.
    pub report: u64,
}

/// One event at one place, in every rank that has it.
pub struct Row {
    pub key: Key,
    /// By rank, as the reports came.
    pub cells: Vec<(u64, Cell)>,
}

/// The value of one rank.
pub struct Cell {
    pub amount: Option<Amount>,
    pub status: Status,
    pub reason: Option<String>,
    /// The interval of the run that it is of, or the last one.
    interval: Option<f64>,
    /// The value of a formula, which cannot be added up.
    is_formula: bool,
    coverage: Option<f64>,
    calls: Option<u64>,
}

/// All ranks together.
pub enum Total {
    Sum {
        amount: Amount,
        coverage: f64,
    },
    /// A formula has a value in each rank, and no total.
    Missing {
        status: Status,
        is_formula: bool,
        reason: String,
    },
}

impl Merged {
    /// Adds a report, and returns those of its ranks that an earlier report has too; the error names the line that is wrong.
    pub fn add(&mut self, text: &str) -> Result<Vec<Again>, String> {
        let report = self.reports;
        let mut rows = 0;
        let mut ranks = BTreeSet::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |what: &str| format!("line {}: {what}", index + 1);
            let line: Value = serde_json::from_str(line)
                .map_err(|e| wrong(&format!("not JSON from column {} on", e.column())))?;
            match line.get("schema").and_then(Value::as_u64) {
                Some(schema) if schema == u64::from(SCHEMA) => {}
                Some(_) => return Err(wrong("a schema that this version does not support")),
                None => return Err(wrong("not a line of a report")),
            }
            rows += 1;
            if line.get("summary").is_some() {
                continue;
            }
            let row = records::Row::deserialize(&line);
            ranks.insert(self.row(report, row.map_err(|_| wrong("not a line of a report"))?));
        }
        if rows == 0 {
            return Err("it does not contain a report".to_string());
        }
        self.reports += 1;
        let again = |rank| {
            let first = *self.ranks.entry(rank).or_insert(report);
            (first != report).then_some(Again { rank, report: first })
        };
        Ok(ranks.into_iter().filter_map(again).collect())
    }

    /// Adds a line; returns the rank that it is of.
    fn row(&mut self, report: u64, line: records::Row) -> u64 {
        let rank = line.rank.unwrap_or(report);
        // The threads of a region are in its total already.
        if line.region.is_some() && line.location.thread.is_some() {
            return rank;
        }
        let (key, cell) = split(line);
        let place = *self.places.entry(key.clone()).or_insert(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(Row { key, cells: Vec::new() });
        }
        let cells = &mut self.rows[place].cells;
        match self.cells.entry((place, report, rank)) {
            Entry::Vacant(free) => {
                free.insert(cells.len());
                cells.push((rank, cell));
            }
            Entry::Occupied(known) => match &mut cells[*known.get()].1 {
                last if cell.interval != last.interval => last.add(cell),
                // A program that reports again reports all that it has.
                last => *last = cell,
            },
        }
        rank
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    pub fn reports(&self) -> u64 {
        self.reports
    }
}

/// Splits a line into its keys and its value.
fn split(line: records::Row) -> (Key, Cell) {
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
    (key, cell)
}

impl Cell {
    /// Adds the value of a later interval; an interval in which nothing ran does not change it.
    fn add(&mut self, later: Cell) {
        self.interval = later.interval;
        match (self.amount, later.amount) {
            (_, None) if later.status == Status::NotCounted => {}
            (None, Some(_)) if self.status == Status::NotCounted => *self = later,
            (Some(one), Some(two)) if !self.is_formula => {
                self.amount = Some(one.plus(two));
                self.coverage = least(self.coverage, later.coverage);
                if later.status == Status::Estimated {
                    self.status = later.status;
                }
            }
            _ => {
                let reason = "the values of intervals do not add up".to_string();
                *self = Cell {
                    amount: None,
                    status: Status::NotCounted,
                    reason: self.reason.take().or(later.reason).or(Some(reason)),
                    ..later
                };
            }
        }
    }
}

impl Row {
    /// The event, with region, unit and place.
    pub fn name(&self) -> String {
        let Key { event, unit, region, location, .. } = &self.key;
        let Location { cpu, thread, socket, core } = location;
        let mut name = event.clone();
        if let Some(unit) = unit.as_deref().filter(|unit| !unit.is_empty()) {
            name += &format!(" ({unit})");
        }
        if let Some(calls) = self.calls() {
            name += &format!(" in {} ({calls} calls)", region.as_deref().unwrap_or_default());
        }
        for (kind, number) in [("socket", socket), ("core", core), ("cpu", cpu), ("thread", thread)]
        {
            if let Some(number) = number {
                name += &format!(" {kind} {number}");
            }
        }
        name
    }

    /// How often the region was entered in all ranks.
    pub fn calls(&self) -> Option<u64> {
        self.cells.iter().filter_map(|(_, cell)| cell.calls).reduce(u64::saturating_add)
    }

    pub fn total(&self) -> Total {
        let missing = self.cells.iter().find(|(_, cell)| cell.amount.is_none());
        if let Some((rank, cell)) = missing {
            let status = match cell.status {
                Status::NotSupported => Status::NotSupported,
                _ => Status::NotCounted,
            };
            let reason = format!("rank {rank}: {}", cell.reason.as_deref().unwrap_or("no value"));
            return Total::Missing { status, is_formula: false, reason };
        }
        if self.cells.iter().any(|(_, cell)| cell.is_formula) {
            let reason = "the values of a formula do not add up".to_string();
            return Total::Missing { status: Status::NotCounted, is_formula: true, reason };
        }
        let amounts = self.cells.iter().filter_map(|(_, cell)| cell.amount);
        let amount = amounts.reduce(Amount::plus).unwrap_or(Amount::Whole(0));
        let coverage = self.cells.iter().filter_map(|(_, cell)| cell.coverage).reduce(f64::min);
        Total::Sum { amount, coverage: coverage.unwrap_or(1.0) }
    }

    /// Of the ranks that have a value; `None` if there is none.
    pub fn spread(&self) -> Option<Spread> {
        let values = || self.cells.iter().filter_map(|(rank, cell)| Some((*rank, cell.amount?)));
        let by_value = |a: &(u64, Amount), b: &(u64, Amount)| a.1.real().total_cmp(&b.1.real());
        let min = values().min_by(by_value)?;
        // The first of equals, as with the least.
        let max = values()
            .reduce(|max, other| if by_value(&other, &max).is_gt() { other } else { max })?;
        let sum: f64 = values().map(|(_, amount)| amount.real()).sum();
        Some(Spread {
            min: min.1,
            min_rank: min.0,
            mean: sum / values().count() as f64,
            max: max.1,
            max_rank: max.0,
        })
    }
}

fn least(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    one.into_iter().chain(two).reduce(f64::min)
}
