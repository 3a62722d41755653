//! A file of a report or of a table, read row by row.

use crate::failure::Failure;
use crate::input::next_line;
use counterpoint_table::text::{read_csv, read_json_line};
use counterpoint_table::{Report, Row};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Calls `each` with the rows of a file; standard input is `-`.
pub fn read(file: &Path, mut each: impl FnMut(&Row<'_>)) -> Result<(), Failure> {
    let name = file.display().to_string();
    let failed = |what: String| Failure::new(format!("{name}: {what}"));
    if file.as_os_str() == "-" {
        let mut stdin = io::stdin().lock();
        return text("standard input", &mut stdin, &mut each).map_err(failed);
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
    text(&name, &mut reader, &mut each).map_err(failed)
}

/// JSON lines of a report or of a table, or CSV.
fn text(
    name: &str,
    reader: &mut impl BufRead,
    each: &mut impl FnMut(&Row<'_>),
) -> Result<(), String> {
    let start = reader.fill_buf().map_err(|error| error.to_string())?;
    if start.is_empty() {
        return Err("it is empty".to_string());
    }
    let first = start.iter().copied().find(|byte| !byte.is_ascii_whitespace());
    if first != Some(b'{') {
        return read_csv(reader, each).map_err(|error| error.to_string());
    }
    let (mut report, mut line, mut number) = (Report::new(name), Vec::new(), 0_u64);
    while next_line(reader, &mut line).map_err(|error| error.to_string())? {
        number += 1;
        let failed = |what: String| format!("line {number}: {what}");
        let text = std::str::from_utf8(&line).map_err(|_| failed("not UTF-8 text".to_string()))?;
        match text.trim() {
            "" => {}
            text if text.starts_with("{\"table\":") => {
                each(&read_json_line(text).map_err(failed)?);
            }
            text => report.line(text, &mut *each).map_err(|error| failed(error.to_string()))?,
        }
    }
    Ok(())
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
