//! The comparison with a line for each side below each event: of a sweep, and where the sides beside each other are too wide.

use super::grid::{COLUMNS, Column, Grid};
use super::table::Table;
use crate::show::printable;
use std::io::{self, Write};

/// The columns that are left out one after the other until the rest fits.
const SPARE: [Column; 4] = [Column::Interval, Column::Ratio, Column::Median, Column::Min];

/// Writes as many columns as the terminal has room for.
pub fn write(out: &mut dyn Write, table: &Table, width: Option<usize>) -> io::Result<()> {
    let mut columns = COLUMNS.to_vec();
    let mut grid = Grid::new(table, &columns);
    for spare in SPARE {
        if width.is_none_or(|width| widths(&grid).iter().sum::<usize>() < width) {
            break;
        }
        columns.retain(|column| *column != spare);
        grid = Grid::new(table, &columns);
    }
    let widths = widths(&grid);
    let is_right = |at: usize| at >= grid.names && columns[at - grid.names].is_right();
    let line = |fields: &[String]| {
        let fields = fields.iter().zip(&widths).enumerate().map(|(at, (field, width))| {
            let field = printable(field);
            if is_right(at) {
                format!("{field:>width$}")
            } else {
                format!("  {field:<0$}", width - 2)
            }
        });
        fields.collect::<String>()
    };
    writeln!(out, " {}", line(&grid.heading).trim_end())?;
    for event in &grid.events {
        writeln!(out, " {}", printable(&event.name))?;
        event.lines.iter().try_for_each(|fields| writeln!(out, " {}", line(fields).trim_end()))?;
    }
    Ok(())
}

/// The columns of the terminal that each column needs, with the two blanks before it.
fn widths(grid: &Grid) -> Vec<usize> {
    let mut widths = vec![0; grid.heading.len()];
    let lines = grid.events.iter().flat_map(|event| &event.lines);
    for fields in [&grid.heading].into_iter().chain(lines) {
        for (width, field) in widths.iter_mut().zip(fields) {
            *width = (*width).max(printable(field).chars().count() + 2);
        }
    }
    widths
}
