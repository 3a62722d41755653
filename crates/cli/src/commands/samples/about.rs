//! What is shown of a recording, and how.

use crate::commands::samples::TableArgs;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use crate::failure::Failure;
use crate::input;
use crate::show::{self, printable};
use counterpoint_recording::{Remark, Samples};
use std::fs::File;
use std::path::Path;

/// What is shown of the recording, and how.
pub struct About<'a> {
    /// The name of the file, or of the command.
    pub title: String,
    /// The name of the file in errors.
    pub name: String,
    pub filters: &'a FilterArgs,
    pub table: TableArgs,
    pub debug_directory: &'a Path,
    /// When the recording began, and on which machine; without, the file says it.
    pub origin: Option<Origin>,
}

impl<'a> About<'a> {
    /// A file of samples, by the name that it has for people, and what is shown of it.
    pub fn of_file(
        path: &Path,
        name: String,
        filters: &'a FilterArgs,
        table: TableArgs,
        debug_directory: &'a Path,
    ) -> Result<(File, About<'a>), Failure> {
        let file = input::open(path)
            .map_err(|error| Failure::new(format!("{}: {error}", printable(&name))))?;
        let title = name.clone();
        Ok((file, About { title, name, filters, table, debug_directory, origin: None }))
    }

    /// Reads the recording; also returns when and on which machine it was made.
    pub fn read(&self, file: File) -> Result<(Samples, Origin), Failure> {
        let failed = |error| Failure::new(format!("{}: {error}", printable(&self.name)));
        let samples = Samples::read(file).map_err(failed)?;
        let origin = self.origin.clone();
        let origin = origin.unwrap_or_else(|| Origin::recorded(samples.facts()));
        Ok((samples, origin))
    }

    /// Writes what was found while the recording was read.
    pub fn note(&self, remarks: &[Remark]) {
        for remark in remarks {
            show::note(&format!("{}: {remark}", printable(&self.name)));
        }
    }
}
