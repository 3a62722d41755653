//! Merged reports as CSV: a line for each row or, if members are requested, for each value of one.

use super::json;
use counterpoint_report::csv;
use counterpoint_report::merge::{EventCells, Merged};
use std::io::{self, Write};

/// `has_members` if there is a line for each rank, node, socket or thread.
pub fn write(
    out: &mut impl Write,
    merged: &Merged,
    separator: u8,
    has_members: bool,
) -> io::Result<()> {
    let is_listed = |row: &&EventCells| !(has_members && row.is_of_thread_number());
    for (index, row) in merged.rows.iter().filter(is_listed).enumerate() {
        let columns = if has_members { csv::MEMBER } else { csv::MERGED };
        let mut text = if index == 0 { csv::header(separator, columns)? } else { Vec::new() };
        let values = row.cells.iter().map(|(at, cell)| json::value(&merged.members[*at], cell));
        text.extend(if has_members {
            csv::members(separator, &row.key, values)?
        } else {
            csv::merged(separator, &json::record(row, merged))?
        });
        // Written in one piece, so that the escaping of control characters does not see half of one.
        out.write_all(&text)?;
    }
    Ok(())
}
