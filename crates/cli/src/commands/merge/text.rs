//! Merged reports for people: a line for each row, and what is worth to know about ranks in words.

use crate::show::{decimal, grouped, printable};
use counterpoint::records::{Amount, Status};
use counterpoint_report::merge::By;
use counterpoint_report::merge::remarks;
use counterpoint_report::merge::slow;
use counterpoint_report::merge::{EventCells, Merged, Total};
use std::io::{self, Write};

/// The columns, by their places, that a narrow terminal has no room for: one after the other, until the rest fits.
const SPARE: [&[usize]; 3] = [&[1, 2], &[3], &[4, 5]];

/// `has_members` if the value of each rank, node, socket or thread is listed too; `width` of the terminal, if there is one.
pub fn write(
    out: &mut impl Write,
    merged: &Merged,
    (by, has_members): (By, bool),
    width: Option<usize>,
) -> io::Result<()> {
    let (reports, processes) = (merged.reports, merged.sources.len());
    let s = if reports == 1 { "" } else { "s" };
    let of =
        if processes == reports { String::new() } else { format!(" of {processes} processes") };
    writeln!(out, "{reports} report{s}{of}\n")?;
    table(out, merged, by, width)?;
    let words = slow(merged, by);
    let words: Vec<String> = words.into_iter().chain(remarks(merged)).collect();
    if !words.is_empty() {
        writeln!(out)?;
    }
    words.iter().try_for_each(|text| writeln!(out, " {}", printable(text)))?;
    if has_members {
        let mut rows = merged.rows.iter().filter(|row| !row.is_of_thread_number());
        rows.try_for_each(|row| members(out, row, merged))?;
    }
    Ok(())
}

fn table(out: &mut impl Write, merged: &Merged, by: By, width: Option<usize>) -> io::Result<()> {
    // Of one, the least, the mean and the greatest are the value itself.
    let is_total = |row: &EventCells| {
        row.extremes().is_none() || matches!(row.total(merged), Total::Sum { .. })
    };
    let shown = if merged.members.len() == 1 && merged.rows.iter().all(is_total) { 1 } else { 7 };
    let all_ranked = merged.sources.iter().all(|source| source.process.rank.is_some());
    let who = match by {
        By::Rank if all_ranked => "rank",
        By::Rank => "rank or file",
        By::Node => "node",
        By::Socket => "socket",
        By::Thread => "thread",
    };
    let heads = ["total", "min", who, "mean", "max", who, "imbalance"];
    let mut lines = vec![(heads.map(str::to_string), "event".to_string(), String::new())];
    lines.extend(merged.rows.iter().map(|row| line(row, merged)));
    let mut widths = [0; 7];
    for (cells, _, _) in &lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = cell.chars().count().max(*width);
        }
    }
    let names = lines.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
    let mut shown: Vec<usize> = (0..shown).collect();
    for spare in SPARE {
        let columns: usize = shown.iter().map(|column| widths[*column] + 2).sum();
        if width.is_none_or(|width| columns + names <= width) {
            break;
        }
        shown.retain(|column| !spare.contains(column));
    }
    for (cells, name, reason) in lines {
        for column in &shown {
            write!(out, "{:>1$}  ", cells[*column], widths[*column])?;
        }
        writeln!(out, "{}{}", printable(&name), printable(&reason))?;
    }
    Ok(())
}

/// The cells of a row, its name, and what is to be said of its total.
fn line(row: &EventCells, merged: &Merged) -> ([String; 7], String, String) {
    let (sum, reason) = match row.total(merged) {
        Total::Sum { amount, status, coverage } => (text(amount), measured(status, coverage)),
        Total::Missing { has_values: true, .. } => ("-".to_string(), String::new()),
        Total::Missing { status: Status::NotSupported, reason, .. } => {
            ("<not supported>".to_string(), format!(": {reason}"))
        }
        Total::Missing { reason, .. } => ("<not counted>".to_string(), format!(": {reason}")),
    };
    let mut cells = [const { String::new() }; 7];
    if let Some(extremes) = row.extremes() {
        let name = |member: usize| merged.members[member].name.clone();
        let share = |share: f64| format!("{:.1} %", 100.0 * share);
        cells = [
            String::new(),
            text(extremes.min.1),
            name(extremes.min.0),
            decimal(extremes.mean),
            text(extremes.max.1),
            name(extremes.max.0),
            extremes.imbalance().map_or(String::new(), share),
        ];
    }
    cells[0] = sum;
    (cells, row.name(), reason)
}

/// The value of each member, with its difference from the mean.
fn members(out: &mut impl Write, row: &EventCells, merged: &Merged) -> io::Result<()> {
    writeln!(out, "\n{}", printable(&row.name()))?;
    let mean = row.extremes().map(|extremes| extremes.mean).filter(|mean| *mean > 0.0);
    let value = |amount: Option<Amount>| amount.map_or("-".to_string(), text);
    let (mut widest_name, mut widest_value) = (0, 0);
    for (member, cell) in &row.cells {
        widest_name = widest_name.max(merged.members[*member].name.chars().count());
        widest_value = widest_value.max(value(cell.amount).chars().count());
    }
    for (member, cell) in &row.cells {
        let (name, amount) = (&merged.members[*member].name, value(cell.amount));
        write!(out, "  {name:>widest_name$}  {amount:>widest_value$}")?;
        if let (Some(mean), Some(amount)) = (mean, cell.amount) {
            write!(out, "  {:>+8.1} %", 100.0 * (amount.real() / mean - 1.0))?;
        }
        if let Some(reason) = cell.reason.as_deref().filter(|_| cell.amount.is_none()) {
            write!(out, "  {}", printable(reason))?;
        }
        write!(out, "{}", measured(cell.status, cell.coverage))?;
        writeln!(out)?;
    }
    Ok(())
}

/// The mark of an estimate, as in the table of `stat`.
pub fn measured(status: Status, coverage: Option<f64>) -> String {
    match (status, coverage) {
        (Status::Estimated, Some(share)) => {
            format!("  (measured {:.2}% of the time)", 100.0 * share)
        }
        (Status::Estimated, None) => "  (estimated)".to_string(),
        _ => String::new(),
    }
}

fn text(amount: Amount) -> String {
    match amount {
        Amount::Whole(whole) => grouped(whole),
        Amount::Real(real) => decimal(real),
    }
}
