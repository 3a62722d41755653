//! The comparison for people.

use super::sentences::{self, in_unit, name, percent};
use super::table::{Against, Cell, Design, Heading, Row, Table};
use crate::show::printable;
use counterpoint_compare::Verdict;
use std::io::{self, Write};

/// The most runs that are named as outliers of one event.
const NAMED: usize = 5;

pub fn write(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    writeln!(out)?;
    for side in &table.sides {
        let runs = if side.runs == 1 { "run" } else { "runs" };
        writeln!(out, " {}: {} ({} {runs})", side.letter, printable(&side.title), side.runs)?;
    }
    let turns = match table.design {
        Design::Rounds => "; the commands took turns in random order",
        Design::Samples => "",
    };
    writeln!(out, " ± is the standard deviation of the runs{turns}")?;
    for (index, side) in table.sides.iter().enumerate().skip(1) {
        writeln!(out)?;
        rows(out, table, index, side)?;
        writeln!(out)?;
        for sentence in sentences::verdict(table, index, side) {
            writeln!(out, " {}", printable(&sentence))?;
        }
    }
    for (index, side) in table.sides.iter().enumerate() {
        outliers(out, table, index, side)?;
    }
    for note in sentences::notes(table) {
        writeln!(out, " {}", printable(&note))?;
    }
    missing(out, table)
}

/// The rows of one side beside the base.
fn rows(out: &mut dyn Write, table: &Table, index: usize, side: &Heading) -> io::Result<()> {
    let base = table.sides[0].letter;
    let other = side.letter;
    let heading = [
        String::new(),
        base.to_string(),
        other.to_string(),
        format!("{other} ÷ {base}"),
        "95 % interval".to_string(),
        String::new(),
    ];
    let is_shown =
        |row: &&Row| [0, index].iter().any(|side| row.cells[*side].as_ref().is_some_and(has_value));
    let lines = table.rows.iter().filter(is_shown).map(|row| line(row, index));
    let lines: Vec<[String; 6]> = [heading].into_iter().chain(lines).collect();
    let width =
        |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    for [name, base, other, ratio, interval, verdict] in &lines {
        let text = format!(
            " {name:<0$}  {base:>1$}  {other:>2$}  {ratio:>3$}  {interval:<4$}  {verdict}",
            widths[0], widths[1], widths[2], widths[3], widths[4]
        );
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

fn has_value(cell: &Cell) -> bool {
    cell.mean.is_some()
}

fn line(row: &Row, index: usize) -> [String; 6] {
    let cell = |side: usize| match &row.cells[side] {
        Some(cell) => value(cell, row),
        None => "-".to_string(),
    };
    let against = row.against[index].as_ref();
    let ratio = against.and_then(|against| against.comparison.ratio);
    let number = |value: f64| format!("{value:.4}");
    [
        printable(&name(row)).into_owned(),
        cell(0),
        cell(index),
        ratio.map(|ratio| number(ratio.estimate)).unwrap_or_default(),
        ratio
            .map(|ratio| format!("{} … {}", number(ratio.low), number(ratio.high)))
            .unwrap_or_default(),
        against.map(|against| words(row, against)).unwrap_or_default(),
    ]
}

/// The mean with its deviation.
pub fn value(cell: &Cell, row: &Row) -> String {
    let Some(mean) = cell.mean else { return "<not counted>".to_string() };
    let (number, unit) = in_unit(mean, row);
    match cell.stddev.filter(|_| mean != 0.0) {
        Some(stddev) => {
            let share = 100.0 * stddev / mean.abs();
            format!("{number}{unit} ± {:>4} %", percent(share, share.max(1.0)))
        }
        None => format!("{number}{unit}"),
    }
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

fn outliers(out: &mut dyn Write, table: &Table, index: usize, side: &Heading) -> io::Result<()> {
    let of_row = |row: &Row| {
        let runs = &row.cells[index].as_ref()?.outliers;
        let named: Vec<String> = runs.iter().take(NAMED).map(usize::to_string).collect();
        let more = match runs.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!runs.is_empty()).then(|| format!("{} in {}{more}", name(row), named.join(", ")))
    };
    let rows: Vec<String> = table.rows.iter().filter_map(of_row).collect();
    if rows.is_empty() {
        Ok(())
    } else {
        writeln!(
            out,
            " Outliers in the runs of {}, which are part of the means: {}.",
            side.letter,
            printable(&rows.join("; "))
        )
    }
}

/// Returns true if the values of a side are too large for their deviation to be a number.
fn is_too_large(row: &Row) -> bool {
    row.cells
        .iter()
        .flatten()
        .any(|cell| cell.stddev.is_none() && cell.values.iter().flatten().count() > 1)
}

/// Writes the reasons why events have no value.
fn missing(out: &mut dyn Write, table: &Table) -> io::Result<()> {
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
    for (reason, names) in reasons {
        writeln!(out, " {}: {}", printable(&names.join(", ")), printable(reason))?;
    }
    writeln!(out)
}
