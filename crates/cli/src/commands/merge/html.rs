//! Merged reports as a page of HTML: a table, the values of each member as bars, and what each thread did over time.

use super::text::measured;
use crate::page::{self, Bar, Bars, Cell as Field, Column, Lane, Page, Section, Table, Timelines};
use counterpoint::records::Timeline;
use counterpoint::records::{Amount, Status};
use counterpoint_report::merge::By;
use counterpoint_report::merge::remarks;
use counterpoint_report::merge::slow;
use counterpoint_report::merge::{Cell, EventCells, Merged, Total};
use std::io::{self, Write};

/// The most members whose values are drawn as bars.
const BARS: usize = 128;
/// The most rows that are drawn so.
const CHARTS: usize = 40;
/// The most visits that are drawn: more make a page slow.
const VISITS: usize = 200_000;

pub fn write(out: &mut dyn Write, merged: &Merged, by: By) -> io::Result<()> {
    let mut notes = slow(merged, by);
    notes.extend(remarks(merged));
    let mut sections = vec![totals(merged)];
    sections.extend(timelines(merged, &mut notes));
    sections.extend(bars(merged, &mut notes));
    sections.push(values(merged));
    let processes = merged.sources.len();
    let s = if processes == 1 { "" } else { "es" };
    Page { title: format!("Reports of {processes} process{s}"), facts: Vec::new(), notes, sections }
        .write(out)
}

/// A line for each row, as in the table for the terminal.
fn totals(merged: &Merged) -> Section {
    let columns = [
        ("event", false),
        ("total", true),
        ("least", true),
        ("of", false),
        ("mean", true),
        ("most", true),
        ("of", false),
        ("imbalance (%)", true),
    ];
    let rows = merged.rows.iter().map(|row| {
        let total = row.total(merged);
        let mark = match &total {
            Total::Sum { status, coverage, .. } => measured(*status, *coverage),
            Total::Missing { .. } => String::new(),
        };
        let mut fields = vec![Field::text(row.name() + &mark)];
        fields.push(match total {
            Total::Sum { amount, .. } => Field::number(amount.real()),
            Total::Missing { has_values: true, reason, .. } => Field::missing("-", Some(reason)),
            Total::Missing { status: Status::NotSupported, reason, .. } => {
                Field::missing("<not supported>", Some(reason))
            }
            Total::Missing { reason, .. } => Field::missing("<not counted>", Some(reason)),
        });
        let name = |member: usize| Field::text(&merged.members[member].name);
        match row.extremes() {
            Some(extremes) => fields.extend([
                Field::number(extremes.min.1.real()),
                name(extremes.min.0),
                Field::number(extremes.mean),
                Field::number(extremes.max.1.real()),
                name(extremes.max.0),
                extremes.imbalance().map_or(Field::text(""), |share| Field::tenths(100.0 * share)),
            ]),
            None => fields.extend((0..6).map(|_| Field::text(""))),
        }
        fields
    });
    Section::Table(Table {
        title: "Events".to_string(),
        columns: columns.map(|(name, number)| Column { name: name.into(), number }).into(),
        rows: rows.collect(),
        folded: false,
    })
}

/// A lane for each thread; the times are since the first of all began.
fn timelines(merged: &Merged, notes: &mut Vec<String>) -> Option<Section> {
    let began = merged.timelines.iter().map(|(_, line)| line.began_s).reduce(f64::min)?;
    let mut regions: Vec<String> = Vec::new();
    let mut drawn = 0;
    let mut left_out: u64 = 0;
    let mut lanes = Vec::new();
    let mut end = 0.0_f64;
    for (process, timeline) in &merged.timelines {
        let Timeline { began_s, regions: names, visits, left_out: more, .. } = timeline;
        let places: Vec<usize> = names.iter().map(|name| place(&mut regions, name)).collect();
        let kept = visits.len().min(VISITS - drawn);
        drawn += kept;
        left_out += more + (visits.len() - kept) as u64;
        let offset = began_s - began;
        let span =
            |(region, from, to): &(usize, f64, f64)| (offset + from, offset + to, places[*region]);
        let spans = page::nested(visits[..kept].iter().map(span).collect());
        end = spans.iter().fold(end, |end, span| end.max(span.1));
        lanes.push(Lane { name: format!("{process} {}", timeline.thread_name()), spans });
    }
    if left_out > 0 {
        notes.push(format!("{left_out} visits of regions are not in the timeline."));
    }
    Some(Section::Timeline(Timelines {
        title: "Regions of each thread".to_string(),
        start: 0.0,
        end,
        regions,
        lanes,
    }))
}

/// The index of a name, which is added if it is new.
fn place(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    })
}

fn bars(merged: &Merged, notes: &mut Vec<String>) -> Vec<Section> {
    let has_some = |row: &&EventCells| {
        row.cells.len() > 1 && row.extremes().is_some() && !row.is_of_thread_number()
    };
    let rows: Vec<&EventCells> = merged.rows.iter().filter(has_some).collect();
    let is_small = |row: &&&EventCells| row.cells.len() <= BARS;
    let shown: Vec<&&EventCells> = rows.iter().filter(is_small).take(CHARTS).collect();
    if shown.len() < rows.len() {
        notes.push(format!(
            "Bars are drawn for {} of {} events: for {CHARTS} at most, and for those of at most {BARS} members.",
            shown.len(),
            rows.len()
        ));
    }
    shown.into_iter().map(|row| Section::Bars(bars_of(row, merged))).collect()
}

fn bars_of(row: &EventCells, merged: &Merged) -> Bars {
    let most = row.extremes().filter(|extremes| extremes.imbalance().is_some());
    let most = most.map(|extremes| extremes.max.0);
    let bar = |(member, cell): &(usize, Cell)| {
        let field = field(cell);
        Bar {
            name: merged.members[*member].title_on_host(),
            value: field.value,
            error: None,
            text: field.text,
            marked: Some(*member) == most,
        }
    };
    Bars { title: row.name(), rows: row.cells.iter().map(bar).collect() }
}

/// Every value.
fn values(merged: &Merged) -> Section {
    let columns = [("event", false), ("of", false), ("value", true), ("status", false)];
    let of_row = |row: &EventCells| -> Vec<Vec<Field>> {
        let name = row.name();
        let fields = |(member, cell): &(usize, Cell)| {
            let of = Field::text(merged.members[*member].title_on_host());
            vec![Field::text(&name), of, field(cell), Field::text(cell.status.words())]
        };
        row.cells.iter().map(fields).collect()
    };
    Section::Table(Table {
        title: "Values".to_string(),
        columns: columns.map(|(name, number)| Column { name: name.into(), number }).into(),
        rows: merged
            .rows
            .iter()
            .filter(|row| !row.is_of_thread_number())
            .flat_map(of_row)
            .collect(),
        folded: true,
    })
}

fn field(cell: &Cell) -> Field {
    match cell.amount.map(Amount::real) {
        Some(value) => Field::number(value),
        None => Field::missing(
            format!("<{}>", cell.status.words()),
            cell.reason.as_deref().map(str::to_string),
        ),
    }
}
