//! The columns and fields of tables on the page of a profile.

use crate::page::{Cell, Column};
use counterpoint::symbols::ShortNames;

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
