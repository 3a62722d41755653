//! The comparison for people.

use super::sentences;
use super::table::{Row, Table};
use crate::show::{grouped, printable};
use counterpoint_compare::Verdict;
use std::io::{self, Write};
use std::path::Path;

/// The functions that are shown.
const ROWS: usize = 20;

pub fn write(out: &mut dyn Write, tables: &[Table], files: [&Path; 2]) -> io::Result<()> {
    for table in tables {
        writeln!(out)?;
        for ((letter, path), samples) in ["A", "B"].iter().zip(files).zip(table.samples) {
            let (path, samples) = (path.to_string_lossy(), grouped(samples.into()));
            let event = printable(&table.event);
            writeln!(out, " {letter}: {} ({samples} samples of {event})", printable(&path))?;
        }
        writeln!(
            out,
            " shares are of all samples of each file, in percent ± their standard error\n"
        )?;
        rows(out, table)?;
        writeln!(out)?;
        for sentence in sentences::verdict_sentences(table) {
            writeln!(out, " {}", printable(&sentence))?;
        }
    }
    Ok(())
}

fn rows(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let heading = ["A", "B", "B - A", "95 % interval", ""].map(str::to_string);
    let shown = &table.rows[..table.rows.len().min(ROWS)];
    let lines: Vec<[String; 5]> =
        [heading].into_iter().chain(shown.iter().map(|row| line(row, table.samples))).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0)).collect();
    let names = [("function".to_string(), None)].into_iter();
    let names = names.chain(shown.iter().map(|row| (row.function.clone(), row.module.clone())));
    for ([base, other, change, interval, verdict], (name, module)) in lines.iter().zip(names) {
        let module = module.map(|module| format!("  {module}")).unwrap_or_default();
        writeln!(
            out,
            " {base:>0$}  {other:>1$}  {change:>2$}  {interval:<3$}  {verdict:<4$}  {5}{6}",
            widths[0],
            widths[1],
            widths[2],
            widths[3],
            widths[4],
            printable(&name),
            printable(&module)
        )?;
    }
    match table.rows.len() - shown.len() {
        0 => Ok(()),
        1 => writeln!(out, " … and 1 more function"),
        more => writeln!(out, " … and {more} more functions"),
    }
}

fn line(row: &Row, samples: [u64; 2]) -> [String; 5] {
    let cell = |side: usize| match row.share(side, samples) {
        Some((percent, error)) => format!("{percent:.2} ±{error:.2}"),
        None => "-".to_string(),
    };
    let of = row.comparison.difference;
    let points = |share: f64| format!("{:+.2}", 100.0 * share);
    [
        cell(0),
        cell(1),
        points(of.estimate),
        format!("{} … {}", points(of.low), points(of.high)),
        verdict(row.verdict).to_string(),
    ]
}

/// The words of `stat diff`.
fn verdict(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::More) => "more",
        Some(Verdict::Less) => "less",
        Some(Verdict::Uncertain) => "may differ",
        Some(Verdict::NoDifference) => "no difference found",
        None => "too few samples",
    }
}
