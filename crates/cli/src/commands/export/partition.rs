//! The file of a row, by Hive's names of directories.

use super::args::By;
use counterpoint_report::table::{Cell, Column, Row};
use std::fmt::Write;
use std::path::PathBuf;

/// Hive's name of a value that is not there.
const NOTHING: &str = "__HIVE_DEFAULT_PARTITION__";

impl By {
    fn column(self) -> Column {
        match self {
            By::Job => Column::Job,
            By::Host => Column::Host,
            By::Rank => Column::Rank,
            By::Event => Column::Event,
            By::Report => Column::Report,
        }
    }
}

/// The directory of a row, such as `job=42/host=node1`.
pub fn directory(row: &Row<'_>, by: &[By]) -> PathBuf {
    by.iter()
        .map(|by| {
            let column = by.column();
            let value = match &row[column] {
                Cell::Text(text) => escaped(text),
                Cell::Integer(number) => number.to_string(),
                _ => NOTHING.to_string(),
            };
            format!("{}={value}", column.name())
        })
        .collect()
}

/// A text without what means something in a path or in Hive's names, each as `%` and two hexadecimal digits.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || "\"#%'*/:=?\\{}[]^".contains(letter) {
            let mut bytes = [0; 4];
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "%{byte:02X}");
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped
}
