//! The fields of the tables for people.

use super::sentences::{self, in_unit, name};
use super::table::{Against, Cell, Row, Table};
use crate::show::to_margin;
use counterpoint_compare::Verdict;

/// The mean with its deviation.
pub fn value(cell: &Cell, row: &Row) -> String {
    let Some(mean) = cell.mean else { return "<not counted>".to_string() };
    let (number, unit) = in_unit(mean, row);
    match cell.stddev.filter(|_| mean != 0.0) {
        Some(stddev) => {
            let share = 100.0 * stddev / mean.abs();
            format!("{number}{unit} ± {:>4} %", to_margin(share, share.max(1.0)))
        }
        None => format!("{number}{unit}"),
    }
}

/// The value with its unit; nothing of none.
pub fn amount(value: Option<f64>, row: &Row) -> String {
    let (number, unit) = value.map(|value| in_unit(value, row)).unwrap_or_default();
    number + &unit
}

/// The ratio, and the interval of the ratio; both empty of the base, and where there is no ratio.
pub fn ratio(row: &Row, side: usize) -> [String; 2] {
    let against = row.against[side].as_ref();
    let ratio = against.and_then(|against| against.comparison.ratio);
    ratio.map_or_else(Default::default, |of| {
        [format!("{:.4}", of.estimate), format!("{:.4} … {:.4}", of.low, of.high)]
    })
}

/// The verdict in a word or two.
pub fn words(row: &Row, against: &Against) -> String {
    let size = || sentences::size(row, against);
    match against.verdict {
        Verdict::More => format!("{} more", size()),
        Verdict::Less => format!("{} less", size()),
        Verdict::Uncertain => "may differ".to_string(),
        Verdict::NoDifference => "no difference found".to_string(),
    }
}

/// Returns true if the base or this side has values of the row.
pub fn is_shown(row: &Row, index: usize) -> bool {
    [0, index].iter().any(|side| row.cells[*side].as_ref().is_some_and(has_value))
}

/// Returns true if a run has a value.
pub fn has_value(cell: &Cell) -> bool {
    cell.mean.is_some()
}

/// The reasons why events have no value, each after the events that it is about.
pub fn missing(table: &Table) -> Vec<(String, String)> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for row in &table.rows {
        let cells = row.cells.iter().flatten().filter(|cell| !has_value(cell));
        let Some(reason) = cells.filter_map(|cell| cell.reason.as_deref()).next() else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name(row)),
            None => reasons.push((reason, vec![name(row)])),
        }
    }
    let too_large: Vec<String> =
        table.rows.iter().filter(|row| is_too_large(row)).map(name).collect();
    if !too_large.is_empty() {
        reasons.push(("not compared, because the values are too large", too_large));
    }
    let lines = reasons.into_iter().map(|(reason, names)| (names.join(", "), reason.to_string()));
    lines.collect()
}

/// Returns true if the values of a side are too large for their deviation to be a number.
fn is_too_large(row: &Row) -> bool {
    row.cells
        .iter()
        .flatten()
        .any(|cell| cell.stddev.is_none() && cell.values.iter().flatten().count() > 1)
}
