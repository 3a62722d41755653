//! What was counted for closures that took turns, and how they differ.

use crate::counting::choice::Choice;
use crate::report::rows::Row;
use counterpoint_compare::{Comparison, Verdict, mean, verdicts};
use counterpoint_report::{Amount, Row as Record, SCHEMA, Status};
use std::fmt;

/// The counts of closures that took turns.
///
/// It prints as a table with the mean of each closure for one call, and a sentence for each difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The events, each by what was asked for, with what was chosen.
    pub choices: Vec<(String, Choice)>,
    /// The names of the closures, the base first.
    pub cases: Vec<String>,
    /// The calls in each turn.
    pub calls: u64,
    /// The values, each of one event.
    pub measures: Vec<Measure>,
}

/// The values of one event, by closure and round.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measure {
    /// The event, as it was chosen.
    pub event: String,
    /// The event as it is printed: its usual name if it has several rows, such as one for each kind of cores.
    pub name: String,
    /// The unit, such as `ns`; `None` for plain counts.
    pub unit: Option<String>,
    /// For each closure, the value of each round: of one call for events, and as it is for metrics and other formulas.
    pub values: Vec<Vec<f64>>,
    /// The reason why a round has no value; the event is not compared then.
    pub reason: Option<String>,
}

/// The difference of a closure from the base in one event.
///
/// It prints as a sentence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The event, as it was chosen.
    pub event: String,
    /// The event as it is printed.
    pub name: String,
    /// The name of the base.
    pub base: String,
    /// The name of the other closure.
    pub other: String,
    /// The values beside each other.
    pub comparison: Comparison,
    /// The conclusion, of all differences together.
    pub verdict: Verdict,
    is_count: bool,
}

/// A number of hundredths.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Percent(pub f64);

/// Numbers that may be written as hundredths: `1.0.percent()`.
pub trait Percentage {
    /// So many hundredths.
    fn percent(self) -> Percent;
}

impl Percentage for f64 {
    fn percent(self) -> Percent {
        Percent(self)
    }
}

impl Outcome {
    pub(super) fn new(choices: Vec<(String, Choice)>, cases: Vec<String>, calls: u64) -> Outcome {
        Outcome { choices, cases, calls, measures: Vec::new() }
    }

    /// Adds the rows of one turn of a case.
    pub(super) fn add(&mut self, case: usize, rows: &[Row]) {
        for (index, row) in rows.iter().enumerate() {
            if index == self.measures.len() {
                let is_repeated = rows.iter().filter(|other| other.event == row.event).count() > 1;
                self.measures.push(Measure {
                    event: row.event.clone(),
                    name: if is_repeated { row.id.to_string() } else { row.event.clone() },
                    unit: row.unit.clone(),
                    values: vec![Vec::new(); self.cases.len()],
                    reason: None,
                });
            }
            let measure = &mut self.measures[index];
            let calls = if row.adds_up() { self.calls as f64 } else { 1.0 };
            match (row.value.as_f64(), row.value.reason()) {
                (Some(value), _) => measure.values[case].push(value / calls),
                (None, Some(reason)) => measure.reason = Some(reason.to_string()),
                (None, None) => {}
            }
        }
    }

    /// The mean of each closure as reports have it, with the closure as its region.
    pub(super) fn records(&self) -> Vec<Record> {
        let mut records = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            for Measure { name, unit, values, reason, .. } in &self.measures {
                let value = mean(&values[index]).filter(|_| reason.is_none());
                records.push(Record {
                    schema: SCHEMA,
                    region: Some(case.clone()),
                    event: name.clone(),
                    value: value.map(Amount::Real),
                    status: if value.is_some() { Status::Counted } else { Status::NotCounted },
                    unit: unit.clone(),
                    reason: reason.clone(),
                    ..Record::default()
                });
            }
        }
        records
    }

    /// The differences of every other closure from the first, event by event.
    pub fn differences(&self) -> Vec<Difference> {
        let mut found = Vec::new();
        for measure in self.measures.iter().filter(|measure| measure.reason.is_none()) {
            let Some((base, others)) = measure.values.split_first() else { continue };
            for (name, other) in self.cases[1..].iter().zip(others) {
                let Some(comparison) = Comparison::of_rounds(base, other) else { continue };
                found.push(Difference {
                    event: measure.event.clone(),
                    name: measure.name.clone(),
                    base: self.cases[0].clone(),
                    other: name.clone(),
                    comparison,
                    verdict: Verdict::NoDifference,
                    is_count: measure.unit.is_none(),
                });
            }
        }
        let comparisons: Vec<Comparison> = found.iter().map(|of| of.comparison).collect();
        for (of, verdict) in found.iter_mut().zip(verdicts(&comparisons)) {
            of.verdict = verdict;
        }
        found
    }

    /// Asserts that no other closure counts more of an event than the first, but for a share of it that is allowed.
    ///
    /// The event is written as it was asked for, or as one of its choices. Noise does not fail it: of closures that do not
    /// differ, 5 in 100 at most fail with nothing allowed, and fewer with more.
    ///
    /// # Panics
    /// Panics if the interval of the difference lies above what is allowed, if the event has no number, and if there is
    /// nothing to compare.
    #[track_caller]
    pub fn assert_no_more(&self, event: &str, allowed: Percent) {
        let Some(chosen) = self.chosen(event) else {
            let events: Vec<&str> = self.choices.iter().map(|(asked, _)| asked.as_str()).collect();
            panic!("`{event}` is not among the events that are counted: {}", events.join(", "));
        };
        let own = || self.measures.iter().filter(|measure| measure.event == chosen);
        if let Some(reason) = own().find_map(|measure| measure.reason.as_ref()) {
            panic!("{event} has no number: {reason}");
        }
        let differences = self.differences();
        let differences: Vec<_> = differences.iter().filter(|of| of.event == chosen).collect();
        let compared = own().count() * self.cases.len().saturating_sub(1);
        assert!(compared > 0 && differences.len() == compared, "{event} was not compared");
        for difference in differences {
            let least = difference.comparison.ratio.map(|ratio| (ratio.low - 1.0) * 100.0);
            // Where the base counts nothing there is no ratio.
            let is_more =
                difference.verdict == Verdict::More && least.is_none_or(|least| least > allowed.0);
            assert!(!is_more, "{difference}; {} % more are allowed", allowed.0);
        }
    }

    /// The event that stands for what was asked for.
    fn chosen(&self, event: &str) -> Option<&str> {
        let is_it = |(asked, _): &&(String, Choice)| {
            asked == event || asked.split('|').any(|choice| choice.trim() == event)
        };
        self.choices.iter().find(is_it).map(|(_, choice)| choice.event.as_str())
    }
}

/// The widest column of names: longer ones move the rest of their lines.
const WIDEST: usize = 200;

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.measures.iter().map(|measure| measure.name.len()).max().unwrap_or(0).min(WIDEST);
        for (index, name) in self.cases.iter().enumerate() {
            writeln!(f, "{name}, of {} calls in each turn", self.calls)?;
            for measure in &self.measures {
                let Measure { name, unit, values, reason, .. } = measure;
                let unit = unit.as_deref().unwrap_or_default();
                match (mean(&values[index]), reason) {
                    (_, Some(reason)) => writeln!(f, "  {name:<width$}  no number: {reason}")?,
                    (Some(mean), None) => writeln!(f, "  {name:<width$}  {mean:>16.2} {unit}")?,
                    (None, None) => writeln!(f, "  {name:<width$}  no number")?,
                }
            }
        }
        let differences = self.differences();
        differences.iter().try_for_each(|difference| writeln!(f, "{difference}"))?;
        for (_, choice) in self.choices.iter().filter(|(_, choice)| !choice.passed_over.is_empty())
        {
            writeln!(f, "counted: {choice}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { name, base, other, comparison, verdict, is_count, .. } = self;
        let Some(ratio) = comparison.ratio else {
            let words = match verdict {
                Verdict::More => "more",
                Verdict::Less => "less",
                Verdict::Uncertain | Verdict::NoDifference => "no more or less",
            };
            return write!(
                f,
                "`{other}`: {words} {name} than `{base}` ({:+.2} each call)",
                comparison.difference.estimate
            );
        };
        let share = (ratio.estimate - 1.0) * 100.0;
        let margin = ratio.margin() * 100.0;
        let less = if *is_count { "fewer" } else { "less" };
        match verdict {
            Verdict::More => {
                write!(f, "`{other}`: {share:.2} % ± {margin:.2} % more {name} than `{base}`")
            }
            Verdict::Less => {
                write!(f, "`{other}`: {:.2} % ± {margin:.2} % {less} {name} than `{base}`", -share)
            }
            Verdict::Uncertain => write!(
                f,
                "`{other}`: perhaps another number of {name} than `{base}` ({share:+.2} % ± {margin:.2} %); more rounds will tell"
            ),
            Verdict::NoDifference => write!(
                f,
                "`{other}`: no difference in {name} from `{base}` ({share:+.2} % ± {margin:.2} %)"
            ),
        }
    }
}
