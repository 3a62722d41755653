//! The table, from the lines of reports and back.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

#[cfg(feature = "merge")]
mod alike;
mod back;
mod columns;
#[cfg(all(feature = "parquet", target_endian = "little"))]
mod damaged;
#[cfg(all(feature = "parquet", target_endian = "little"))]
mod files;
mod lines;
#[cfg(all(feature = "parquet", target_endian = "big"))]
mod refused;
mod text;
#[cfg(all(feature = "parquet", target_endian = "little"))]
mod walk;

#[cfg(all(feature = "parquet", target_endian = "little"))]
#[path = "../../../../fixtures/seeds.rs"]
mod seeds;

use counterpoint_report::table::{Report, Row};

/// The lines of every kind, as the programs write them.
const LINES: &str = include_str!("lines.jsonl");

/// Returns the rows of lines, owned.
fn rows(lines: &str) -> Vec<Row<'static>> {
    let (mut report, mut rows) = (Report::new("a.jsonl"), Vec::new());
    for line in lines.lines() {
        report.line(line, |row| rows.push(owned(row))).unwrap();
    }
    rows
}

fn owned(row: &Row<'_>) -> Row<'static> {
    use counterpoint_report::table::Cell;
    let mut owned = Row::default();
    for (column, cell) in row.cells() {
        owned[column] = match cell {
            Cell::Null => Cell::Null,
            Cell::Text(text) => Cell::Text(text.to_string().into()),
            Cell::Integer(number) => Cell::Integer(*number),
            Cell::Real(number) => Cell::Real(*number),
            Cell::Boolean(answer) => Cell::Boolean(*answer),
        };
    }
    owned
}
