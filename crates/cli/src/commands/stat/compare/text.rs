//! The comparison for people.

use super::super::summary::{COUNTING_TAKES_TIME, SHORT};
use super::cells::{is_shown, missing, ratio, value, words};
use super::sentences::{self, in_unit, name};
use super::side::ELAPSED;
use super::table::{Design, Heading, Row, Table, letters};
use super::why::{self, Why};
use super::{by_event, ranking};
use crate::commands::samples::{TableArgs, diff};
use crate::show::printable;
use std::io::{self, Write};

/// The functions that explain a difference.
const FUNCTIONS: TableArgs = TableArgs::first(5);
/// The most runs that are named as outliers of one event.
const NAMED: usize = 5;

/// Writes the table in the form that the terminal has room for, then what it shows in words.
pub fn write(out: &mut dyn Write, table: &Table, width: Option<usize>) -> io::Result<()> {
    writeln!(out)?;
    headings(out, table)?;
    let others: Vec<(usize, &Heading)> = table.sides.iter().enumerate().skip(1).collect();
    let tables: Vec<Vec<String>> =
        others.iter().map(|(index, side)| rows(table, *index, side)).collect();
    let fits = |line: &String| width.is_none_or(|width| line.chars().count() <= width);
    let is_beside = !table.is_sweep() && tables.iter().flatten().all(fits);
    if !is_beside {
        writeln!(out)?;
        by_event::write(out, table, width)?;
        writeln!(out)?;
    }
    for ((index, side), rows) in others.into_iter().zip(tables).filter(|_| !table.is_sweep()) {
        if is_beside {
            writeln!(out)?;
            rows.iter().try_for_each(|row| writeln!(out, "{row}"))?;
            writeln!(out)?;
        }
        for sentence in sentences::verdict(table, index, side) {
            writeln!(out, " {}", printable(&sentence))?;
        }
    }
    let ranking = ranking::sentences(table);
    if !table.is_sweep() && !ranking.is_empty() {
        writeln!(out)?;
    }
    for sentence in ranking {
        writeln!(out, " {}", printable(&sentence))?;
    }
    if let Some(why) = &table.why {
        explanation(out, why, table, width)?;
    }
    for (index, side) in table.sides.iter().enumerate().filter(|_| !table.is_sweep()) {
        outliers(out, table, index, side)?;
    }
    for note in sentences::notes(table) {
        writeln!(out, " {}", printable(&note))?;
    }
    if is_short(table) {
        writeln!(out, " {COUNTING_TAKES_TIME}")?;
    }
    for (names, reason) in missing(table) {
        writeln!(out, " {}: {}", printable(&names), printable(&reason))?;
    }
    writeln!(out)
}

/// The functions that differ most, and what the difference is made of.
fn explanation(
    out: &mut dyn Write,
    why: &Why,
    table: &Table,
    width: Option<usize>,
) -> io::Result<()> {
    if let Some(sides) = &why.sides {
        diff::text(out, &why.tables, sides, (FUNCTIONS, width))?;
    }
    writeln!(out)?;
    let mut sentences = why::sentences(why, table).into_iter();
    sentences.try_for_each(|sentence| writeln!(out, " {}", printable(&sentence)))
}

/// The commands, and the meaning of `±`.
fn headings(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let runs = |runs: usize| if runs == 1 { "1 run".to_string() } else { format!("{runs} runs") };
    let turns = match table.design {
        Design::Rounds => "; the commands took turns in random order",
        Design::Samples | Design::InOrder => "",
    };
    let mut known: Vec<&str> = Vec::new();
    for side in &table.sides {
        let title = printable(&side.title);
        let Some(swept) = &side.swept else {
            writeln!(out, " {}: {title} ({})", side.label, runs(side.runs))?;
            continue;
        };
        if known.contains(&swept.template.as_str()) {
            continue;
        }
        known.push(&swept.template);
        let label = match swept.command {
            Some(command) => format!("{}: ", letters(command)),
            None if swept.parameters.is_empty() => "reference: ".to_string(),
            None => String::new(),
        };
        let template = printable(&swept.template);
        writeln!(out, " {label}{template} ({} of each side)", runs(side.runs))?;
    }
    writeln!(out, " ± is the standard deviation of the runs{turns}")
}

/// Returns true if a side takes so little time that counting is a part of it.
fn is_short(table: &Table) -> bool {
    let has_events = table.rows.iter().any(|row| row.is_count);
    let elapsed = table.rows.iter().find(|row| row.name == ELAPSED);
    let medians = elapsed.into_iter().flat_map(|row| row.cells.iter().flatten());
    let is_of_here = table.design != Design::Samples;
    is_of_here
        && has_events
        && medians.filter_map(|cell| cell.median).any(|seconds| seconds < SHORT.as_secs_f64())
}

/// The rows of one side beside the base, below their heading.
fn rows(table: &Table, index: usize, side: &Heading) -> Vec<String> {
    let base = &table.sides[0].label;
    let other = &side.label;
    let heading = [
        String::new(),
        base.to_string(),
        other.to_string(),
        format!("{other} ÷ {base}"),
        "95 % interval".to_string(),
        String::new(),
    ];
    let lines = table.rows.iter().filter(|row| is_shown(row, index));
    let lines = lines.flat_map(|row| [Some(line(row, index)), middle(row, index)]).flatten();
    let lines: Vec<[String; 6]> = [heading].into_iter().chain(lines).collect();
    let width =
        |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let text = |[name, base, other, ratio, interval, verdict]: &[String; 6]| {
        let text = format!(
            " {name:<0$}  {base:>1$}  {other:>2$}  {ratio:>3$}  {interval:<4$}  {verdict}",
            widths[0], widths[1], widths[2], widths[3], widths[4]
        );
        text.trim_end().to_string()
    };
    lines.iter().map(text).collect()
}

fn line(row: &Row, index: usize) -> [String; 6] {
    let cell = |side: usize| match &row.cells[side] {
        Some(cell) => value(cell, row),
        None => "-".to_string(),
    };
    let [ratio, interval] = ratio(row, index);
    let verdict = row.against[index].as_ref().map(|against| words(row, against));
    let name = printable(&name(row)).into_owned();
    [name, cell(0), cell(index), ratio, interval, verdict.unwrap_or_default()]
}

/// The medians and the least values, below the means; `None` if a side has a single value, or all are the same.
fn middle(row: &Row, index: usize) -> Option<[String; 6]> {
    let varies = |side: usize| row.cells[side].as_ref().is_some_and(|cell| cell.stddev > Some(0.0));
    let cell = |side: usize| {
        let cell = row.cells[side].as_ref()?;
        let ((median, unit), (min, _)) = (in_unit(cell.median?, row), in_unit(cell.min?, row));
        Some(format!("{median} ({min}){unit}"))
    };
    let cells = [0, index].map(|side| cell(side).unwrap_or_default());
    let [base, other] = cells;
    let name = "  median (min)".to_string();
    (varies(0) || varies(index))
        .then(|| [name, base, other, String::new(), String::new(), String::new()])
}

fn outliers(out: &mut dyn Write, table: &Table, index: usize, side: &Heading) -> io::Result<()> {
    let of_row = |row: &Row| {
        let runs = &row.cells[index].as_ref()?.outliers;
        let named: Vec<String> = runs.iter().take(NAMED).map(usize::to_string).collect();
        let more = match runs.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!runs.is_empty()).then(|| format!("{} in {}{more}", name(row), named.join(", ")))
    };
    let rows: Vec<String> = table.rows.iter().filter_map(of_row).collect();
    if rows.is_empty() {
        Ok(())
    } else {
        writeln!(
            out,
            " Outliers in the runs of {}, which are part of the means: {}.",
            side.label,
            printable(&rows.join("; "))
        )
    }
}
