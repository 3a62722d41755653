//! The values of sides beside each other.

use super::side::{ELAPSED, Key, Series, Side, Swept};
use super::why::Why;
use counterpoint::records::Location;
use counterpoint_compare::{
    Comparison, Group, Verdict, groups, mean, median, outliers, stddev, verdicts,
};
use std::collections::HashSet;

/// The sides and what was found about them; the first side is the base.
pub struct Table {
    pub sides: Vec<Heading>,
    pub rows: Vec<Row>,
    pub design: Design,
    /// Sentences about the runs.
    pub notes: Vec<String>,
    /// What the difference in time is made of, if `--why` asks for it.
    pub why: Option<Why>,
}

/// The relation of the runs of the sides to each other.
#[derive(Clone, Copy, PartialEq)]
pub enum Design {
    /// The sides took turns, and their runs of a round are compared.
    Rounds,
    /// Each side was run on its own, before the others.
    Samples,
    /// The same in one call of the program, because each side has its own setup.
    InOrder,
}

pub struct Heading {
    /// A, B, C, …, or in a sweep the values of the parameters.
    pub label: String,
    pub title: String,
    pub runs: usize,
    /// Its place in a sweep.
    pub swept: Option<Swept>,
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
    pub median: Option<f64>,
    pub min: Option<f64>,
    /// The runs that are far from the others, counted from 1.
    pub outliers: Vec<usize>,
    /// The two groups of the runs, if there are two.
    pub groups: Option<[Group; 2]>,
    pub reason: Option<String>,
}

/// A side compared with the base.
pub struct Against {
    pub comparison: Comparison,
    pub verdict: Verdict,
}

impl Table {
    pub fn new(sides: &[&Side], design: Design) -> Table {
        let mut known: HashSet<&Key> = HashSet::new();
        let all = sides.iter().flat_map(|side| &side.series);
        let mut all: Vec<&Series> = all.filter(|series| known.insert(&series.key)).collect();
        // The elapsed time is the first question of most people.
        all.sort_by_key(|series| series.event != ELAPSED);
        let mut rows: Vec<Row> =
            all.into_iter().map(|series| Row::new(series, sides, design)).collect();
        judge(&mut rows);
        let headings = sides.iter().enumerate().map(|(number, side)| Heading {
            label: side.swept.as_ref().map_or_else(|| letters(number), Swept::label),
            title: side.title.clone(),
            runs: side.runs(),
            swept: side.swept.clone(),
        });
        let notes = match design {
            // The rounds of all sides are of one machine, and of the same time.
            Design::Rounds | Design::InOrder => Vec::new(),
            Design::Samples => environments(sides),
        };
        Table { sides: headings.collect(), rows, design, notes, why: None }
    }

    /// The names of the parameters of a sweep; none without one.
    pub fn parameters(&self) -> Vec<&str> {
        let swept = self.sides.iter().filter_map(|side| side.swept.as_ref());
        let parameters = swept.map(|swept| &swept.parameters).find(|all| !all.is_empty());
        parameters.into_iter().flatten().map(|of| of.name.as_str()).collect()
    }

    pub fn is_sweep(&self) -> bool {
        self.sides.iter().any(|side| side.swept.is_some())
    }
}

impl Swept {
    /// Such as `n=1`, with the letter of the command if there are several.
    fn label(&self) -> String {
        let values = self.parameters.iter().map(|of| format!("{}={}", of.name, of.value));
        let words: Vec<String> = self.command.map(letters).into_iter().chain(values).collect();
        if self.parameters.is_empty() { "reference".to_string() } else { words.join(" ") }
    }
}

/// A to Z, then AA, AB and so on.
pub fn letters(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        rest => format!("{}{last}", letters(rest - 1)),
    }
}

/// Sentences about the machines of the sides, as far as they were not like that of the base.
fn environments(sides: &[&Side]) -> Vec<String> {
    let base = sides[0].environment.as_ref();
    let others = ('B'..='Z').zip(&sides[1..]);
    let differences = others.filter_map(|(letter, side)| {
        let other = side.environment.as_ref()?;
        Some(base?.differences(other, ["A", &letter.to_string()]))
    });
    differences.flatten().collect()
}

/// Enters the verdicts, which are those of all sides together.
fn judge(rows: &mut [Row]) {
    let all = rows.iter_mut().flat_map(|row| row.against.iter_mut().flatten());
    let mut all: Vec<&mut Against> = all.collect();
    let comparisons: Vec<Comparison> = all.iter().map(|against| against.comparison).collect();
    for (against, verdict) in all.iter_mut().zip(verdicts(&comparisons)) {
        against.verdict = verdict;
    }
}

impl Row {
    fn new(series: &Series, sides: &[&Side], design: Design) -> Row {
        let cells: Vec<Option<Cell>> =
            sides.iter().map(|side| side.get(&series.key).map(Cell::new)).collect();
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

    /// Returns true if this side has in every run the one value that the base has in every run.
    pub fn is_the_same(&self, side: usize) -> bool {
        let constant =
            |side: usize| self.cells[side].as_ref().filter(|cell| cell.stddev == Some(0.0))?.mean;
        constant(0).is_some() && constant(0) == constant(side)
    }

    /// Returns true if there may be more or less of it; other values are higher or lower.
    pub fn is_amount(&self) -> bool {
        self.is_time() || self.is_count
    }

    /// Returns true if it is a time, of which a side takes more or less.
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
            stddev: stddev(&numbers).filter(|stddev| stddev.is_finite()),
            median: median(&numbers),
            min: numbers.iter().copied().reduce(f64::min),
            groups: groups(&numbers),
            values: series.values.clone(),
            reason: series.reason.clone(),
        }
    }

    pub fn compare(&self, other: &Cell, design: Design) -> Option<Comparison> {
        match design {
            Design::Rounds => {
                // A round counts where both have a value.
                let rounds = self.values.iter().zip(&other.values);
                let (base, other): (Vec<f64>, Vec<f64>) =
                    rounds.filter_map(|(one, two)| Some(((*one)?, (*two)?))).unzip();
                Comparison::of_rounds(&base, &other)
            }
            Design::Samples | Design::InOrder => {
                let numbers =
                    |cell: &Cell| cell.values.iter().flatten().copied().collect::<Vec<f64>>();
                Comparison::of_samples(&numbers(self), &numbers(other))
            }
        }
    }
}
