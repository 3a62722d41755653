//! Rows of reports, merged by their keys.

use super::member::Member;
use crate::Timeline;
use crate::{Amount, Location, Status};
use crate::{Difference, MergedKey, Missing, Source};
use std::collections::{BTreeSet, HashSet};

/// The rows of several reports.
#[derive(Debug)]
pub struct Merged {
    /// In the order in which they were first met.
    pub rows: Vec<EventCells>,
    /// The members that the values of rows are of; the rows hold their places in this list.
    pub members: Vec<Member>,
    /// The processes that wrote the reports.
    pub sources: Vec<Source>,
    /// The number of files.
    pub reports: usize,
    /// The ranks of which more than one process was added up.
    pub repeated_ranks: BTreeSet<u64>,
    /// The ranks of which there is no report.
    pub missing: Vec<Missing>,
    /// The facts in which the machines of the processes differ.
    pub differences: Vec<Difference>,
    /// The reason why there is no total of all: a report is missing or incomplete.
    pub gap: Option<String>,
    /// The timelines of threads, with the name of the process of each.
    pub timelines: Vec<(String, Timeline)>,
}

/// One event at one place, in every member that has it.
#[derive(Debug)]
pub struct EventCells {
    /// The event and the place.
    pub key: MergedKey,
    /// The values, with the place of the member of each; by rank.
    pub cells: Vec<(usize, Cell)>,
}

/// The value of one member.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The value; `None` if nothing was measured.
    pub amount: Option<Amount>,
    /// The share of the time in which the event was on a counter.
    pub coverage: Option<f64>,
    /// The number of times that the region was entered.
    pub calls: Option<u64>,
    /// The reason why there is no value.
    pub reason: Option<Box<str>>,
    /// The way in which the event was counted, if it was.
    pub status: Status,
    /// The kind of the value, which decides whether it adds up.
    pub kind: Kind,
    /// True if another process of its host has the value.
    pub is_elsewhere: bool,
    /// True if the report does not have the row, which others have.
    pub is_absent: bool,
}

/// The kind of a value: only counts add up over processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A count, or a CPU time.
    Count,
    /// A wall time, which adds up over intervals, but not over processes.
    WallTime,
    /// The mean of a level, such as a temperature.
    Level,
    /// The value of a formula, or a state.
    Formula,
}

impl Kind {
    /// The reason why values of this kind have no total; `None` if they have one.
    fn not_added_up(self) -> Option<&'static str> {
        match self {
            Kind::Count => None,
            Kind::WallTime => {
                Some("wall times do not add up, as the processes run at the same time")
            }
            Kind::Level => Some("levels do not add up"),
            Kind::Formula => Some("the values of a formula do not add up"),
        }
    }
}

/// All members together.
#[derive(Debug)]
pub enum Total {
    /// The sum of all.
    Sum {
        /// The sum.
        amount: Amount,
        /// The status of the sum: counted if all were counted.
        status: Status,
        /// The least share of the time in which the event was on a counter.
        coverage: Option<f64>,
    },
    /// There is no total.
    Missing {
        /// The way in which the event was counted, if it was.
        status: Status,
        /// True if each member has a value, and values of their kind do not add up.
        has_values: bool,
        /// The reason why there is none.
        reason: String,
    },
}

/// The least, mean and greatest value, with the places of the members.
#[derive(Debug)]
pub struct Extremes {
    /// The least value.
    pub min: (usize, Amount),
    /// The mean.
    pub mean: f64,
    /// The greatest value.
    pub max: (usize, Amount),
}

impl EventCells {
    /// The event, with region, unit and place.
    pub fn name(&self) -> String {
        let MergedKey { event, unit, region, location, .. } = &self.key;
        let Location { cpu, thread, thread_number, socket, die, node, core, cache, .. } = location;
        let Location { comm, cgroup, .. } = location;
        let mut name = event.clone();
        if let Some(unit) = unit.as_deref().filter(|unit| !unit.is_empty()) {
            name += &format!(" ({unit})");
        }
        if let Some(calls) = self.calls() {
            let word = if calls == 1 { "call" } else { "calls" };
            name += &format!(" in {} ({calls} {word})", region.as_deref().unwrap_or_default());
        }
        let places = [
            ("node", node),
            ("socket", socket),
            ("die", die),
            ("core", core),
            ("cache of cpu", cache),
            ("cpu", cpu),
            ("thread", &thread.or(*thread_number)),
        ];
        for (kind, number) in places {
            if let Some(number) = number {
                name += &format!(" {kind} {number}");
            }
        }
        if let Some(cgroup) = cgroup {
            name += &format!(" cgroup {cgroup}");
        }
        if let Some(comm) = comm {
            name += &format!(" ({comm})");
        }
        name
    }

    /// The number of times that the region was entered in all members.
    pub fn calls(&self) -> Option<u64> {
        self.cells.iter().filter_map(|(_, cell)| cell.calls).reduce(u64::saturating_add)
    }

    /// All members together.
    pub fn total(&self, merged: &Merged) -> Total {
        if let Some((member, cell)) = self.missing(merged) {
            let status = match cell.status {
                Status::NotSupported => Status::NotSupported,
                _ => Status::NotCounted,
            };
            let reason = cell.reason.as_deref().unwrap_or("no value");
            let reason = format!("{}: {reason}", merged.members[member].title());
            return Total::Missing { status, has_values: false, reason };
        }
        if let Some(reason) = self.cells.iter().find_map(|(_, cell)| cell.kind.not_added_up()) {
            let reason = reason.to_string();
            return Total::Missing { status: Status::NotCounted, has_values: true, reason };
        }
        // Of a thread or a CPU there may be a value in one report only.
        if let Some(reason) = merged.gap.clone().filter(|_| self.is_of_all()) {
            return Total::Missing { status: Status::NotCounted, has_values: false, reason };
        }
        let amounts = self.cells.iter().filter_map(|(_, cell)| cell.amount);
        let amount = amounts.reduce(Amount::plus).unwrap_or(Amount::Whole(0));
        let coverage = self.cells.iter().filter_map(|(_, cell)| cell.coverage).reduce(f64::min);
        let is_estimated = coverage.is_some_and(|share| share < 1.0)
            || self.cells.iter().any(|(_, cell)| cell.status == Status::Estimated);
        let status = if is_estimated { Status::Estimated } else { Status::Counted };
        Total::Sum { amount, status, coverage }
    }

    /// Returns true if the value is not of a part of the machine or of a process.
    pub fn is_of_all(&self) -> bool {
        self.key.location == Location::default()
    }

    /// Returns true if the values are also in a row of all threads.
    pub fn is_of_thread_number(&self) -> bool {
        self.key.location.thread.is_none() && self.key.location.thread_number.is_some()
    }

    /// A member without which there is no total: it has no value, and no other of its node has it.
    fn missing(&self, merged: &Merged) -> Option<(usize, &Cell)> {
        let host = |member: usize| &merged.members[member].process.host;
        let absent = || self.cells.iter().filter(|(_, cell)| cell.amount.is_none());
        let mut missing = absent().find(|(_, cell)| !cell.is_elsewhere);
        if missing.is_none() && absent().next().is_some() {
            let counted = self.cells.iter().filter(|(_, cell)| cell.amount.is_some());
            let nodes: HashSet<_> = counted.map(|(member, _)| host(*member)).collect();
            missing = absent().find(|(member, _)| !nodes.contains(host(*member)));
        }
        missing.map(|(member, cell)| (*member, cell))
    }

    /// Of the members that have a value; `None` if there is none.
    pub fn extremes(&self) -> Option<Extremes> {
        let values =
            || self.cells.iter().filter_map(|(member, cell)| Some((*member, cell.amount?)));
        let by_value = |a: &(usize, Amount), b: &(usize, Amount)| a.1.real().total_cmp(&b.1.real());
        let min = values().min_by(by_value)?;
        // The first of equals, as with the least.
        let max = values()
            .reduce(|max, other| if by_value(&other, &max).is_gt() { other } else { max })?;
        let sum: f64 = values().map(|(_, amount)| amount.real()).sum();
        Some(Extremes { min, mean: sum / values().count() as f64, max })
    }
}

impl Extremes {
    /// By how much the greatest value exceeds the mean, as a share of it; `None` of a single value, or if the mean is not positive.
    pub fn imbalance(&self) -> Option<f64> {
        let share = self.max.1.real() / self.mean - 1.0;
        (self.mean > 0.0 && self.min.0 != self.max.0).then_some(share).filter(|s| s.is_finite())
    }
}

impl Cell {
    /// Adds the value of a later interval; an interval in which nothing ran does not change it.
    pub fn add_interval(&mut self, later: Cell) {
        match (self.amount, later.amount) {
            (_, None) if later.status == Status::NotCounted => {}
            (None, Some(_)) if self.status == Status::NotCounted => *self = later,
            _ => {
                let reason = "the values of intervals do not add up";
                let reason = (!matches!(self.kind, Kind::Count | Kind::WallTime)).then_some(reason);
                self.add(later, reason);
            }
        }
    }

    /// Adds the value of another process of the node, or of another place in it.
    pub fn add_member(&mut self, other: Cell) {
        match (self.is_elsewhere, other.is_elsewhere) {
            (_, true) => {}
            (true, false) => *self = other,
            (false, false) => self.add(other, self.kind.not_added_up()),
        }
    }

    /// Adds the value of another thread of the same number, which runs before or after it.
    pub fn add_thread(&mut self, other: Cell) {
        let reason = (self.kind != Kind::WallTime).then_some(self.kind);
        self.add(other, reason.and_then(Kind::not_added_up));
    }

    /// Adds another value, unless there is a reason why values of their kind do not add up.
    fn add(&mut self, other: Cell, not_added_up: Option<&str>) {
        self.calls = self.calls.into_iter().chain(other.calls).reduce(u64::saturating_add);
        match (self.amount, other.amount) {
            (Some(one), Some(two)) if not_added_up.is_none() => {
                self.amount = Some(one.plus(two));
                self.coverage = self.coverage.into_iter().chain(other.coverage).reduce(f64::min);
                if other.status == Status::Estimated {
                    self.status = other.status;
                }
            }
            _ => {
                let reason = self.reason.take().or(other.reason).or(not_added_up.map(Into::into));
                let status = match (self.amount, other.amount) {
                    (None, _) => self.status,
                    (_, None) => other.status,
                    _ => Status::NotCounted,
                };
                let calls = self.calls;
                *self = Cell { amount: None, coverage: None, status, reason, calls, ..other };
            }
        }
    }
}
