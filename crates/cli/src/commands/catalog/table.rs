use crate::show::printable;
use std::io::{self, Write};

/// Which side of its column a cell stands on.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    Left,
    Right,
}

/// Writes rows below their headings, in columns, indented.
pub fn write<const N: usize>(
    out: &mut impl Write,
    headings: [(&str, Side); N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(headings[column].0.len())
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let sides = headings.map(|(_, side)| side);
    line(out, &headings.map(|(heading, _)| heading), &widths, &sides)?;
    rows.iter().try_for_each(|row| line(out, row, &widths, &sides))
}

fn line<const N: usize>(
    out: &mut impl Write,
    cells: &[impl AsRef<str>; N],
    widths: &[usize; N],
    sides: &[Side; N],
) -> io::Result<()> {
    let mut line = String::from(" ");
    for (cell, (width, side)) in cells.iter().zip(widths.iter().zip(sides)) {
        let cell = printable(cell.as_ref());
        match side {
            Side::Left => line.push_str(&format!(" {cell:<width$} ")),
            Side::Right => line.push_str(&format!(" {cell:>width$} ")),
        }
    }
    writeln!(out, "{}", line.trim_end())
}
