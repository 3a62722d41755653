//! Merged reports for people: a line for each row.

use super::merged::{Merged, Total};
use crate::records::{Amount, Status};
use crate::show::{decimal, grouped, printable};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, merged: &Merged) -> io::Result<()> {
    let (reports, processes) = (merged.reports, merged.sources.len());
    let s = if reports == 1 { "" } else { "s" };
    let of =
        if processes == reports { String::new() } else { format!(" of {processes} processes") };
    writeln!(out, "{reports} report{s}{of}\n")?;
    let all_ranked = merged.sources.iter().all(|source| source.process.rank.is_some());
    let who = if all_ranked { "rank" } else { "rank or file" };
    let heads = ["total", "min", who, "mean", "max", who];
    let mut lines = vec![(heads.map(str::to_string), "event".to_string(), String::new())];
    for row in &merged.rows {
        let total = row.total(merged);
        let (sum, reason) = match &total {
            Total::Sum { amount, .. } => (text(*amount), String::new()),
            Total::Missing { is_formula: true, .. } => ("-".to_string(), String::new()),
            Total::Missing { status: Status::NotSupported, reason, .. } => {
                ("<not supported>".to_string(), format!(": {reason}"))
            }
            Total::Missing { reason, .. } => ("<not counted>".to_string(), format!(": {reason}")),
        };
        let cells = match row.extremes() {
            None => [sum, "".into(), "".into(), "".into(), "".into(), "".into()],
            Some(extremes) => [
                sum,
                text(extremes.min.1),
                merged.name(extremes.min.0),
                decimal(extremes.mean),
                text(extremes.max.1),
                merged.name(extremes.max.0),
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
