//! Merged reports for people: a line for each row.

use super::merged::{Merged, Total};
use crate::records::{Amount, Status};
use crate::show::{decimal, grouped, printable};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, merged: &Merged) -> io::Result<()> {
    let reports = merged.reports();
    let s = if reports == 1 { "" } else { "s" };
    writeln!(out, "{reports} report{s}\n")?;
    let heads = ["total", "min", "rank", "mean", "max", "rank"];
    let mut lines = vec![(heads.map(str::to_string), "event".to_string(), String::new())];
    for row in merged.rows() {
        let total = row.total();
        let (sum, reason) = match &total {
            Total::Sum { amount, .. } => (text(*amount), String::new()),
            Total::Missing { is_formula: true, .. } => ("-".to_string(), String::new()),
            Total::Missing { status: Status::NotSupported, reason, .. } => {
                ("<not supported>".to_string(), format!(": {reason}"))
            }
            Total::Missing { reason, .. } => ("<not counted>".to_string(), format!(": {reason}")),
        };
        let cells = match row.spread() {
            None => [sum, "".into(), "".into(), "".into(), "".into(), "".into()],
            Some(spread) => [
                sum,
                text(spread.min),
                spread.min_rank.to_string(),
                decimal(spread.mean),
                text(spread.max),
                spread.max_rank.to_string(),
            ],
        };
        lines.push((cells, row.name(), reason));
    }
    let mut widths = [0; 6];
    for (cells, _, _) in &lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = cell.chars().count().max(*width);
        }
    }
    for (cells, name, reason) in lines {
        for (cell, width) in cells.iter().zip(widths) {
            write!(out, "{cell:>width$}  ")?;
        }
        writeln!(out, "{}{}", printable(&name), printable(&reason))?;
    }
    Ok(())
}

fn text(amount: Amount) -> String {
    match amount {
        Amount::Whole(whole) => grouped(whole),
        Amount::Real(real) => decimal(real),
    }
}
