//! The destination of the result.

use super::measured::{Measured, printable};
use super::{json, page, text, tree};
use crate::commands::samples::About;
use crate::commands::samples::Format;
use crate::commands::samples::output::{binaries, check_page};
use crate::failure::Failure;
use crate::output::{OutputArgs, Sink};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The open files or streams.
pub struct WallOutput {
    writer: Sink,
    page: Option<Sink>,
    format: Format,
}

impl WallOutput {
    /// Opens the output; with a command, a table goes to standard error.
    pub fn new(
        format: Format,
        output: &OutputArgs,
        page: Option<&Path>,
        to_stderr: bool,
    ) -> Result<WallOutput, Failure> {
        if !matches!(format, Format::Table | Format::Json | Format::Folded | Format::Svg) {
            return Err(Failure::new("--wall is not for this format")
                .help("use --format table, json, folded or svg, or --html FILE"));
        }
        check_page(page, output)?;
        let writer = output.text(to_stderr && format == Format::Table, None)?;
        let writer = if to_stderr { writer.kept() } else { writer };
        Ok(WallOutput { writer, page: page.map(Sink::file).transpose()?, format })
    }

    /// Reads the recording, and shows it.
    pub fn write(mut self, file: File, about: &About<'_>) -> Result<(), Failure> {
        let name = printable(&about.name);
        let (samples, origin) = about.read(file)?;
        let binaries = binaries(about.debug_directory);
        let measured = Measured::read(samples, &name, about.filters, &binaries)?;
        about.note(&measured.remarks);
        match self.format {
            Format::Json => json::write(&mut self.writer, about, &origin, &measured)?,
            Format::Folded => {
                self.writer.write_all(tree::tree(&measured).folded().as_bytes())?;
            }
            Format::Svg => {
                let title = format!("wall time of {}", about.title);
                let svg = tree::tree(&measured).flame_graph(&title);
                self.writer.write_all(svg.as_bytes())?;
            }
            _ => text::write(&mut self.writer, about, &measured)?,
        }
        if let Some(page) = self.page {
            page::write(page, about, &origin, &measured)?;
        }
        Ok(self.writer.publish()?)
    }
}
