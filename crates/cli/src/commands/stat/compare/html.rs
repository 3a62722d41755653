//! The comparison as a page: a chart of each event over the parameter of a sweep, or of the commands beside each other, and a table of all values.

use super::super::html::facts;
use super::cells::{amount, has_value, missing, ratio, value, words};
use super::sentences::{self, name, scale};
use super::side::Swept;
use super::table::{Row, Table, letters};
use crate::commands::samples::diff;
use crate::output::Sink;
use crate::page::{self, Bar, Bars, Curve, Curves, Page, Section};
use std::io;

pub fn write(mut sink: Sink, table: &Table) -> io::Result<()> {
    let rows = || table.rows.iter().filter(|row| row.cells.iter().flatten().any(has_value));
    let sections = match table.parameters().first() {
        Some(parameter) => rows().map(|row| curves(table, row, parameter)).collect::<Vec<_>>(),
        None => rows().map(|row| bars(table, row)).collect(),
    };
    let mut sections: Vec<Section> = sections.into_iter().chain([values(table)]).collect();
    if let Some((why, sides)) = table.why.as_ref().and_then(|why| Some((why, why.sides.as_ref()?)))
    {
        sections.extend(diff::sections(&why.tables, sides));
    }
    page(table, sections).write(&mut sink)?;
    sink.publish()
}

fn page(table: &Table, sections: Vec<Section>) -> Page {
    let mut titles: Vec<&str> = Vec::new();
    for side in &table.sides {
        let title = side.swept.as_ref().map_or(&side.title, |swept| &swept.template);
        if !titles.contains(&title.as_str()) {
            titles.push(title);
        }
    }
    let runs = table.sides.iter().map(|side| side.runs);
    let (least, most) = (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0));
    let runs = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let first = format!(
        "{} sides with {runs} runs each; ± is the standard deviation of the runs.",
        table.sides.len()
    );
    let missing = missing(table).into_iter().map(|(names, reason)| format!("{names}: {reason}."));
    let notes = [first].into_iter().chain(sentences::all(table)).chain(missing);
    let (title, notes) = (format!("Comparison of {}", titles.join(", ")), notes.collect());
    Page { title, facts: facts(), notes, sections }
}

/// The means of an event over the first parameter, a curve for each choice of the others.
fn curves(table: &Table, row: &Row, parameter: &str) -> Section {
    let (factor, unit) = scale(row);
    let mut x: Vec<String> = Vec::new();
    let mut series: Vec<Curve> = Vec::new();
    for (side, cell) in table.sides.iter().zip(&row.cells) {
        let Some(swept) = &side.swept else { continue };
        let Some((first, others)) = swept.parameters.split_first() else { continue };
        let at = x.iter().position(|known| *known == first.value).unwrap_or_else(|| {
            x.push(first.value.clone());
            x.len() - 1
        });
        let name = curve_name(swept, others.iter().map(|of| format!("{}={}", of.name, of.value)));
        let place = series.iter().position(|curve| curve.name == name).unwrap_or_else(|| {
            series.push(Curve { name, points: Vec::new() });
            series.len() - 1
        });
        if let Some((cell, mean)) = cell.as_ref().and_then(|cell| Some((cell, cell.mean?))) {
            let error = cell.stddev.map(|stddev| stddev * factor);
            series[place].points.push((at, mean * factor, error, value(cell, row)));
        }
    }
    let reference = table.sides.iter().zip(&row.cells).find_map(|(side, cell)| {
        let is_reference = side.swept.as_ref().is_some_and(|swept| swept.parameters.is_empty());
        cell.as_ref().filter(|_| is_reference)?.mean.map(|mean| mean * factor)
    });
    Section::Curves(Curves {
        title: name(row),
        unit: Some(unit.to_string()).filter(|unit| !unit.is_empty()),
        parameter: parameter.to_string(),
        at: x.iter().map(|value| value.parse().ok().filter(|at: &f64| at.is_finite())).collect(),
        x,
        series,
        reference,
    })
}

/// The letter of the command, and the other parameters.
fn curve_name(swept: &Swept, others: impl Iterator<Item = String>) -> String {
    swept.command.map(letters).into_iter().chain(others).collect::<Vec<_>>().join(" ")
}

/// The means of an event beside each other.
fn bars(table: &Table, row: &Row) -> Section {
    let sides = table.sides.iter().zip(&row.cells).map(|(side, cell)| Bar {
        name: format!("{}: {}", side.label, side.title),
        value: cell.as_ref().and_then(|cell| cell.mean),
        error: cell.as_ref().and_then(|cell| cell.stddev),
        text: cell.as_ref().map_or_else(|| "-".to_string(), |cell| value(cell, row)),
        marked: false,
    });
    Section::Bars(Bars { title: name(row), rows: sides.collect() })
}

/// A line for each side of each event.
fn values(table: &Table) -> Section {
    let columns = ["event", "side", "mean", "median", "min", "÷ base", "95 % interval", "verdict"];
    let is_number = |name: &str| matches!(name, "mean" | "median" | "min" | "÷ base");
    let rows = table.rows.iter().filter(|row| row.cells.iter().flatten().any(has_value));
    let line = |row: &Row, side: usize| {
        let [ratio, interval] = ratio(row, side);
        let number =
            |text: String, value: Option<f64>| page::Cell { value, ..page::Cell::text(text) };
        let of = row.cells[side].as_ref();
        let [median, min] = [of.and_then(|cell| cell.median), of.and_then(|cell| cell.min)];
        let mean = of.map_or_else(|| "-".to_string(), |cell| value(cell, row));
        let estimate =
            row.against[side].as_ref().and_then(|of| Some(of.comparison.ratio?.estimate));
        let verdict = row.against[side].as_ref().map(|against| words(row, against));
        vec![
            page::Cell::text(name(row)),
            page::Cell::text(&table.sides[side].label),
            number(mean, of.and_then(|cell| cell.mean)),
            number(amount(median, row), median),
            number(amount(min, row), min),
            number(ratio, estimate),
            page::Cell::text(interval),
            page::Cell::text(verdict.unwrap_or_default()),
        ]
    };
    let sides = |row: &Row| (0..table.sides.len()).map(|side| line(row, side)).collect::<Vec<_>>();
    Section::Table(page::Table {
        title: "Values".to_string(),
        columns: columns
            .map(|name| page::Column { name: name.into(), number: is_number(name) })
            .into(),
        rows: rows.flat_map(sides).collect(),
        folded: false,
    })
}
