//! The columns and fields of tables on the page of a profile.

use crate::page::{Cell, Column};
use crate::show::grouped;
use counterpoint::symbols::ShortNames;

/// The most rows of a table.
pub const ROWS: usize = 1000;

/// The title of a table, which says so if it does not have all rows.
pub fn of_at_most(title: String, rows: usize) -> String {
    if rows > ROWS {
        format!("{title}: the first {} of {}", grouped(ROWS as i128), grouped(rows as i128))
    } else {
        title
    }
}

pub fn columns<const N: usize>(columns: [(&'static str, bool); N]) -> Vec<Column> {
    columns.into_iter().map(|(name, number)| Column { name: name.into(), number }).collect()
}

/// The short name of a function, and its full name where the pointer rests on it.
pub fn function(names: &ShortNames, full: &str) -> Cell {
    let short = names.short(full);
    Cell { title: (short != full).then(|| full.to_string()), ..Cell::text(short) }
}

pub fn hundredths(value: f64) -> Cell {
    Cell { text: format!("{value:.2}"), value: Some(value), ..Cell::default() }
}
