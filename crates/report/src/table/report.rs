//! Lines of reports, turned into rows.

use super::column::KEYS;
use super::line::Line;
use super::{Cell, Column, Row, VERSION, json};
use crate::alike::Alike;
use std::borrow::Cow;

/// The version of the reports that are read.
const SCHEMA: i64 = 1;

/// Turns the lines of one report into rows.
///
/// The lines of `stat --json`, of the regions of a program, of `merge --json` and of `profile --json` are known.
///
/// ```
/// use counterpoint_report::table::{Column, Report};
///
/// let line = r#"{"schema":1,"host":"a","pid":7,"event":"cycles","value":null,"status":"not-supported","unit":null,"reason":"no PMU"}"#;
/// let mut events = Vec::new();
/// Report::new("a.jsonl").line(line, |row| {
///     events.push((row[Column::Event].text().map(str::to_string), row[Column::Value].real()));
/// }).unwrap();
/// assert_eq!(events, [(Some("cycles".to_string()), None)]);
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
    /// The ends of the interval before and of this one.
    interval: (f64, f64),
    /// The keys of a line before, with their columns, if it was flat.
    alike: Alike<Option<Column>>,
    /// The columns of the last line's keys, whatever their values were.
    order: Vec<Option<Column>>,
}

/// An error in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl Report {
    /// Begins a report; `name` is for the column `report`, and may be empty.
    pub fn new(name: impl Into<String>) -> Report {
        let (alike, order) = Default::default();
        Report { name: name.into(), interval: (0.0, 0.0), alike, order }
    }

    /// Calls `each` with the rows of the next line.
    ///
    /// The first row is the line itself, which [`report_line`](super::report_line) turns back.
    /// Rows of the kinds `run`, `member`, `function`, `line` and `thread` follow it: they say again what is within it.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a line of a report, is of another version, or says that something was not counted and has a value.
    pub fn line(&mut self, line: &str, mut each: impl FnMut(&Row<'_>)) -> Result<(), LineError> {
        let Report { name, interval, alike, order } = self;
        let read = match read_alike(line, alike) {
            Some(read) => Ok(read),
            None => {
                alike.learn(line, column);
                read(line, order)
            }
        };
        let read = read.and_then(|read| finish(read, name, interval));
        let Line { mut row, nested, .. } = read.map_err(LineError)?;
        each(&row);
        row[Column::Rest] = Cell::Null;
        for (list, raw) in nested {
            list.rows(&row, raw, &mut each).map_err(LineError)?;
        }
        Ok(())
    }
}

/// Puts each key of a line that is like the one before into its column; `None` if it is not, or if it is wrong.
fn read_alike<'a>(line: &'a str, alike: &Alike<Option<Column>>) -> Option<Line<'a>> {
    let mut read = Line::default();
    alike.read(line, |column, key, raw| read.key(*column, key, raw).ok())?;
    Some(read)
}

/// The column of a key.
fn column(key: &str) -> Option<Column> {
    KEYS.into_iter().find(|column| column.name() == key)
}

/// Puts each key into its column; `order` has the columns of the keys of the line before.
fn read<'a>(line: &'a str, order: &mut Vec<Option<Column>>) -> Result<Line<'a>, String> {
    let (mut read, mut position) = (Line::default(), 0);
    json::object(line, |key, raw| {
        let known = order.get(position).copied().flatten().filter(|c| c.name() == key);
        let column = known.or_else(|| column(&key));
        match order.get_mut(position) {
            Some(last) => *last = column,
            None => order.push(column),
        }
        position += 1;
        read.key(column, &key, raw)
    })?;
    Ok(read)
}

/// The cells that a line does not say, but that follow from it; `interval` has the ends of the interval before and of this one.
fn finish<'a>(
    mut read: Line<'a>,
    name: &'a str,
    interval: &mut (f64, f64),
) -> Result<Line<'a>, String> {
    match &read.row[Column::Schema] {
        Cell::Integer(SCHEMA) => {}
        Cell::Integer(other) => {
            return Err(format!("version {other} of the format, where version {SCHEMA} is read"));
        }
        _ => return Err("not a line of a report: it has no `schema`".to_string()),
    }
    let kind = read.kind.ok_or("not a line of a report: it has no `event`")?;
    if kind.has_value() {
        read.check()?;
    }
    let row = &mut read.row;
    row[Column::Table] = Cell::Integer(VERSION);
    row[Column::Kind] = Cell::Text(Cow::Borrowed(kind.name()));
    if !name.is_empty() {
        row[Column::Report] = Cell::Text(Cow::Borrowed(name));
    }
    if let Some(end) = row[Column::IntervalEnd].real() {
        if end != interval.1 {
            *interval = (interval.1, end);
        }
        row[Column::IntervalStart] = Cell::Real(interval.0);
    }
    if let Some(coverage) = row[Column::Coverage].real().filter(|coverage| *coverage > 0.0) {
        row[Column::Scale] = Cell::Real(1.0 / coverage);
    }
    if !read.rest.is_empty() {
        row[Column::Rest] = Cell::Text(Cow::Owned(format!("{{{}}}", read.rest)));
    }
    Ok(read)
}
