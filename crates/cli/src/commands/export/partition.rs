//! The file of a row, by Hive's names of directories.

use super::args::By;
use crate::failure::Failure;
use counterpoint_report::table::{COLUMNS, Column, Row, partition};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

impl By {
    pub fn column(self) -> Column {
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
    by.iter().map(|by| partition::directory(by.column(), &row[by.column()])).collect()
}

/// The most bytes of a name in a directory.
const MOST_BYTES: usize = 255;
/// The characters of a value that is too long that are shown.
const SHOWN: usize = 40;

/// Refuses a value that is too long for the name of a directory.
pub fn check_lengths(directory: &Path, by: &[By]) -> Result<(), Failure> {
    let named = directory.iter().zip(by).map(|(name, by)| (name.to_string_lossy(), by.column()));
    match named.into_iter().find(|(name, _)| name.len() > MOST_BYTES) {
        None => Ok(()),
        Some((name, column)) => {
            let begin: String = name.chars().take(column.name().len() + 1 + SHOWN).collect();
            let text = format!(
                "{begin}…: this value of the column {} makes a name of {} bytes, and a directory has one of at most {MOST_BYTES}",
                column.name(),
                name.len()
            );
            Err(Failure::new(text).help("partition by other columns"))
        }
    }
}

/// The columns that the files have: all but those of their directories.
pub fn columns(by: &[By]) -> Vec<Column> {
    let is_in_file = |column: &&Column| by.iter().all(|by| by.column() != **column);
    COLUMNS.iter().filter(is_in_file).copied().collect()
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
            if folder.exists() && self.checked.insert(folder.clone()) {
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

/// Refuses to turn a table back whose files do not have the rows of a report in their order.
pub fn check_order(files: &[PathBuf]) -> Result<(), Failure> {
    let is_by_event = |file: &&PathBuf| {
        partition::of_path(file).iter().any(|(column, _)| *column == Column::Event)
    };
    match files.iter().find(is_by_event) {
        None => Ok(()),
        Some(file) => {
            let text = format!(
                "{}: a table that is partitioned by event does not have the order of its reports",
                file.display()
            );
            Err(Failure::new(text)
                .help("turn back a table that is partitioned by job, host, rank or report"))
        }
    }
}
