//! The values of sides beside each other.

use super::side::{ELAPSED, Series, Side};
use crate::records::Location;
use counterpoint_compare::{Comparison, Verdict, mean, outliers, stddev, verdicts};

/// The sides and what was found about them; the first side is the base.
pub struct Table {
    pub sides: Vec<Heading>,
    pub rows: Vec<Row>,
    pub design: Design,
    /// Sentences about the runs.
    pub notes: Vec<String>,
}

/// How the runs of the sides belong together.
#[derive(Clone, Copy, PartialEq)]
pub enum Design {
    /// The sides took turns, and their runs of a round are compared.
    Rounds,
    /// Each side was run on its own.
    Samples,
}

pub struct Heading {
    /// A, B, C, …
    pub letter: char,
    pub title: String,
    pub runs: usize,
}

/// One event at one place.
pub struct Row {
    pub name: String,
    pub canonical: Option<String>,
    pub unit: Option<String>,
    pub location: Location,
    pub is_count: bool,
    /// One for each side; `None` where a side has no such row.
    pub cells: Vec<Option<Cell>>,
    /// One for each side; `None` for the base, and where there is nothing to compare.
    pub against: Vec<Option<Against>>,
}

/// The values of one side.
pub struct Cell {
    /// In the order of the runs.
    pub values: Vec<Option<f64>>,
    pub mean: Option<f64>,
    /// Of the sample; `None` of fewer than two values.
    pub stddev: Option<f64>,
    /// The runs that are far from the others, counted from 1.
    pub outliers: Vec<usize>,
    pub reason: Option<String>,
}

/// A side compared with the base.
pub struct Against {
    pub comparison: Comparison,
    pub verdict: Verdict,
}

impl Table {
    pub fn new(sides: Vec<Side>, design: Design) -> Table {
        let mut keys: Vec<&Series> = Vec::new();
        for series in sides.iter().flat_map(|side| &side.series) {
            if !keys.iter().any(|known| known.key == series.key) {
                keys.push(series);
            }
        }
        // What people ask first.
        keys.sort_by_key(|series| series.event != ELAPSED);
        let mut rows: Vec<Row> =
            keys.into_iter().map(|series| Row::new(series, &sides, design)).collect();
        (1..sides.len()).for_each(|side| judge(&mut rows, side));
        let headings = ('A'..='Z').zip(&sides).map(|(letter, side)| Heading {
            letter,
            title: side.title.clone(),
            runs: side.runs(),
        });
        Table { sides: headings.collect(), rows, design, notes: Vec::new() }
    }
}

/// Enters the verdicts on a side.
fn judge(rows: &mut [Row], side: usize) {
    let mut all: Vec<&mut Against> =
        rows.iter_mut().filter_map(|row| row.against[side].as_mut()).collect();
    let comparisons: Vec<Comparison> = all.iter().map(|against| against.comparison).collect();
    for (against, verdict) in all.iter_mut().zip(verdicts(&comparisons)) {
        against.verdict = verdict;
    }
}

impl Row {
    fn new(series: &Series, sides: &[Side], design: Design) -> Row {
        let of_side =
            |side: &Side| side.series.iter().find(|other| other.key == series.key).map(Cell::new);
        let cells: Vec<Option<Cell>> = sides.iter().map(of_side).collect();
        let base = cells[0].as_ref();
        let against = cells.iter().enumerate().map(|(index, cell)| match (base, cell) {
            (Some(base), Some(cell)) if index > 0 => Some(Against {
                comparison: base.compare(cell, design)?,
                verdict: Verdict::NoDifference,
            }),
            _ => None,
        });
        Row {
            against: against.collect(),
            name: series.event.clone(),
            canonical: (series.event != ELAPSED).then(|| series.key.canonical.clone()),
            unit: series.unit.clone(),
            location: series.key.location.clone(),
            is_count: series.is_count,
            cells,
        }
    }

    /// The greatest mean of a side.
    pub fn most(&self) -> f64 {
        self.cells.iter().flatten().filter_map(|cell| cell.mean).fold(0.0, f64::max)
    }

    /// Whether it is a time, which is taken.
    pub fn is_time(&self) -> bool {
        matches!(self.unit.as_deref(), Some("ns" | "s"))
    }
}

impl Cell {
    fn new(series: &Series) -> Cell {
        let (runs, numbers): (Vec<usize>, Vec<f64>) =
            series.values.iter().enumerate().filter_map(|(run, v)| Some((run + 1, (*v)?))).unzip();
        Cell {
            outliers: outliers(&numbers).into_iter().map(|index| runs[index]).collect(),
            mean: mean(&numbers),
            stddev: stddev(&numbers),
            values: series.values.clone(),
            reason: series.reason.clone(),
        }
    }

    fn compare(&self, other: &Cell, design: Design) -> Option<Comparison> {
        match design {
            Design::Rounds => {
                // A round counts where both have a value.
                let rounds = self.values.iter().zip(&other.values);
                let (base, other): (Vec<f64>, Vec<f64>) =
                    rounds.filter_map(|(one, two)| Some(((*one)?, (*two)?))).unzip();
                Comparison::of_rounds(&base, &other)
            }
            Design::Samples => {
                let numbers =
                    |cell: &Cell| cell.values.iter().flatten().copied().collect::<Vec<f64>>();
                Comparison::of_samples(&numbers(self), &numbers(other))
            }
        }
    }
}
