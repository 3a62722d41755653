//! The table as CSV and as JSON lines, and the texts of which it is made.

use super::back::push_cell;
use super::line::Kind;
use super::{COLUMNS, Cell, Column, ColumnType, Report, Row, VERSION, json};
use std::borrow::Cow;
use std::io::{self, BufRead, Read, Write};

/// An error in the text of a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A line is wrong; lines are counted from 1.
    #[error("line {line}: {what}")]
    Line {
        /// The number of the line.
        line: u64,
        /// The error.
        what: String,
    },
}

/// The longest line that is read: 64 MiB.
const LONGEST_LINE: u64 = 64 << 20;

/// Reads the text of a report or of a table, whichever it is, and calls `each` with its rows; `name` is for the column `report`.
///
/// A text whose first line has the column `table` as a field is CSV, and any other is JSON lines.
///
/// ```
/// use counterpoint_report::table::{Column, text};
///
/// let report = r#"{"schema":1,"event":"page-faults","value":3,"status":"counted","unit":null}"#;
/// let mut values = Vec::new();
/// text::read("a.jsonl", report.as_bytes(), |row| values.push(row[Column::Value].real()))?;
/// assert_eq!(values, [Some(3.0)]);
/// # Ok::<(), text::TextError>(())
/// ```
///
/// # Errors
///
/// Returns the first error, with its line, if the text is empty or has lines that are not of a report or a table; `each` was called with the rows of the other lines of JSON, or those before it of CSV.
pub fn read(
    name: &str,
    mut from: impl BufRead,
    mut each: impl FnMut(&Row<'_>),
) -> Result<(), TextError> {
    let start = first_line(&mut from)?;
    if start.is_empty() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is empty").into());
    }
    let is_header = has_table(&start);
    let mut from = start.as_slice().chain(from);
    if is_header {
        return read_csv(from, each);
    }
    let (mut report, mut bytes, mut number) = (Report::new(name), Vec::new(), 0);
    let mut found = Ok(());
    loop {
        bytes.clear();
        number += 1;
        if from.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)? == 0 {
            return found;
        }
        if bytes.len() as u64 > LONGEST_LINE {
            return found.and(Err(wrong(number, too_long())));
        }
        // A line that a process has not finished costs no other.
        let read = read_line(&bytes, &mut report, &mut each);
        found = found.and(read.map_err(|what| wrong(number, what)));
    }
}

/// The bytes up to the end of the first line that is not blank, without the mark of UTF-8 at the begin of a file.
fn first_line(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    while start.trim_ascii().is_empty() && (start.len() as u64) < LONGEST_LINE {
        let left = LONGEST_LINE + 1 - start.len() as u64;
        if from.by_ref().take(left).read_until(b'\n', &mut start)? == 0 {
            break;
        }
        if start.starts_with("\u{feff}".as_bytes()) {
            start.drain(..3);
        }
    }
    Ok(start)
}

/// Returns true if a line is the header of a table in CSV.
fn has_table(line: &[u8]) -> bool {
    let name = Column::Table.name().as_bytes();
    line.split(|byte| *byte == b',').any(|field| {
        let field = field.trim_ascii();
        let inside = field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\""));
        inside.unwrap_or(field) == name
    })
}

fn read_line(
    bytes: &[u8],
    report: &mut Report,
    each: &mut impl FnMut(&Row<'_>),
) -> Result<(), String> {
    let line = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())?;
    match line.trim() {
        "" => {}
        line if line.starts_with("{\"table\":") => each(&read_json_line(line)?),
        line => report.line(line, each).map_err(|error| error.to_string())?,
    }
    Ok(())
}

fn too_long() -> String {
    format!("it is longer than {} MiB", LONGEST_LINE >> 20)
}

fn is_profile(row: &Row<'_>) -> bool {
    row[Column::Kind].text() == Some(Kind::Profile.name())
}

/// The longest value of a profile's `rest` in CSV, in bytes.
const LONGEST_VALUE: usize = 4096;

/// What a profile says beside the columns, without its long lists, such as those of stacks, whose names are in `left_out`: spreadsheets cut off a long field, or refuse its file.
fn without_lists(rest: &str) -> Cow<'_, str> {
    if rest.len() <= LONGEST_VALUE {
        return Cow::Borrowed(rest);
    }
    let (mut kept, mut left_out) = (String::from("{"), String::new());
    let put = |to: &mut String, key: &str| {
        if !matches!(to.as_bytes().last(), None | Some(b'{')) {
            to.push(',');
        }
        json::push_text(to, key);
    };
    let read = json::object(rest, |key, raw| {
        if raw.len() > LONGEST_VALUE {
            put(&mut left_out, &key);
        } else {
            put(&mut kept, &key);
            kept.push(':');
            kept.push_str(raw);
        }
        Ok(())
    });
    if read.is_err() {
        return Cow::Borrowed(rest);
    }
    put(&mut kept, "left_out");
    Cow::Owned(format!("{kept}:[{left_out}]}}"))
}

/// Writes CSV (RFC 4180): a header with the names of all columns, then a line for each row; null is an empty field.
///
/// Long lists of a profile, such as its call stacks, are left out of the column `rest`, which names them in `left_out`; the other formats have them.
#[derive(Debug)]
pub struct CsvWriter<W: Write> {
    to: csv::Writer<W>,
    columns: Vec<Column>,
    cell: String,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    pub fn new(to: W) -> io::Result<CsvWriter<W>> {
        CsvWriter::with_columns(to, COLUMNS)
    }

    /// Writes the header of a table of these columns only.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    pub fn with_columns(to: W, columns: &[Column]) -> io::Result<CsvWriter<W>> {
        let mut to = csv::Writer::from_writer(to);
        to.write_record(columns.iter().map(|column| column.name()))?;
        Ok(CsvWriter { to, columns: columns.to_vec(), cell: String::new() })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    pub fn push(&mut self, row: &Row<'_>) -> io::Result<()> {
        for column in &self.columns {
            match &row[*column] {
                Cell::Null => self.to.write_field("")?,
                Cell::Text(rest) if *column == Column::Rest && is_profile(row) => {
                    self.to.write_field(without_lists(rest).as_bytes())?;
                }
                Cell::Text(text) => self.to.write_field(text.as_bytes())?,
                cell => {
                    self.cell.clear();
                    push_cell(&mut self.cell, cell);
                    self.to.write_field(&self.cell)?;
                }
            }
        }
        self.to.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Writes what is left and returns the writer.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.to.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// Reads CSV with a header, and calls `each` with its rows. Columns may be in any order, and all but `table` may be missing.
///
/// # Errors
///
/// Returns an error, with its line, if a column is not one of the table, if a field does not hold what its column holds, or if it is of another version.
pub fn read_csv(from: impl Read, mut each: impl FnMut(&Row<'_>)) -> Result<(), TextError> {
    let mut csv = csv::Reader::from_reader(Bounded::new(from));
    let columns = csv.headers().map_err(of_csv)?.iter().map(|name| {
        let known = COLUMNS.iter().copied().find(|column| column.name() == name);
        known.ok_or_else(|| wrong(1, format!("the table has no column {name:?}")))
    });
    let columns = columns.collect::<Result<Vec<Column>, _>>()?;
    let mut record = csv::StringRecord::new();
    loop {
        csv.get_mut().begin_line();
        if !csv.read_record(&mut record).map_err(of_csv)? {
            return Ok(());
        }
        let line = record.position().map_or(0, csv::Position::line);
        let mut row = Row::default();
        for (column, field) in columns.iter().zip(&record) {
            row[*column] = field_cell(*column, field).map_err(|what| wrong(line, what))?;
        }
        check_version(&row).map_err(|what| wrong(line, what))?;
        each(&row);
    }
}

/// The most commas of a line of CSV, of which most are within texts.
const MOST_COMMAS: usize = 8 << 20;

/// Reads no more than a line may have.
struct Bounded<R> {
    from: R,
    left: u64,
    commas: usize,
}

impl<R> Bounded<R> {
    fn new(from: R) -> Bounded<R> {
        Bounded { from, left: LONGEST_LINE, commas: MOST_COMMAS }
    }

    fn begin_line(&mut self) {
        (self.left, self.commas) = (LONGEST_LINE, MOST_COMMAS);
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let problem = match (self.left, self.commas) {
            (0, _) => too_long(),
            (_, 0) => format!("it has more than {MOST_COMMAS} commas"),
            _ => {
                let read = self.from.read(bytes)?;
                let commas = bytes[..read].iter().filter(|byte| **byte == b',').count();
                self.left = self.left.saturating_sub(read as u64);
                self.commas = self.commas.saturating_sub(commas);
                return Ok(read);
            }
        };
        Err(io::Error::new(io::ErrorKind::InvalidData, format!("a line: {problem}")))
    }
}

fn field_cell(column: Column, field: &str) -> Result<Cell<'_>, String> {
    if field.is_empty() {
        return Ok(Cell::Null);
    }
    let cell = match column.holds() {
        ColumnType::Text => return Ok(Cell::Text(Cow::Borrowed(field))),
        ColumnType::Integer => field.parse().ok().map(Cell::Integer),
        ColumnType::Real => {
            field.parse().ok().filter(|number: &f64| number.is_finite()).map(Cell::Real)
        }
        ColumnType::Boolean => field.parse().ok().map(Cell::Boolean),
    };
    cell.ok_or_else(|| {
        let expected = match column.holds() {
            ColumnType::Boolean => "true or false",
            ColumnType::Integer => "a whole number",
            _ => "a number",
        };
        format!("`{}` is {field:?}, where {expected} belongs", column.name())
    })
}

fn of_csv(error: csv::Error) -> TextError {
    let line = error.position().map_or(0, csv::Position::line);
    let what = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => TextError::Read(error),
        _ => wrong(line, what),
    }
}

fn wrong(line: u64, what: String) -> TextError {
    TextError::Line { line, what }
}

/// Returns an error if the row is of another version of the table.
pub(crate) fn check_version(row: &Row<'_>) -> Result<(), String> {
    match &row[Column::Table] {
        Cell::Integer(VERSION) => Ok(()),
        Cell::Integer(other) => {
            Err(format!("version {other} of the table, where version {VERSION} is read"))
        }
        _ => Err("not a row of the table: it has no `table`".to_string()),
    }
}

/// Returns the row as a JSON object in one line, without a newline: its keys are the columns that are not null, and `rest` is an object.
pub fn json_line(row: &Row<'_>) -> String {
    let mut line = String::from("{");
    for (column, cell) in row.cells() {
        if line.len() > 1 {
            line.push(',');
        }
        json::push_text(&mut line, column.name());
        line.push(':');
        match (column, cell) {
            (Column::Rest, Cell::Text(object)) => line.push_str(object),
            _ => push_cell(&mut line, cell),
        }
    }
    line.push('}');
    line
}

/// Reads a line of [`json_line`].
///
/// # Errors
///
/// Returns what is wrong with the line.
pub fn read_json_line(line: &str) -> Result<Row<'_>, String> {
    let mut row = Row::default();
    json::object(line, |key, raw| {
        let column = COLUMNS.iter().copied().find(|column| column.name() == key);
        let column = column.ok_or_else(|| format!("the table has no column {key:?}"))?;
        row[column] = match column {
            Column::Rest if raw.starts_with('{') => Cell::Text(Cow::Borrowed(raw)),
            Column::Rest => return Err("`rest` is not an object".to_string()),
            _ => json::cell(column, raw)?.unwrap_or_default(),
        };
        Ok(())
    })?;
    check_version(&row)?;
    Ok(row)
}
