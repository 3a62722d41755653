//! The files that are written: one, or one for each partition.

use super::args::{By, ExportArgs, Format};
use super::partition::{Layout, check_lengths, columns, directory};
use super::table::Table;
use crate::failure::Failure;
use crate::output::Sink;
use crate::show;
use counterpoint::perf::output::create_directory;
use counterpoint_report::table::{Column, Row};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The most files that are open at a time: reports of one host follow each other mostly.
const MOST_OPEN: usize = 64;

pub struct Sinks {
    format: Format,
    by: Vec<By>,
    /// The columns of each file.
    columns: Vec<Column>,
    /// The directory of the partitions.
    base: PathBuf,
    /// The file without partitions, or those that are open, the one that was written last at the end.
    open: Vec<(PathBuf, Table)>,
    layout: Layout,
    /// The number of the next file in each directory.
    parts: HashMap<PathBuf, usize>,
    failed: Option<Failure>,
    /// The file, where its name was not asked for.
    chosen: Option<PathBuf>,
}

impl Sinks {
    pub fn new(args: &ExportArgs) -> Result<Sinks, Failure> {
        let format = args.format()?;
        let columns = columns(&args.partition);
        let mut open = Vec::new();
        let mut chosen = None;
        if args.partition.is_empty() {
            let to = match format {
                Format::Arrow | Format::Parquet => {
                    let name = format!("counterpoint.{}", format.ending());
                    let (to, path) = args.output.bytes(&name, false)?;
                    chosen = path;
                    to
                }
                _ => args.output.text(false, None)?.exact(),
            };
            open.push((PathBuf::new(), Table::new(format, to, &columns)?));
        }
        let base = args.output.name().unwrap_or(Path::new("")).to_path_buf();
        if !args.partition.is_empty() && base.exists() && !base.is_dir() {
            let text = format!("{}: it is not a directory", base.display());
            return Err(
                Failure::new(text).help("--partition writes files below the directory of -o")
            );
        }
        let is_twice = |(place, by): (usize, &By)| args.partition[..place].contains(by);
        if args.partition.iter().enumerate().any(is_twice) {
            return Err(Failure::new("--partition names a column twice"));
        }
        let (by, parts) = (args.partition.clone(), HashMap::new());
        let layout = Layout::new(&by);
        Ok(Sinks { format, by, columns, base, open, layout, parts, failed: None, chosen })
    }

    /// Writes a row; [`Sinks::check`] returns the first error.
    pub fn push(&mut self, row: &Row<'_>) {
        if self.failed.is_none()
            && let Err(failure) = self.try_push(row)
        {
            self.failed = Some(failure);
        }
    }

    fn try_push(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        if !self.by.is_empty() {
            let directory = directory(row, &self.by);
            if self.open.last().is_none_or(|(last, _)| *last != directory) {
                self.turn_to(directory)?;
            }
        }
        match self.open.last_mut() {
            Some((_, table)) => table.push(row),
            None => Ok(()),
        }
    }

    /// Makes the file of a directory the last one.
    fn turn_to(&mut self, directory: PathBuf) -> Result<(), Failure> {
        if let Some(place) = self.open.iter().position(|(open, _)| *open == directory) {
            self.open[place..].rotate_left(1);
            return Ok(());
        }
        if self.open.len() == MOST_OPEN {
            self.open.remove(0).1.finish()?;
        }
        check_lengths(&directory, &self.by)?;
        let folder = self.base.join(&directory);
        // A refusal leaves nothing behind.
        self.layout.check(&self.base, &directory)?;
        let failed = |error| Failure::new(format!("{}: {error}", folder.display()));
        // Another user may have put a link in the place of any of them.
        let mut below: Vec<&Path> = folder.ancestors().take(self.by.len() + 1).collect();
        below.reverse();
        below.into_iter().try_for_each(create_directory).map_err(failed)?;
        self.layout.check(&self.base, &directory)?;
        // What is there already is of another run, or was written before the file was closed for others.
        let next = self.parts.entry(directory.clone()).or_default();
        let ending = self.format.ending();
        let names = (*next..).map(|part| {
            *next = part + 1;
            folder.join(format!("part-{part}.{ending}"))
        });
        let sink = Sink::of_new_file(names)?;
        self.open.push((directory, Table::new(self.format, sink, &self.columns)?));
        Ok(())
    }

    /// Returns the error of a row that could not be written; what was begun is removed then.
    pub fn check(&mut self) -> Result<(), Failure> {
        let Some(failure) = self.failed.take() else { return Ok(()) };
        self.open.drain(..).for_each(|(_, table)| table.abandon());
        for directory in self.parts.keys() {
            let folder = self.base.join(directory);
            // Those that have files of others are not empty, and stay.
            for folder in folder.ancestors().take(self.by.len()) {
                let _ = std::fs::remove_dir(folder);
            }
        }
        Err(failure)
    }

    /// Writes what is left.
    pub fn finish(self) -> Result<(), Failure> {
        self.open.into_iter().try_for_each(|(_, table)| table.finish())?;
        if let Some(path) = self.chosen {
            show::note(&format!("written to {}", path.display()));
        }
        Ok(())
    }
}
