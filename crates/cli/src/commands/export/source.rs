//! A file of a report or of a table, read row by row.

use crate::failure::Failure;
use crate::{guard, input};
use counterpoint_report::table::{Row, partition, text};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Notes all files that are read, before one of them can be overwritten.
pub fn check(files: &[PathBuf]) -> Result<(), Failure> {
    for file in files {
        let noted = match file.metadata() {
            _ if file.as_os_str() == "-" => input::open(file).map(drop),
            Ok(about) => guard::reads(&about),
            // It is read in its turn, and is an error then.
            Err(_) => Ok(()),
        };
        noted.map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    Ok(())
}

/// Calls `each` with the rows of a file, with the columns that its directories have; standard input is `-`.
pub fn read(file: &Path, mut each: impl FnMut(&Row<'_>)) -> Result<(), Failure> {
    let columns = partition::of_path(file);
    if columns.is_empty() {
        return read_file(file, each);
    }
    read_file(file, |row| {
        let mut row = row.clone();
        partition::fill(&mut row, &columns);
        each(&row);
    })
}

fn read_file(file: &Path, each: impl FnMut(&Row<'_>)) -> Result<(), Failure> {
    let name = file.display().to_string();
    let failed = |what: String| Failure::new(format!("{name}: {what}"));
    let open = input::open(file).map_err(|error| failed(error.to_string()))?;
    let mut reader = BufReader::with_capacity(1 << 16, open);
    let start = reader.fill_buf().map_err(|error| failed(error.to_string()))?;
    if start.starts_with(b"PAR1") {
        return binary::parquet(reader.into_inner(), each).map_err(failed);
    }
    if start.starts_with(b"ARROW1") {
        return binary::arrow(reader.into_inner(), each).map_err(failed);
    }
    text::read(&name, reader, each).map_err(|error| failed(error.to_string()))
}

pub use binary::be_quiet;

#[cfg(feature = "parquet")]
mod binary {
    use counterpoint_report::table::{Row, arrow, parquet};
    use std::fs::File;

    /// The decoders of damaged files panic, and what they say is the error of the file.
    pub fn be_quiet() {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let file = panic.location().map_or("", |place| place.file());
            if !file.contains("arrow-") && !file.contains("parquet-") {
                usual(panic);
            }
        }));
    }

    pub fn parquet(file: File, each: impl FnMut(&Row<'_>)) -> Result<(), String> {
        parquet::read(file, each).map_err(|error| error.to_string())
    }

    pub fn arrow(file: File, each: impl FnMut(&Row<'_>)) -> Result<(), String> {
        arrow::read(file, each).map_err(|error| error.to_string())
    }
}

#[cfg(not(feature = "parquet"))]
mod binary {
    use crate::commands::left_out;
    use counterpoint_report::table::Row;
    use std::fs::File;

    pub fn be_quiet() {}

    pub fn parquet(_: File, _: impl FnMut(&Row<'_>)) -> Result<(), String> {
        Err(left_out::sentence("parquet"))
    }

    pub fn arrow(_: File, _: impl FnMut(&Row<'_>)) -> Result<(), String> {
        Err(left_out::sentence("parquet"))
    }
}
