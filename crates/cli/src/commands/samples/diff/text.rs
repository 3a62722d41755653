//! The comparison for people.

use super::sentences;
use super::side::{Design, Side};
use super::table::{Row, Table};
use crate::commands::samples::TableArgs;
use crate::show::{cut, grouped, printable};
use counterpoint::profil::write::TableSize;
use counterpoint::symbols::ShortNames;
use counterpoint_compare::Verdict;
use std::io::{self, Write};

pub fn write(
    out: &mut dyn Write,
    tables: &[Table],
    sides: &[Side; 2],
    (args, columns): (TableArgs, Option<usize>),
) -> io::Result<()> {
    let size = args.size(columns);
    for table in tables {
        writeln!(out)?;
        for (side, (letter, Side { title, .. })) in ["A", "B"].iter().zip(sides).enumerate() {
            let (count, runs) = (table.count(side), table.totals[side].len());
            let time = table.ms(side, count as f64).map(|ms| format!(", {ms:.0} ms"));
            let runs = if runs == 1 { String::new() } else { format!(", {runs} runs") };
            let (unit, time) = (table.counted(), time.filter(|_| !table.is_waiting));
            let count = grouped(count.into());
            let (event, time) = (printable(&table.event), time.unwrap_or_default());
            let title = printable(title);
            writeln!(out, " {letter}: {title} ({count} {unit} of {event}{time}{runs})")?;
        }
        writeln!(out, " {}\n", what_is_shown(table))?;
        let names = args.names(table.functions());
        rows(out, table, &names, &size)?;
        writeln!(out)?;
        for sentence in sentences::verdict_sentences(table, &names) {
            writeln!(out, " {}", printable(&sentence))?;
        }
    }
    Ok(())
}

fn what_is_shown(table: &Table) -> &'static str {
    match (table.design, table.each) {
        (Design::Shares, _) => {
            "shares are of all samples of each side, in percent ± their standard error"
        }
        (_, Some(_)) => "times are of a run, in milliseconds",
        (_, None) if table.precision.is_some() => "events are those of a run, by samples",
        (_, None) => "samples are those of a run",
    }
}

fn rows(
    out: &mut dyn Write,
    table: &Table,
    names: &ShortNames,
    size: &TableSize,
) -> io::Result<()> {
    let mut headings = vec!["A", "B", "B - A", "95 % interval", ""];
    match (table.design, table.each) {
        (Design::Shares, Some(_)) => _ = headings.splice(2..2, ["A ms", "B ms"]),
        (Design::Rounds | Design::Runs, Some(_)) => {
            headings[..2].copy_from_slice(&["A ms", "B ms"])
        }
        (_, None) => {}
    }
    let headings: Vec<String> = headings.into_iter().map(str::to_string).collect();
    let is_shown = |row: &&Row| {
        let share = |side| row.share(side, table).map_or(0.0, |(percent, _)| percent);
        share(0).max(share(1)) >= size.percent
    };
    let shown: Vec<&Row> = table.rows.iter().filter(is_shown).take(size.rows).collect();
    let lines: Vec<Vec<String>> =
        [headings].into_iter().chain(shown.iter().map(|row| line(row, table))).collect();
    let lines: Vec<Vec<String>> = match size.columns {
        // Without the interval, there is room for a function.
        ..WIDE => lines.into_iter().map(without_interval).collect(),
        _ => lines,
    };
    let count = lines[0].len();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let functions = [("function", None)].into_iter();
    let functions = functions
        .chain(shown.iter().map(|row| (names.short(&row.function), row.module.as_deref())));
    for (line, (name, module)) in lines.iter().zip(functions) {
        let mut text = String::from(" ");
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            // The interval and the verdict are words.
            if column + 2 < count || size.columns < WIDE && column + 1 < count {
                text += &format!("{cell:>width$}  ");
            } else {
                text += &format!("{cell:<width$}  ");
            }
        }
        text += &printable(name);
        text += &module.map_or(String::new(), |module| format!("  {}", printable(module)));
        writeln!(out, "{}", cut(&text, size.columns))?;
    }
    match table.rows.len() - shown.len() {
        0 => Ok(()),
        1 => writeln!(out, " … and 1 more function"),
        more => writeln!(out, " … and {more} more functions"),
    }
}

/// The columns of a terminal from which on the intervals are shown.
const WIDE: usize = 100;

fn without_interval(mut line: Vec<String>) -> Vec<String> {
    line.remove(line.len() - 2);
    line
}

fn line(row: &Row, table: &Table) -> Vec<String> {
    let of = row.comparison.difference;
    let change = |difference: f64| format!("{:+.2}", table.change(difference));
    let changes = [
        change(of.estimate),
        format!("{} … {}", change(of.low), change(of.high)),
        verdict(row.verdict).to_string(),
    ];
    let cells = |cell: &dyn Fn(usize, u64) -> Option<String>| -> Vec<String> {
        let cell = |side: usize| {
            let none = || Some("-".to_string());
            row.count(side).map_or_else(none, |count| cell(side, count))
        };
        [0, 1].into_iter().filter_map(cell).collect()
    };
    let values = if table.design == Design::Shares {
        let share = |side, _| {
            row.share(side, table).map(|(percent, error)| format!("{percent:.2} ±{error:.2}"))
        };
        let time = |side, count| table.ms(side, count as f64).map(|ms| format!("{ms:.0}"));
        let times = if table.each.is_some() { cells(&time) } else { Vec::new() };
        [cells(&share), times].concat()
    } else {
        cells(&|side, count| Some(format!("{:.2}", table.amount(side, count))))
    };
    values.into_iter().chain(changes).collect()
}

/// The words of `stat diff`.
pub fn verdict(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::More) => "more",
        Some(Verdict::Less) => "less",
        Some(Verdict::Uncertain) => "may differ",
        Some(Verdict::NoDifference) => "no difference found",
        None => "too few samples",
    }
}
