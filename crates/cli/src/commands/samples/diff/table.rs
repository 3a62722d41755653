//! The functions of two sides beside each other.

use super::judge::{Counts, Judge};
use super::run::{Event, Function};
use super::side::{Design, Side};
use crate::failure::Failure;
use counterpoint_compare::{Comparison, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// An event of both sides.
pub struct Table {
    pub event: String,
    pub design: Design,
    /// All samples of each run, or events.
    pub totals: Counts,
    /// The samples of equal weight that are as precise, for each one of a count of each side; `None` if samples are counted.
    pub precision: Option<[f64; 2]>,
    /// The time that a sample of each side stands for, in seconds; `None` if the event is not a clock.
    pub each: Option<[f64; 2]>,
    /// True if it is the time of waiting, in µs, and not of samples.
    pub is_waiting: bool,
    /// Sentences about the comparison.
    pub notes: Vec<String>,
    /// The one that changed most first.
    pub rows: Vec<Row>,
}

/// A function.
pub struct Row {
    pub function: String,
    pub module: Option<String>,
    pub counts: Counts,
    pub comparison: Comparison,
    /// `None` if all runs together have too few samples for any.
    pub verdict: Option<Verdict>,
}

impl Table {
    /// All samples of a side, or events.
    pub fn count(&self, side: usize) -> u64 {
        self.totals[side].iter().fold(0, |sum: u64, of| sum.saturating_add(*of))
    }

    /// What is counted.
    pub fn counted(&self) -> &'static str {
        match (self.is_waiting, self.precision) {
            // What waits is not sampled: its time is measured.
            (true, _) => "µs",
            (_, Some(_)) => "events",
            (_, None) => "samples",
        }
    }

    /// The time of some samples of a side, in milliseconds; `None` if the event is not a clock.
    pub fn ms(&self, side: usize, samples: f64) -> Option<f64> {
        Some(1000.0 * self.each?[side] * samples)
    }

    /// What a run takes, of these samples of all runs of a side: in milliseconds, or in samples if the event is not a clock.
    pub fn amount(&self, side: usize, samples: u64) -> f64 {
        let mean = samples as f64 / self.totals[side].len() as f64;
        self.ms(side, mean).unwrap_or(mean)
    }

    /// The unit of a change: of shares percentage points, and otherwise that of `amount`.
    pub fn unit(&self) -> &'static str {
        match (self.design, self.each) {
            (Design::Shares, _) => "percentage points",
            (_, Some(_)) => "ms a run",
            (_, None) if self.precision.is_some() => "events a run",
            (_, None) => "samples a run",
        }
    }

    /// A difference in the unit of a change.
    pub fn change(&self, difference: f64) -> f64 {
        match self.design {
            Design::Shares => 100.0 * difference,
            _ => {
                let difference =
                    difference / self.precision.map_or(1.0, |[precision, _]| precision);
                self.ms(0, difference).unwrap_or(difference)
            }
        }
    }

    /// The full names of the functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.function.as_str())
    }

    pub fn judge(&self) -> Judge<'_> {
        let precision = self.precision.unwrap_or([1.0; 2]);
        Judge { design: self.design, totals: &self.totals, precision }
    }

    /// The comparison of all samples of the runs; `None` of shares, whose sum is all.
    pub fn whole(&self) -> Option<Comparison> {
        self.judge().comparison(&self.totals).filter(|_| self.design != Design::Shares)
    }
}

impl Row {
    /// What all runs of a side have; `None` if they have nothing.
    pub fn count(&self, side: usize) -> Option<u64> {
        let sum = self.counts[side].iter().fold(0, |sum: u64, of| sum.saturating_add(*of));
        (sum > 0).then_some(sum)
    }

    /// The share of all samples of a side in percent, with its standard error.
    pub fn share(&self, side: usize, table: &Table) -> Option<(f64, f64)> {
        let total = table.count(side) as f64;
        let samples = total * table.precision.map_or(1.0, |precision| precision[side]);
        let share = self.count(side)? as f64 / total;
        Some((100.0 * share, 100.0 * (share * (1.0 - share) / samples).sqrt()))
    }
}

/// The events that every run has, in the order of the first.
pub fn all(sides: &[Side; 2], design: Design) -> Result<Vec<Table>, Failure> {
    let Some(first) = sides[0].runs.first() else { return Ok(Vec::new()) };
    let of_all = |event: &Event| Some([of(&sides[0], &event.name)?, of(&sides[1], &event.name)?]);
    first.events.iter().filter_map(of_all).filter_map(|of| table(of, design).transpose()).collect()
}

/// An event in each run of a side; `None` if a run lacks it.
pub fn of<'s>(side: &'s Side, event: &str) -> Option<Vec<&'s Event>> {
    side.runs.iter().map(|run| run.events.iter().find(|of| of.name == event)).collect()
}

/// `None` if a side has no samples, of which there are no shares, or both.
fn table(sides: [Vec<&Event>; 2], design: Design) -> Result<Option<Table>, Failure> {
    let totals = sides.each_ref().map(|runs| runs.iter().map(|of| of.count).collect::<Vec<_>>());
    let event = sides[0][0].name.clone();
    let has_samples = totals.each_ref().map(|of: &Vec<u64>| of.iter().any(|count| *count > 0));
    let is_comparable = match design {
        Design::Shares => has_samples == [true; 2],
        Design::Rounds | Design::Runs => has_samples != [false; 2],
    };
    if !is_comparable {
        return Ok(None);
    }
    let each = |side: usize| sides[side][0].each;
    let mut runs = sides.iter().flatten();
    if design != Design::Shares && runs.any(|of| of.each != each(0)) {
        return Err(Failure::new(format!(
            "{event}: the samples of the runs do not stand for the same time"
        ))
        .help("take the samples of all runs with the same -F or -c"));
    }
    let each = each(0).zip(each(1)).map(|(base, other)| [base, other]);
    let is_waiting = sides[0][0].is_waiting;
    let (precision, notes) = (precision(&sides, design), Vec::new());
    let mut table =
        Table { event, design, totals, precision, each, is_waiting, notes, rows: Vec::new() };
    let judge = table.judge();
    let mut rows = Vec::new();
    for (function, (counts, module)) in functions(&sides) {
        if let Some(comparison) = judge.comparison(&counts) {
            let function = function.name;
            rows.push(Row { function, module, counts, comparison, verdict: None });
        }
    }
    let verdicts = judge.verdicts(rows.iter().map(|row| &row.counts));
    rows.iter_mut().zip(verdicts).for_each(|(row, verdict)| row.verdict = verdict);
    let change = |row: &Row| row.comparison.difference.estimate.abs();
    rows.sort_by(|a, b| {
        let names = || (&a.function, &a.module).cmp(&(&b.function, &b.module));
        change(b).total_cmp(&change(a)).then_with(names)
    });
    table.rows = rows;
    Ok(Some(table))
}

/// The samples for each one of a count: of shares those of each side, and of amounts, which need one unit, those of the run that is the least precise. `None` if samples are counted.
fn precision(sides: &[Vec<&Event>; 2], design: Design) -> Option<[f64; 2]> {
    let mut runs = sides.iter().flatten();
    runs.any(|of| of.precision.is_some()).then(|| {
        let of = |run: &Event| run.precision.unwrap_or(1.0);
        if design == Design::Shares {
            return sides.each_ref().map(|runs| {
                let count: f64 = runs.iter().map(|run| run.count as f64).sum();
                runs.iter().map(|run| of(run) * run.count as f64).sum::<f64>() / count
            });
        }
        let counted = sides.iter().flatten().filter(|run| run.count > 0);
        [counted.map(|run| of(run)).fold(1.0, f64::min); 2]
    })
}

/// The samples of each function in each run, with the module that has it.
fn functions(sides: &[Vec<&Event>; 2]) -> BTreeMap<Function, (Counts, Option<String>)> {
    let several = in_several_modules(sides);
    let none = || sides.each_ref().map(|runs| vec![0_u64; runs.len()]);
    let mut functions: BTreeMap<Function, (Counts, Option<String>)> = BTreeMap::new();
    for (side, runs) in sides.iter().enumerate() {
        for (run, event) in runs.iter().enumerate() {
            for (function, count) in &event.functions {
                // Two versions of a program may be in files of different names.
                let module = function.module.clone().filter(|_| several.contains(&*function.name));
                let key = Function { name: function.name.clone(), module };
                let (counts, module) = functions.entry(key).or_insert_with(|| (none(), None));
                counts[side][run] = counts[side][run].saturating_add(*count);
                *module = function.module.clone();
            }
        }
    }
    functions
}

/// The names that several modules of one run have.
fn in_several_modules<'s>(sides: &[Vec<&'s Event>; 2]) -> BTreeSet<&'s str> {
    let mut several = BTreeSet::new();
    for event in sides.iter().flatten() {
        let names = || event.functions.keys().map(|of| of.name.as_str());
        several.extend(names().zip(names().skip(1)).filter(|(a, b)| a == b).map(|(a, _)| a));
    }
    several
}

#[cfg(test)]
mod tests {
    use super::super::run::Run;
    use super::super::sentences::verdict_sentences;
    use super::*;
    use counterpoint::symbols::ShortNames;

    /// Runs of an event whose samples stand for many: the counts of `hot` and of `rest`, and the samples that are as precise.
    fn side(runs: &[(u64, u64, f64)]) -> Side {
        let event = |(hot, rest, samples): &(u64, u64, f64)| {
            let counted = [("hot", *hot), ("rest", *rest)];
            let counted = counted.into_iter().map(|(name, count)| (name.to_string(), None, count));
            let precision = Some(samples / (hot + rest).max(1) as f64);
            Event { precision, ..Event::new("page-faults".to_string(), None, counted) }
        };
        let run = |of| Run { events: vec![event(of)], environment: None };
        Side { title: String::new(), runs: runs.iter().map(run).collect() }
    }

    fn hot(sides: [Side; 2], design: Design) -> (f64, Option<Verdict>, [Option<u64>; 2]) {
        let table = all(&sides, design).ok().unwrap().remove(0);
        let row = table.rows.iter().find(|row| row.function == "hot").unwrap();
        let change = table.change(row.comparison.difference.estimate);
        (change, row.verdict, [row.count(0), row.count(1)])
    }

    #[test]
    fn equal_counts_are_equal_however_many_samples_they_have() {
        let (many, few) = ([(3000, 5000, 4000.0); 4], [(3000, 5000, 10.0); 4]);
        for design in [Design::Rounds, Design::Runs] {
            let (change, verdict, counts) = hot([side(&many), side(&few)], design);
            assert!(change.abs() < 1e-6 && counts == [Some(12_000); 2], "{change}");
            assert!(!matches!(verdict, Some(Verdict::More | Verdict::Less)), "{verdict:?}");
        }
        let (change, _, counts) = hot([side(&many[..1]), side(&few[..1])], Design::Shares);
        assert!(change.abs() < 1e-6 && counts == [Some(3000); 2], "{change}");
    }

    /// An amount can be 0 on one side, and a share cannot.
    #[test]
    fn a_side_without_samples_has_no_percent() {
        let none = || side(&[(0, 0, 0.0); 3]);
        let some = || side(&[(30, 50, 80.0), (31, 50, 81.0), (29, 50, 79.0)]);
        let tables = all(&[none(), some()], Design::Rounds).ok().unwrap();
        let sentences = verdict_sentences(&tables[0], &ShortNames::default()).join(" ");
        assert!(
            sentences.contains("A run has 0.0 events in A and 80.0 events in B"),
            "{sentences}"
        );
        assert!(!sentences.contains("inf") && !sentences.contains('%'), "{sentences}");
        assert!(all(&[none(), some()], Design::Shares).ok().unwrap().is_empty());
        assert!(all(&[none(), none()], Design::Rounds).ok().unwrap().is_empty());
    }

    #[test]
    fn a_difference_is_in_events_and_needs_samples() {
        let runs = |hot: u64, samples: f64| {
            side(&[-1_i64, 1, 0, 2].map(|noise| (hot.saturating_add_signed(noise), 5000, samples)))
        };
        let (change, verdict, _) = hot([runs(3000, 2000.0), runs(4000, 2000.0)], Design::Rounds);
        assert!((change - 1000.0).abs() < 1e-6, "{change}");
        assert_eq!(verdict, Some(Verdict::More));
        let (change, verdict, counts) = hot([runs(3000, 4.0), runs(4000, 4.0)], Design::Rounds);
        assert!((change - 1000.0).abs() < 1e-6, "{change}");
        assert_ne!(verdict, Some(Verdict::More));
        assert_eq!(counts, [Some(12_002), Some(16_002)], "no function is lost");
    }
}
