//! The report as a page of HTML: tables, and a line over time for each event at each place.

use super::format::{Counted, Format};
use super::summary::Summary;
use crate::page::{Cell, Column, Fact, Lines, Page, Section, Series, Table};
use counterpoint::perf::Host;
use counterpoint::records::{Amount, Row};
use counterpoint::{Reporter, environment};
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// Collects all rows, and writes them at the end.
#[derive(Default)]
pub struct Html {
    rows: Vec<Row>,
}

impl Format for Html {
    fn write(&mut self, _out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        // The sum of intervals is computed from them.
        let has_intervals = self.rows.iter().any(|row| row.interval_s.is_some());
        if counted.at.is_some() || !has_intervals {
            self.rows.extend(counted.records());
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let mut notes = vec![times(summary)];
        notes.extend(summary.remarks());
        let has_intervals = self.rows.iter().any(|row| row.interval_s.is_some());
        let events = events(&self.rows);
        let mut sections = vec![totals(&events, has_intervals)];
        if has_intervals {
            sections.extend(charts(&events));
        }
        sections.push(values(&self.rows));
        let title = format!("Counters of {}", summary.title);
        Page { title, facts: facts(), notes, sections }.write(out)
    }
}

/// The machine, and when the page was written.
pub fn facts() -> Vec<Fact> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let date = now.map(|now| Fact::date("Date", now.as_millis() as f64));
    let of = environment(&Host::local());
    let machine = [
        Reporter::this_process().host,
        of.cpu.unwrap_or_default(),
        of.kernel.map_or(String::new(), |kernel| format!("Linux {kernel}")),
        of.governor.map_or(String::new(), |governor| format!("governor {governor}")),
    ];
    let machine =
        machine.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    date.into_iter().chain([Fact::text("Machine", machine)]).collect()
}

/// The rows of one event at one place, in the order of time.
struct Event<'a> {
    rows: Vec<&'a Row>,
}

fn events(rows: &[Row]) -> Vec<Event<'_>> {
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut places = HashMap::new();
    for row in rows {
        let place =
            *places.entry((&row.canonical, &row.event, &row.location)).or_insert_with(|| {
                events.push(Event { rows: Vec::new() });
                events.len() - 1
            });
        events[place].rows.push(row);
    }
    events
}

impl<'a> Event<'a> {
    fn first(&self) -> &'a Row {
        self.rows[0]
    }

    /// The values of the intervals or of the runs.
    fn values(&self) -> Vec<f64> {
        let row = self.first();
        match &row.runs {
            Some(runs) => runs.values.iter().flatten().map(|value| value.real()).collect(),
            None => self.rows.iter().filter_map(|row| Some(row.value?.real())).collect(),
        }
    }
}

fn times(summary: &Summary) -> String {
    let host = summary.process.host.as_deref().unwrap_or("this machine");
    let elapsed: f64 = summary.mean_elapsed().as_secs_f64();
    match summary.elapsed.len() {
        1 => format!("On {host}; {elapsed:.6} s elapsed."),
        runs => format!("On {host}; {runs} runs of {elapsed:.6} s on average."),
    }
}

fn column(name: &'static str, number: bool) -> Column {
    Column { name: name.into(), number }
}

/// One row for each event: its value, or what its values in intervals or runs add up to.
fn totals(events: &[Event<'_>], has_intervals: bool) -> Section {
    let is_repeated = events.iter().any(|event| event.first().runs.is_some());
    let mut columns = vec![column("event", false), column("place", false)];
    columns.push(column(if has_intervals { "sum" } else { "value" }, true));
    columns.push(column("unit", false));
    if has_intervals || is_repeated {
        columns.extend([column("least", true), column("mean", true), column("most", true)]);
    }
    columns.push(column("status", false));
    let has_spread = has_intervals || is_repeated;
    let rows = events.iter().map(|event| {
        let row = event.first();
        let values = event.values();
        let mut cells = vec![Cell::text(&row.event), Cell::text(row.location.words())];
        cells.push(match (has_intervals, row.raw) {
            (false, _) => amount(row),
            // The values of formulas do not add up.
            (true, None) => Cell::text(""),
            (true, Some(_)) => Cell::number(values.iter().sum()),
        });
        cells.push(Cell::text(row.unit.as_deref().unwrap_or("")));
        if has_spread {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let least = values.iter().copied().reduce(f64::min);
            let most = values.iter().copied().reduce(f64::max);
            for number in [least, least.map(|_| mean), most] {
                cells.push(number.map_or(Cell::text(""), Cell::number));
            }
        }
        cells.push(status(event));
        cells
    });
    Section::Table(Table {
        title: "Events".to_string(),
        columns,
        rows: rows.collect(),
        folded: false,
    })
}

/// The status of all rows: the worst, with its reason.
fn status(event: &Event<'_>) -> Cell {
    let counted = event.rows.iter().filter(|row| row.value.is_some()).count();
    let missing = event.rows.iter().find(|row| row.value.is_none());
    let least = event.rows.iter().filter_map(|row| row.coverage).reduce(f64::min);
    match (missing, least) {
        (Some(row), _) if counted == 0 => Cell::missing(row.status.words(), row.reason.clone()),
        (Some(row), _) => Cell::missing(
            format!("counted in {counted} of {} intervals", event.rows.len()),
            row.reason.clone(),
        ),
        (None, Some(least)) if least < 1.0 => {
            let text = format!("estimated from {:.2} % of the time at least", 100.0 * least);
            Cell::text(match event.rows.as_slice() {
                [row] => text + &error(row),
                _ => text,
            })
        }
        (None, _) if event.rows.iter().any(|row| is_crossed(row)) => {
            Cell { look: Some("warning"), ..Cell::text("worth a look") }
        }
        (None, _) => Cell::text("counted"),
    }
}

/// A chart for each event, with a line for each place.
fn charts(events: &[Event<'_>]) -> Vec<Section> {
    let mut charts: Vec<(&Row, Vec<&Event<'_>>)> = Vec::new();
    for event in events.iter().filter(|event| !event.values().is_empty()) {
        let row = event.first();
        match charts.iter_mut().find(|(first, _)| first.canonical == row.canonical) {
            Some((_, places)) => places.push(event),
            None => charts.push((row, vec![event])),
        }
    }
    let ends = |event: &Event<'_>| event.rows.iter().filter_map(|row| row.interval_s).collect();
    let mut x: Vec<f64> = events.iter().flat_map(|event| -> Vec<f64> { ends(event) }).collect();
    x.sort_by(f64::total_cmp);
    x.dedup();
    let lines = charts.into_iter().map(|(row, places)| {
        let series = places.into_iter().map(|event| {
            let mut rows = event.rows.iter().peekable();
            // A thread that comes later has no value before.
            let mut begin = 0.0;
            let value = |end: &f64| {
                let length = end - std::mem::replace(&mut begin, *end);
                let row = rows.next_if(|row| row.interval_s == Some(*end))?;
                let value = row.value.map(Amount::real)?;
                Some(rate(row).map_or(value, |(factor, _)| value * factor / length))
            };
            let place = event.first().location.words();
            let name = if place.is_empty() { row.event.clone() } else { place };
            Series { name, values: x.iter().map(value).collect() }
        });
        Section::Lines(Lines {
            title: row.event.clone(),
            unit: rate(row).map(|(_, unit)| unit).or(row.unit.clone()),
            start: 0.0,
            end: x.last().copied().unwrap_or(0.0),
            series: series.collect(),
            x: x.clone(),
        })
    });
    lines.collect()
}

/// The factor and the unit of the rate of a count, so that an interval that is shorter is not shown as a fall; `None` of a value that is not counted over time, such as that of a formula.
pub fn rate(row: &Row) -> Option<(f64, String)> {
    row.raw?;
    Some(match row.unit.as_deref() {
        Some("ns") => (1e-9, "CPUs".to_string()),
        None | Some("") => (1.0, "per second".to_string()),
        Some(unit) => (1.0, format!("{unit} per second")),
    })
}

/// Every row, as the machine formats have it.
fn values(rows: &[Row]) -> Section {
    let columns = ["end (s)", "event", "place", "value", "unit", "status"];
    let is_number = |name: &str| matches!(name, "end (s)" | "value");
    let cells = |row: &Row| {
        let end = row.interval_s.map_or(Cell::text(""), |end| Cell {
            text: format!("{end:.6}"),
            value: Some(end),
            ..Cell::default()
        });
        let place = Cell::text(row.location.words());
        let unit = Cell::text(row.unit.as_deref().unwrap_or(""));
        let state = Cell::text(row.status.words());
        vec![end, Cell::text(&row.event), place, amount(row), unit, state]
    };
    Section::Table(Table {
        title: "Values".to_string(),
        columns: columns.map(|name| column(name, is_number(name))).into(),
        rows: rows.iter().map(cells).collect(),
        folded: true,
    })
}

fn amount(row: &Row) -> Cell {
    match row.value {
        Some(value) => Cell::number(value.real()),
        None => Cell::missing(format!("<{}>", row.status.words()), row.reason.clone()),
    }
}

/// The standard error of an estimate, in percent of it.
fn error(row: &Row) -> String {
    let value = row.value.map(Amount::real).filter(|value| *value != 0.0);
    let percent = row.estimate_error.zip(value).map(|(error, value)| 100.0 * error / value.abs());
    percent.map_or(String::new(), |percent| format!(", ± {percent:.2} %"))
}

/// Returns true if the value of a metric is worth a look.
fn is_crossed(row: &Row) -> bool {
    row.metric.as_ref().is_some_and(|metric| metric.crossed == Some(true))
}
