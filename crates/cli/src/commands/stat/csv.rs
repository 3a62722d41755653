//! The report as CSV (RFC 4180) with a header; every row has every column.

use super::format::{Counted, Format};
use crate::csv::separator;
use crate::failure::Failure;
use counterpoint::records::Row;
use counterpoint_report::csv;
use std::io::{self, Write};

pub struct Csv {
    separator: u8,
}

impl Csv {
    pub fn new(text: &str) -> Result<Csv, Failure> {
        Ok(Csv { separator: separator(text)? })
    }
}

impl Format for Csv {
    fn heading(&self) -> io::Result<Vec<u8>> {
        csv::header(self.separator, csv::ROW)
    }

    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let records: Vec<Row> = counted.records().collect();
        // Written in one piece, so that the escaping of control characters does not see half of one.
        out.write_all(&csv::rows(self.separator, &records)?)
    }
}
