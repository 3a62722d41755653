//! The comparison as a table of Markdown.

use super::sentences::{self, name};
use super::table::{Row, Table};
use super::text::{value, words};
use std::io::{self, Write};

pub fn write(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    for side in &table.sides {
        let title = side.title.replace('`', "'");
        writeln!(out, "- {}: `{}`, {} runs", side.letter, one_line(&title), side.runs)?;
    }
    for (index, side) in table.sides.iter().enumerate().skip(1) {
        let (base, other) = (table.sides[0].letter, side.letter);
        writeln!(out, "\n| | {base} | {other} | {other} ÷ {base} | 95 % interval | |")?;
        writeln!(out, "|---|---:|---:|---:|---|---|")?;
        table.rows.iter().try_for_each(|row| line(out, row, index))?;
        writeln!(out)?;
        for sentence in sentences::verdict(table, index, side) {
            writeln!(out, "{}", escaped(&sentence))?;
        }
    }
    sentences::notes(table).try_for_each(|note| writeln!(out, "\n{}", escaped(&note)))
}

fn line(out: &mut dyn Write, row: &Row, index: usize) -> io::Result<()> {
    let cell = |side: usize| {
        row.cells[side].as_ref().map_or("-".to_string(), |cell| escaped(&value(cell, row)))
    };
    let against = row.against[index].as_ref();
    let ratio = against.and_then(|against| against.comparison.ratio);
    writeln!(
        out,
        "| {} | {} | {} | {} | {} | {} |",
        escaped(&name(row)),
        cell(0),
        cell(index),
        ratio.map(|ratio| format!("{:.4}", ratio.estimate)).unwrap_or_default(),
        ratio.map(|ratio| format!("{:.4} … {:.4}", ratio.low, ratio.high)).unwrap_or_default(),
        against.map(|against| words(row, against)).unwrap_or_default(),
    )
}

/// The text without what has a meaning in a table.
fn escaped(text: &str) -> String {
    one_line(text).replace('|', "\\|").replace('<', "&lt;").replace('_', "\\_").replace('*', "\\*")
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
