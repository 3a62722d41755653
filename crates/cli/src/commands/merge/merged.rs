//! Rows of reports, merged by their keys.

use crate::records::{self, Amount, Key, Location, Source, Status};
use crate::show::printable;
use std::collections::BTreeSet;

/// The rows of several reports.
pub struct Merged {
    /// In the order in which they were first met.
    pub rows: Vec<Row>,
    /// What the values of rows are of, which point here.
    pub sources: Vec<Source>,
    /// The number of files.
    pub reports: usize,
    /// The ranks of which more than one process was added up.
    pub repeated_ranks: BTreeSet<u64>,
}

/// One event at one place, in every rank that has it.
pub struct Row {
    pub key: Key,
    /// The values, with the place of the source of each; by rank.
    pub cells: Vec<(usize, Cell)>,
}

/// The value of one rank.
pub struct Cell {
    pub amount: Option<Amount>,
    pub status: Status,
    pub reason: Option<String>,
    /// The interval of the run that it is of, or the last one.
    pub interval: Option<f64>,
    /// The value of a formula, which cannot be added up.
    pub is_formula: bool,
    pub coverage: Option<f64>,
    pub calls: Option<u64>,
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

/// The least, mean and greatest value, with the places of the sources.
pub struct Extremes {
    pub min: (usize, Amount),
    pub mean: f64,
    pub max: (usize, Amount),
}

impl Merged {
    /// The name of a source: its rank, or the file that has none, with the process if the file has several.
    pub fn name(&self, source: usize) -> String {
        let Source { process, file } = &self.sources[source];
        if let Some(rank) = process.rank {
            return rank.to_string();
        }
        let shares = |other: &&Source| other.process.rank.is_none() && other.file == *file;
        let name = match process.pid.filter(|_| self.sources.iter().filter(shares).count() > 1) {
            Some(pid) => format!("{file} (process {pid})"),
            None => file.clone(),
        };
        printable(&name).into_owned()
    }
}

impl Source {
    /// The file, which names a report that has no rank.
    pub fn file_if_unranked(&self) -> Option<&str> {
        self.process.rank.is_none().then_some(self.file.as_str())
    }
}

impl Extremes {
    /// With the ranks or files of the sources.
    pub fn record<'m>(&self, sources: &'m [Source]) -> records::RankSpread<'m> {
        let [min, max] = [&self.min, &self.max].map(|(source, _)| &sources[*source]);
        records::RankSpread {
            min: self.min.1,
            min_rank: min.process.rank,
            min_host: min.process.host.as_deref(),
            min_pid: min.process.pid,
            min_file: min.file_if_unranked(),
            mean: self.mean,
            max: self.max.1,
            max_rank: max.process.rank,
            max_host: max.process.host.as_deref(),
            max_pid: max.process.pid,
            max_file: max.file_if_unranked(),
        }
    }
}

impl Cell {
    /// Adds the value of a later interval; an interval in which nothing ran does not change it.
    pub fn add(&mut self, later: Cell) {
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
        let Location { cpu, thread, socket, die, node, core, cache, cgroup, .. } = location;
        let mut name = event.clone();
        if let Some(unit) = unit.as_deref().filter(|unit| !unit.is_empty()) {
            name += &format!(" ({unit})");
        }
        if let Some(calls) = self.calls() {
            name += &format!(" in {} ({calls} calls)", region.as_deref().unwrap_or_default());
        }
        let places = [
            ("node", node),
            ("socket", socket),
            ("die", die),
            ("core", core),
            ("cache of cpu", cache),
            ("cpu", cpu),
            ("thread", thread),
        ];
        for (kind, number) in places {
            if let Some(number) = number {
                name += &format!(" {kind} {number}");
            }
        }
        if let Some(cgroup) = cgroup {
            name += &format!(" cgroup {cgroup}");
        }
        name
    }

    /// How often the region was entered in all ranks.
    pub fn calls(&self) -> Option<u64> {
        self.cells.iter().filter_map(|(_, cell)| cell.calls).reduce(u64::saturating_add)
    }

    pub fn total(&self, merged: &Merged) -> Total {
        let missing = self.cells.iter().find(|(_, cell)| cell.amount.is_none());
        if let Some((source, cell)) = missing {
            let status = match cell.status {
                Status::NotSupported => Status::NotSupported,
                _ => Status::NotCounted,
            };
            let rank = merged.sources[*source].process.rank.map_or("", |_| "rank ");
            let reason = cell.reason.as_deref().unwrap_or("no value");
            let reason = format!("{rank}{}: {reason}", merged.name(*source));
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
    pub fn extremes(&self) -> Option<Extremes> {
        let values =
            || self.cells.iter().filter_map(|(source, cell)| Some((*source, cell.amount?)));
        let by_value = |a: &(usize, Amount), b: &(usize, Amount)| a.1.real().total_cmp(&b.1.real());
        let min = values().min_by(by_value)?;
        // The first of equals, as with the least.
        let max = values()
            .reduce(|max, other| if by_value(&other, &max).is_gt() { other } else { max })?;
        let sum: f64 = values().map(|(_, amount)| amount.real()).sum();
        Some(Extremes { min, mean: sum / values().count() as f64, max })
    }
}

fn least(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    one.into_iter().chain(two).reduce(f64::min)
}
