//! One file of the table, in one of the formats.

use super::args::Format;
#[cfg(not(feature = "parquet"))]
use crate::commands::left_out;
use crate::failure::Failure;
use crate::output::Sink;
use counterpoint_report::table::text::{CsvWriter, json_line};
use counterpoint_report::table::{COLUMNS, Cell, Column, Row, report_line};
use std::io::Write;

pub enum Table {
    Csv(Box<CsvWriter<Sink>>),
    /// With the columns that are left out.
    Lines(Sink, Vec<Column>),
    Report(Sink),
    #[cfg(feature = "parquet")]
    Arrow(Box<counterpoint_report::table::arrow::Writer<Sink>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::encoder::Encoder>),
}

impl Table {
    /// Begins a file of these columns.
    pub fn new(format: Format, to: Sink, columns: &[Column]) -> Result<Table, Failure> {
        Ok(match format {
            Format::Csv => Table::Csv(Box::new(CsvWriter::with_columns(to, columns)?)),
            Format::Jsonl => {
                let left_out = COLUMNS.iter().filter(|column| !columns.contains(column));
                Table::Lines(to, left_out.copied().collect())
            }
            Format::Report => Table::Report(to),
            #[cfg(feature = "parquet")]
            Format::Arrow => Table::Arrow(Box::new(
                counterpoint_report::table::arrow::Writer::with_columns(to, columns)?,
            )),
            #[cfg(feature = "parquet")]
            Format::Parquet => Table::Parquet(Box::new(super::encoder::Encoder::new(to, columns)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Arrow | Format::Parquet => return Err(left_out::without("parquet")),
        })
    }

    pub fn push(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        match self {
            Table::Csv(csv) => csv.push(row)?,
            Table::Lines(to, left_out) if left_out.is_empty() => {
                writeln!(to, "{}", json_line(row))?;
            }
            Table::Lines(to, left_out) => {
                let mut row = row.clone();
                left_out.iter().for_each(|column| row[*column] = Cell::Null);
                writeln!(to, "{}", json_line(&row))?;
            }
            Table::Report(to) => {
                if let Some(line) = report_line(row) {
                    writeln!(to, "{line}")?;
                }
            }
            #[cfg(feature = "parquet")]
            Table::Arrow(arrow) => arrow.push(row)?,
            #[cfg(feature = "parquet")]
            Table::Parquet(parquet) => parquet.push(row)?,
        }
        Ok(())
    }

    /// Removes the file, which is not whole.
    pub fn abandon(self) {
        match self {
            // Its thread has the file until it ends.
            #[cfg(feature = "parquet")]
            Table::Parquet(parquet) => drop(parquet.finish()),
            others => drop(others),
        }
    }

    pub fn finish(self) -> Result<(), Failure> {
        let mut to = match self {
            Table::Csv(csv) => csv.finish()?,
            Table::Lines(to, _) | Table::Report(to) => to,
            #[cfg(feature = "parquet")]
            Table::Arrow(arrow) => arrow.finish()?,
            #[cfg(feature = "parquet")]
            Table::Parquet(parquet) => parquet.finish()?,
        };
        Ok(to.publish()?)
    }
}

#[cfg(feature = "parquet")]
impl From<counterpoint_report::table::arrow::TableError> for Failure {
    fn from(error: counterpoint_report::table::arrow::TableError) -> Failure {
        use counterpoint_report::table::arrow::{ArrowError, TableError};
        match error {
            TableError::Read(error) | TableError::Arrow(ArrowError::IoError(_, error)) => {
                error.into()
            }
            error => Failure::new(error.to_string()),
        }
    }
}
