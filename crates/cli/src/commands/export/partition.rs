//! The file of a row, by Hive's names of directories.

use super::args::By;
use crate::failure::Failure;
use counterpoint_report::table::{Cell, Column, Row};
use std::collections::HashSet;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

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

/// The columns of the directories within each other. Rows that other columns divide would be read twice, or be missed.
pub struct Layout {
    names: Vec<&'static str>,
    /// The directories in which nothing else was found.
    checked: HashSet<PathBuf>,
}

impl Layout {
    pub fn new(by: &[By]) -> Layout {
        let names = by.iter().map(|by| by.column().name()).collect();
        Layout { names, checked: HashSet::new() }
    }

    /// Checks the directories on the way from the base to one of a row.
    pub fn check(&mut self, base: &Path, directory: &Path) -> Result<(), Failure> {
        let mut folder = base.to_path_buf();
        for depth in 0..=self.names.len() {
            if depth > 0 {
                folder.extend(directory.components().nth(depth - 1));
            }
            if self.checked.insert(folder.clone()) {
                self.check_folder(&folder, depth)?;
            }
        }
        Ok(())
    }

    fn check_folder(&self, folder: &Path, depth: usize) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::new(format!("{}: {error}", folder.display()));
        for entry in folder.read_dir().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (name, is_directory) = (entry.file_name(), entry.path().is_dir());
            let name = name.to_string_lossy();
            // Others leave such names out, too.
            if name.starts_with(['.', '_']) {
                continue;
            }
            let of_column = self.names.get(depth).is_some_and(|column| {
                name.strip_prefix(column).is_some_and(|value| value.starts_with('='))
            });
            let is_last = depth == self.names.len();
            if is_last == is_directory || !is_last && !of_column {
                let text = format!(
                    "{}: it is not of a table that is partitioned by {}",
                    entry.path().display(),
                    self.names.join(",")
                );
                let help = "write each --partition to a directory of its own";
                return Err(Failure::new(text).help(help));
            }
        }
        Ok(())
    }
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
