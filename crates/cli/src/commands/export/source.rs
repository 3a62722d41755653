//! A file of a report or of a table, read row by row.

use crate::failure::Failure;
use counterpoint_table::{Row, text};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Calls `each` with the rows of a file; standard input is `-`.
pub fn read(file: &Path, each: impl FnMut(&Row<'_>)) -> Result<(), Failure> {
    let name = file.display().to_string();
    let failed = |what: String| Failure::new(format!("{name}: {what}"));
    if file.as_os_str() == "-" {
        let read = text::read("standard input", io::stdin().lock(), each);
        return read.map_err(|error| failed(error.to_string()));
    }
    let open = File::open(file).map_err(|error| failed(error.to_string()))?;
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

#[cfg(feature = "parquet")]
mod binary {
    use counterpoint_table::{Row, arrow, parquet};
    use std::fs::File;

    pub fn parquet(file: File, each: impl FnMut(&Row<'_>)) -> Result<(), String> {
        parquet::read(file, each).map_err(|error| error.to_string())
    }

    pub fn arrow(mut file: File, each: impl FnMut(&Row<'_>)) -> Result<(), String> {
        use std::io::Seek;
        file.rewind().map_err(|error| error.to_string())?;
        arrow::read(std::io::BufReader::new(file), each).map_err(|error| error.to_string())
    }
}

#[cfg(not(feature = "parquet"))]
mod binary {
    use crate::commands::export::table::WITHOUT;
    use counterpoint_table::Row;
    use std::fs::File;

    pub fn parquet(_: File, _: impl FnMut(&Row<'_>)) -> Result<(), String> {
        Err(WITHOUT.to_string())
    }

    pub fn arrow(_: File, _: impl FnMut(&Row<'_>)) -> Result<(), String> {
        Err(WITHOUT.to_string())
    }
}
