//! Rows as CSV (RFC 4180), in columns of the caller's choice.

use crate::field::Field;
use crate::keys::Part;
use crate::{Amount, MemberValue, MergedKey, MergedRow, Row};
use ::csv::WriterBuilder;
use serde::{Serialize, Serializer};
use std::io;

/// The columns of the rows of a report, in their order; new ones are added at the end.
pub const ROW: &[&str] = &[
    "event",
    "canonical",
    "value",
    "status",
    "unit",
    "raw",
    "enabled_ns",
    "running_ns",
    "coverage",
    "comment",
    "comment_unit",
    "interval_s",
    "cpu",
    "thread",
    "comm",
    "core",
    "socket",
    "runs",
    "stddev",
    "standard_error",
    "min",
    "median",
    "max",
    "rank",
    "host",
    "pid",
    "groups",
    "threshold",
    "crossed",
    "die",
    "node",
    "cache_level",
    "cache",
    "cgroup",
    "job",
    "ranks",
    "local_rank",
    "counted_elsewhere",
    "least",
    "greatest",
    "note",
    "reason",
    "estimate_error",
    "uncertain",
];

/// The columns of merged rows.
pub const MERGED: &[&str] = &[
    "event",
    "canonical",
    "region",
    "calls",
    "value",
    "status",
    "unit",
    "coverage",
    "cpu",
    "thread",
    "comm",
    "core",
    "socket",
    "die",
    "node",
    "cache_level",
    "cache",
    "cgroup",
    "processes",
    "min",
    "min_rank",
    "min_host",
    "min_socket",
    "min_file",
    "mean",
    "max",
    "max_rank",
    "max_host",
    "max_socket",
    "max_file",
    "imbalance",
    "reason",
];

/// The columns of the values of members.
pub const MEMBER: &[&str] = &[
    "event",
    "canonical",
    "region",
    "value",
    "status",
    "unit",
    "coverage",
    "job",
    "rank",
    "host",
    "pid",
    "file",
    "cpu",
    "thread",
    "comm",
    "core",
    "socket",
    "die",
    "node",
    "cache_level",
    "cache",
    "cgroup",
    "reason",
];

/// The line with the names of columns.
///
/// # Errors
/// Returns an error of the writer, which a vector does not have.
pub fn header(separator: u8, columns: &[&str]) -> io::Result<Vec<u8>> {
    lines(separator, false, [columns])
}

/// The lines of rows of a report, in the columns [`ROW`].
///
/// # Errors
/// As [`header`].
pub fn rows<'r>(separator: u8, rows: impl IntoIterator<Item = &'r Row>) -> io::Result<Vec<u8>> {
    lines(separator, false, rows.into_iter().map(|row| cells(ROW, &[row])))
}

/// The line of a merged row, in the columns [`MERGED`].
///
/// # Errors
/// As [`header`].
pub fn merged(separator: u8, row: &MergedRow<'_>) -> io::Result<Vec<u8>> {
    lines(separator, false, [cells(MERGED, &[row])])
}

/// The lines of the values of the members of a merged row, in the columns [`MEMBER`]; a key of the row comes before one of the member.
///
/// # Errors
/// As [`header`].
pub fn members<'m>(
    separator: u8,
    key: &MergedKey,
    values: impl IntoIterator<Item = MemberValue<'m>>,
) -> io::Result<Vec<u8>> {
    let values: Vec<MemberValue<'m>> = values.into_iter().collect();
    lines(separator, false, values.iter().map(|value| cells(MEMBER, &[key, value])))
}

/// The lines of anything that serde writes as a row.
///
/// # Errors
/// As [`header`].
pub fn lines<R: Serialize>(
    separator: u8,
    has_headers: bool,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<Vec<u8>> {
    let mut builder = WriterBuilder::new();
    builder.delimiter(separator).has_headers(has_headers);
    let mut writer = builder.from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// A fraction without an exponent, which spreadsheets do not all read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plain(pub f64);

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The cell of each column: that of the first of the records that has a value there.
fn cells<'r>(columns: &[&str], records: &[&'r dyn Part]) -> Vec<Cell<'r>> {
    let mut cells = vec![Cell::Empty; columns.len()];
    let mut put = |name: &str, cell: Cell<'r>| {
        let place = columns.iter().position(|column| *column == name);
        if let Some(place @ Cell::Empty) = place.map(|place| &mut cells[place]) {
            *place = cell;
        }
    };
    for record in records {
        record.each(&mut |name, field| match field {
            Field::Absent | Field::Numbers(_) => {}
            Field::Text(text) => put(name, Cell::Text(text)),
            Field::Number(number) => put(name, Cell::Number(number)),
            Field::Real(real) => put(name, Cell::Plain(Plain(real))),
            Field::Boolean(answer) => put(name, Cell::Boolean(answer)),
            Field::Comment(comment) => {
                put("comment", Cell::Plain(Plain(comment.value)));
                put("comment_unit", Cell::Text(comment.unit));
            }
            Field::Metric(metric) => {
                put("groups", Cell::Joined(metric.groups.join(";")));
                if let Some(threshold) = &metric.threshold {
                    put("threshold", Cell::Text(threshold));
                }
                if let Some(crossed) = metric.crossed {
                    put("crossed", Cell::Boolean(crossed));
                    put("uncertain", Cell::Boolean(metric.uncertain));
                }
            }
        });
    }
    cells
}

/// The content of a column in one line.
#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Cell<'r> {
    Empty,
    Text(&'r str),
    Joined(String),
    Number(Amount),
    Plain(Plain),
    Boolean(bool),
}
