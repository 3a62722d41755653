//! Rows of reports, put together by what they are of.

use serde_json::{Map, Value, json};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rows that are of the same event, region and place, in the order in which they were first met.
#[derive(Default)]
pub struct Merged {
    rows: Vec<Row>,
    /// Where the row of a key is, by the key's text.
    places: HashMap<String, usize>,
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
    /// What it is of, as it stands in the reports.
    pub key: Map<String, Value>,
    /// By rank, as the reports came.
    pub cells: Vec<(u64, Cell)>,
}

/// What one report says.
pub struct Cell {
    pub amount: Option<Amount>,
    pub status: String,
    pub reason: Option<String>,
    /// The interval of the run that it is of, or the last one.
    interval: Option<f64>,
    /// The value of a formula, which is no sum of anything.
    is_formula: bool,
    coverage: Option<f64>,
    calls: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    Whole(i128),
    Real(f64),
}

/// All ranks together.
pub enum Total {
    Sum { amount: Amount, coverage: f64 },
    None { status: &'static str, reason: String },
}

pub struct Spread {
    /// The rank, and its value.
    pub min: (u64, Amount),
    pub mean: f64,
    pub max: (u64, Amount),
}

impl Merged {
    /// Adds a report, and says which of its ranks are there already; the error says which line is none of one.
    pub fn add(&mut self, text: &str) -> Result<Vec<Again>, String> {
        let report = self.reports;
        let mut rows = 0;
        let mut ranks = BTreeSet::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |what: &str| format!("line {}: {what}", index + 1);
            let line: Value = serde_json::from_str(line)
                .map_err(|e| wrong(&format!("no JSON from column {} on", e.column())))?;
            match line.get("schema").and_then(Value::as_u64) {
                Some(1) => {}
                Some(_) => return Err(wrong("a schema that this version does not know")),
                None => return Err(wrong("no line of a report")),
            }
            rows += 1;
            if line.get("summary").is_some() {
                continue;
            }
            ranks.insert(self.row(report, &line).ok_or_else(|| wrong("no line of a report"))?);
        }
        if rows == 0 {
            return Err("there is no report in it".to_string());
        }
        self.reports += 1;
        let again = |rank| {
            let first = *self.ranks.entry(rank).or_insert(report);
            (first != report).then_some(Again { rank, report: first })
        };
        Ok(ranks.into_iter().filter_map(again).collect())
    }

    /// Adds a line; the rank that it is of.
    fn row(&mut self, report: u64, line: &Value) -> Option<u64> {
        // The threads of a region are in its total already.
        let is_part = line.get("region").is_some() && line.get("thread").is_some();
        let (key, cell) = (key(line)?, Cell::of(line)?);
        let rank = match line.get("rank") {
            None | Some(Value::Null) => report,
            Some(rank) => rank.as_u64()?,
        };
        if is_part {
            return Some(rank);
        }
        let text = Value::Object(key.clone()).to_string();
        let place = *self.places.entry(text).or_insert(self.rows.len());
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
        Some(rank)
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    pub fn reports(&self) -> u64 {
        self.reports
    }
}

/// What a line is of: event, region, unit and place.
fn key(line: &Value) -> Option<Map<String, Value>> {
    line.get("event")?.as_str()?;
    let names =
        ["schema", "region", "event", "canonical", "unit", "cpu", "thread", "socket", "core"];
    let put = |name: &&str| Some((name.to_string(), line.get(*name)?.clone()));
    Some(names.iter().filter_map(put).collect())
}

impl Cell {
    fn of(line: &Value) -> Option<Cell> {
        let amount = match line.get("value")? {
            Value::Null => None,
            Value::Number(number) => {
                let whole = number.as_u64().map(i128::from).or(number.as_i64().map(i128::from));
                Some(whole.map_or(Amount::Real(number.as_f64()?), Amount::Whole))
            }
            _ => return None,
        };
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_string);
        Some(Cell {
            amount,
            status: text("status")?,
            reason: text("reason"),
            interval: line.get("interval_s").and_then(Value::as_f64),
            is_formula: amount.is_some() && line.get("raw").is_none(),
            coverage: line.get("coverage").and_then(Value::as_f64),
            calls: line.get("calls").and_then(Value::as_u64),
        })
    }

    /// Adds what a later interval has; an interval in which nothing ran has nothing to add.
    fn add(&mut self, later: Cell) {
        self.interval = later.interval;
        match (self.amount, later.amount) {
            (_, None) if later.status == "not-counted" => {}
            (None, Some(_)) if self.status == "not-counted" => *self = later,
            (Some(one), Some(two)) if !self.is_formula => {
                self.amount = Some(one.plus(two));
                self.coverage = least(self.coverage, later.coverage);
                if later.status == "estimated" {
                    self.status = later.status;
                }
            }
            _ => {
                let reason = "the values of intervals do not add up".to_string();
                *self = Cell {
                    amount: None,
                    status: "not-counted".to_string(),
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
        let text = |key: &str| self.key.get(key).and_then(Value::as_str).unwrap_or_default();
        let mut name = text("event").to_string();
        if !text("unit").is_empty() {
            name = format!("{name} ({})", text("unit"));
        }
        if let Some(calls) = self.calls() {
            name = format!("{name} in {} ({calls} calls)", text("region"));
        }
        for place in ["socket", "core", "cpu", "thread"] {
            if let Some(number) = self.key.get(place) {
                name = format!("{name} {place} {number}");
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
            let status = match cell.status.as_str() {
                "not-supported" => "not-supported",
                _ => "not-counted",
            };
            let reason = cell.reason.as_deref().unwrap_or("no value");
            return Total::None { status, reason: format!("rank {rank}: {reason}") };
        }
        if self.cells.iter().any(|(_, cell)| cell.is_formula) {
            let reason = "the values of a formula do not add up".to_string();
            return Total::None { status: "formula", reason };
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
        Some(Spread { min, mean: sum / values().count() as f64, max })
    }
}

impl Total {
    pub fn amount(&self) -> Option<Amount> {
        match self {
            Total::Sum { amount, .. } => Some(*amount),
            Total::None { .. } => None,
        }
    }

    /// The word of the machine formats.
    pub fn status(&self) -> Value {
        json!(match self {
            Total::Sum { coverage, .. } if *coverage < 1.0 => "estimated",
            Total::Sum { .. } => "counted",
            Total::None { status: "not-supported", .. } => "not-supported",
            Total::None { .. } => "not-counted",
        })
    }
}

impl Amount {
    fn real(self) -> f64 {
        match self {
            Amount::Whole(whole) => whole as f64,
            Amount::Real(real) => real,
        }
    }

    fn plus(self, other: Amount) -> Amount {
        match (self, other) {
            (Amount::Whole(one), Amount::Whole(two)) => Amount::Whole(one + two),
            (one, two) => Amount::Real(one.real() + two.real()),
        }
    }
}

fn least(one: Option<f64>, two: Option<f64>) -> Option<f64> {
    one.into_iter().chain(two).reduce(f64::min)
}
