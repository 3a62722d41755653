//! The comparison as a table of Markdown.

use super::cells::{is_shown, missing, ratio, value, words};
use super::grid::{COLUMNS, Grid};
use super::ranking;
use super::sentences::{self, name};
use super::table::{Heading, Row, Table};
use super::why;
use std::io::{self, Write};

pub fn write(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    for side in &table.sides {
        let title = side.title.replace('`', "'");
        writeln!(out, "- {}: `{}`, {} runs", escaped(&side.label), one_line(&title), side.runs)?;
    }
    if table.is_sweep() {
        swept(out, table)?;
    } else {
        let mut others = table.sides.iter().enumerate().skip(1);
        others.try_for_each(|(index, side)| beside(out, table, index, side))?;
    }
    let ranking = ranking::sentences(table);
    if !ranking.is_empty() {
        writeln!(out)?;
    }
    ranking.iter().try_for_each(|sentence| writeln!(out, "{}", escaped(sentence)))?;
    let why = table.why.iter().flat_map(|why| why::sentences(why, table));
    let mut notes = why.chain(sentences::notes(table));
    notes.try_for_each(|note| writeln!(out, "\n{}", escaped(&note)))?;
    let missing = missing(table).into_iter();
    let missing: Vec<String> =
        missing.map(|(names, reason)| format!("{names}: {reason}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot counted: {}.", escaped(&missing.join("; ")))
}

/// A table of the events of a side beside those of the base.
fn beside(out: &mut dyn Write, table: &Table, index: usize, side: &Heading) -> io::Result<()> {
    let (base, other) = (&table.sides[0].label, &side.label);
    writeln!(out, "\n| | {base} | {other} | {other} ÷ {base} | 95 % interval | |")?;
    writeln!(out, "|---|---:|---:|---:|---|---|")?;
    let mut rows = table.rows.iter().filter(|row| is_shown(row, index));
    rows.try_for_each(|row| line(out, row, index))?;
    writeln!(out)?;
    let verdict = sentences::verdict(table, index, side);
    verdict.iter().try_for_each(|sentence| writeln!(out, "{}", escaped(sentence)))
}

fn line(out: &mut dyn Write, row: &Row, index: usize) -> io::Result<()> {
    let cell = |side: usize| {
        row.cells[side].as_ref().map_or("-".to_string(), |cell| escaped(&value(cell, row)))
    };
    let [ratio, interval] = ratio(row, index);
    let verdict = row.against[index].as_ref().map(|against| words(row, against));
    writeln!(
        out,
        "| {} | {} | {} | {ratio} | {interval} | {} |",
        escaped(&name(row)),
        cell(0),
        cell(index),
        verdict.unwrap_or_default(),
    )
}

/// One table of each event over the parameters.
fn swept(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let grid = Grid::new(table, &COLUMNS);
    let line = |first: &str, fields: &[String]| {
        let fields: String = fields.iter().map(|field| format!(" {} |", escaped(field))).collect();
        format!("| {} |{fields}", escaped(first))
    };
    writeln!(out, "\n{}", line("", &grid.heading))?;
    let names = "---|".repeat(grid.names);
    let values = COLUMNS.map(|column| if column.is_right() { "---:|" } else { "---|" });
    writeln!(out, "|---|{names}{}", values.concat())?;
    for event in &grid.events {
        event.lines.iter().try_for_each(|fields| writeln!(out, "{}", line(&event.name, fields)))?;
    }
    Ok(())
}

/// The text without what has a meaning in a table.
fn escaped(text: &str) -> String {
    one_line(text).replace('|', "\\|").replace('<', "&lt;").replace('_', "\\_").replace('*', "\\*")
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
