//! The comparison for people.

use super::sentences;
use super::table::{Row, Table};
use crate::commands::samples::TableArgs;
use crate::show::{cut, grouped, printable};
use counterpoint::profil::write::TableSize;
use counterpoint::symbols::ShortNames;
use counterpoint_compare::Verdict;
use std::io::{self, Write};
use std::path::Path;

pub fn write(
    out: &mut dyn Write,
    tables: &[Table],
    files: [&Path; 2],
    (args, columns): (TableArgs, Option<usize>),
) -> io::Result<()> {
    let size = args.size(columns);
    for table in tables {
        writeln!(out)?;
        for (side, (letter, path)) in ["A", "B"].iter().zip(files).enumerate() {
            let samples = table.samples[side];
            let time = table.ms(side, samples).map(|ms| format!(", {ms:.0} ms"));
            let (path, samples) = (path.to_string_lossy(), grouped(samples.into()));
            let (event, time) = (printable(&table.event), time.unwrap_or_default());
            writeln!(out, " {letter}: {} ({samples} samples of {event}{time})", printable(&path))?;
        }
        writeln!(
            out,
            " shares are of all samples of each file, in percent ± their standard error\n"
        )?;
        let names = args.names(table.functions());
        rows(out, table, &names, &size)?;
        writeln!(out)?;
        for sentence in sentences::verdict_sentences(table, &names) {
            writeln!(out, " {}", printable(&sentence))?;
        }
    }
    Ok(())
}

fn rows(
    out: &mut dyn Write,
    table: &Table,
    names: &ShortNames,
    size: &TableSize,
) -> io::Result<()> {
    let mut headings = vec!["A", "B", "B - A", "95 % interval", ""];
    if table.each.is_some() {
        headings.splice(2..2, ["A ms", "B ms"]);
    }
    let headings: Vec<String> = headings.into_iter().map(str::to_string).collect();
    let is_shown = |row: &&Row| {
        let share = |side| row.share(side, table.samples).map_or(0.0, |(percent, _)| percent);
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
    let cell = |side: usize| match row.share(side, table.samples) {
        Some((percent, error)) => format!("{percent:.2} ±{error:.2}"),
        None => "-".to_string(),
    };
    let time = |side: usize| {
        let ms = table.ms(side, row.counts[side].unwrap_or(0))?;
        Some(if row.counts[side].is_some() { format!("{ms:.0}") } else { "-".to_string() })
    };
    let of = row.comparison.difference;
    let points = |share: f64| format!("{:+.2}", 100.0 * share);
    let times = [time(0), time(1)].into_iter().flatten();
    [cell(0), cell(1)]
        .into_iter()
        .chain(times)
        .chain([
            points(of.estimate),
            format!("{} … {}", points(of.low), points(of.high)),
            verdict(row.verdict).to_string(),
        ])
        .collect()
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
