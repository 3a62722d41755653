//! The functions of two files beside each other.

use super::side::{Event, Function};
use counterpoint_compare::{Comparison, Verdict, verdicts};
use std::collections::{BTreeMap, BTreeSet};

/// An event of both files.
pub struct Table {
    pub event: String,
    /// All samples of each file.
    pub samples: [u64; 2],
    /// The time that a sample of each file stands for, in seconds; `None` if the event is not a clock.
    pub each: Option<[f64; 2]>,
    /// Sentences about the machines.
    pub notes: Vec<String>,
    /// The one whose share changed most first.
    pub rows: Vec<Row>,
}

impl Table {
    /// The time of some samples of a side, in milliseconds; `None` if the event is not a clock.
    pub fn ms(&self, side: usize, samples: u64) -> Option<f64> {
        Some(1000.0 * self.each?[side] * samples as f64)
    }

    /// The full names of the functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.function.as_str())
    }
}

/// A function.
pub struct Row {
    pub function: String,
    pub module: Option<String>,
    /// The samples of each file; `None` if it has none there.
    pub counts: [Option<u64>; 2],
    pub comparison: Comparison,
    /// `None` if both files together have too few samples for any.
    pub verdict: Option<Verdict>,
}

/// The samples that a function needs in both files together: of fewer, no split would be more than chance.
const FEW: u64 = 5;

/// The events that both files have, in the order of the base.
pub fn all(base: &[Event], other: &[Event]) -> Vec<Table> {
    let pairs = base
        .iter()
        .filter_map(|event| Some((event, other.iter().find(|of| of.name == event.name)?)));
    pairs.filter(|(one, two)| one.samples > 0 && two.samples > 0).map(table).collect()
}

fn table((base, other): (&Event, &Event)) -> Table {
    let samples = [base.samples, other.samples];
    let several = in_several_modules([base, other]);
    let mut counts: BTreeMap<Function, ([Option<u64>; 2], Option<String>)> = BTreeMap::new();
    for (side, event) in [base, other].into_iter().enumerate() {
        for (function, count) in &event.functions {
            // Two versions of a program may be in files of different names.
            let module = function.module.clone().filter(|_| several.contains(&*function.name));
            let key = Function { name: function.name.clone(), module };
            let (counts, module) = counts.entry(key).or_default();
            let sum = counts[side].get_or_insert(0);
            *sum = sum.saturating_add(*count);
            *module = function.module.clone();
        }
    }
    let row = |(function, (counts, module)): (Function, ([Option<u64>; 2], Option<String>))| {
        let of = |side: usize| (counts[side].unwrap_or(0), samples[side]);
        let comparison = Comparison::of_shares(of(0), of(1))?;
        Some(Row { function: function.name, module, counts, comparison, verdict: None })
    };
    let mut rows: Vec<Row> = counts.into_iter().filter_map(row).collect();
    let (mut tested, compared): (Vec<&mut Row>, Vec<Comparison>) = rows
        .iter_mut()
        .filter(|row| row.counts.iter().flatten().sum::<u64>() >= FEW)
        .map(|row| {
            let comparison = row.comparison;
            (row, comparison)
        })
        .unzip();
    for (row, verdict) in tested.iter_mut().zip(verdicts(&compared)) {
        row.verdict = Some(verdict);
    }
    let change = |row: &Row| row.comparison.difference.estimate.abs();
    rows.sort_by(|a, b| {
        let names = || (&a.function, &a.module).cmp(&(&b.function, &b.module));
        change(b).total_cmp(&change(a)).then_with(names)
    });
    let each = base.each.zip(other.each).map(|(base, other)| [base, other]);
    Table { event: base.name.clone(), samples, each, notes: Vec::new(), rows }
}

/// The names that several modules of one file have.
fn in_several_modules(events: [&Event; 2]) -> BTreeSet<&str> {
    let mut several = BTreeSet::new();
    for event in events {
        let names = || event.functions.keys().map(|of| of.name.as_str());
        several.extend(names().zip(names().skip(1)).filter(|(a, b)| a == b).map(|(a, _)| a));
    }
    several
}

impl Row {
    /// The share in a file in percent, with its standard error.
    pub fn share(&self, side: usize, samples: [u64; 2]) -> Option<(f64, f64)> {
        let total = samples[side] as f64;
        let share = self.counts[side]? as f64 / total;
        Some((100.0 * share, 100.0 * (share * (1.0 - share) / total).sqrt()))
    }
}
