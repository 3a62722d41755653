//! A line for each side of each event: over the parameters of a sweep, or over the commands.

use super::cells::{amount, has_value, ratio, value, words};
use super::sentences::name;
use super::table::{Row, Table, letters};
use crate::show;

/// The most letters of the value of a parameter.
const LETTERS: usize = 24;

/// A column of values.
#[derive(Clone, Copy, PartialEq)]
pub enum Column {
    Mean,
    Median,
    Min,
    /// Divided by the base.
    Ratio,
    Interval,
    Verdict,
}

/// All columns in their order.
pub const COLUMNS: [Column; 6] =
    [Column::Mean, Column::Median, Column::Min, Column::Ratio, Column::Interval, Column::Verdict];

/// The lines of all events that have a value.
pub struct Grid {
    /// The number of columns before the values, which name the side.
    pub names: usize,
    pub heading: Vec<String>,
    pub events: Vec<Event>,
}

pub struct Event {
    pub name: String,
    /// One line for each side.
    pub lines: Vec<Vec<String>>,
}

impl Grid {
    /// With these columns of values.
    pub fn new(table: &Table, columns: &[Column]) -> Grid {
        let (mut heading, sides) = side_names(table);
        let names = heading.len();
        heading.extend(columns.iter().map(|column| column.heading(table)));
        let line = |row: &Row, side: usize| {
            let fields = columns.iter().map(|column| column.field(row, side));
            sides[side].iter().cloned().chain(fields).collect()
        };
        let rows = table.rows.iter().filter(|row| row.cells.iter().flatten().any(has_value));
        let events = rows.map(|row| Event {
            name: name(row),
            lines: (0..sides.len()).map(|side| line(row, side)).collect(),
        });
        Grid { names, heading, events: events.collect() }
    }
}

/// The headings of the columns that name a side, and its fields: a letter, or in a sweep the values of the parameters, after the letter of the command if there are several.
fn side_names(table: &Table) -> (Vec<String>, Vec<Vec<String>>) {
    let parameters = table.parameters();
    if parameters.is_empty() {
        let labels = table.sides.iter().map(|side| vec![side.label.clone()]);
        return (vec![String::new()], labels.collect());
    }
    let swept = || table.sides.iter().filter_map(|side| side.swept.as_ref());
    let has_commands = swept().any(|swept| swept.command.is_some());
    let command = |name: String| has_commands.then_some(name).into_iter();
    let heading = command(String::new()).chain(parameters.iter().map(|name| name.to_string()));
    let heading: Vec<String> = heading.collect();
    let sides = swept().map(|swept| {
        if swept.parameters.is_empty() {
            let mut fields = vec![String::new(); heading.len()];
            fields[0] = "reference".to_string();
            return fields;
        }
        let value = |text: &str| show::cut(text, LETTERS).into_owned();
        let values = swept.parameters.iter().map(|of| value(&of.value));
        command(swept.command.map(letters).unwrap_or_default()).chain(values).collect()
    });
    let sides = sides.collect();
    (heading, sides)
}

impl Column {
    /// Returns true if its fields are aligned to the right.
    pub fn is_right(self) -> bool {
        !matches!(self, Column::Interval | Column::Verdict)
    }

    fn heading(self, table: &Table) -> String {
        match self {
            Column::Mean => "mean".to_string(),
            Column::Median => "median".to_string(),
            Column::Min => "min".to_string(),
            Column::Ratio => format!("÷ {}", show::cut(&table.sides[0].label, LETTERS)),
            Column::Interval => "95 % interval".to_string(),
            Column::Verdict => String::new(),
        }
    }

    fn field(self, row: &Row, side: usize) -> String {
        let Some(cell) = &row.cells[side] else {
            return if self == Column::Mean { "-".to_string() } else { String::new() };
        };
        let [ratio, interval] = ratio(row, side);
        match self {
            Column::Mean => value(cell, row),
            Column::Median => amount(cell.median, row),
            Column::Min => amount(cell.min, row),
            Column::Ratio => ratio,
            Column::Interval => interval,
            Column::Verdict => {
                row.against[side].as_ref().map(|against| words(row, against)).unwrap_or_default()
            }
        }
    }
}
