//! The destination of the result.

use super::asked::Asked;
use super::measured::Measured;
use super::{annotated, json, page, text};
use crate::commands::samples::output::{binaries, check_page};
use crate::commands::samples::{About, Format};
use crate::failure::Failure;
use crate::output::{OutputArgs, Sink};
use crate::show::printable;
use std::fs::File;
use std::path::Path;

/// The open files or streams.
pub struct MetricsOutput {
    writer: Sink,
    page: Option<Sink>,
    format: Format,
    /// The function whose lines are shown.
    symbol: Option<String>,
}

impl MetricsOutput {
    /// Opens the output; with a command, a table goes to standard error.
    pub fn new(
        format: Format,
        output: &OutputArgs,
        page: Option<&Path>,
        to_stderr: bool,
    ) -> Result<MetricsOutput, Failure> {
        if !matches!(format, Format::Table | Format::Json) {
            return Err(Failure::new("--metric is not for this format").help(
                "use --format table or json, or --html FILE, or --format perf for a recording",
            ));
        }
        check_page(page, output)?;
        let writer = output.text(to_stderr && format == Format::Table, None)?;
        let writer = if to_stderr { writer.kept() } else { writer };
        Ok(MetricsOutput { writer, page: page.map(Sink::file).transpose()?, format, symbol: None })
    }

    /// Shows the source lines of a function.
    pub fn annotated(self, symbol: &str) -> MetricsOutput {
        MetricsOutput { symbol: Some(symbol.to_string()), ..self }
    }

    /// Reads the recording, and shows the metrics.
    pub fn write(
        mut self,
        file: File,
        about: &About<'_>,
        metrics: &[Asked],
    ) -> Result<(), Failure> {
        let name = printable(&about.name);
        let (samples, origin) = about.read(file)?;
        let binaries = binaries(about.debug_directory);
        let measured = Measured::read(samples, &name, metrics, about, &binaries)?;
        about.note(&measured.remarks);
        match (&self.symbol, self.format) {
            (Some(symbol), _) => annotated::write(&mut self.writer, &measured, symbol)?,
            (None, Format::Json) => json::write(&mut self.writer, about, &origin, &measured)?,
            (None, _) => text::write(&mut self.writer, about, &measured)?,
        }
        if let Some(page) = self.page {
            page::write(page, about, &origin, &measured)?;
        }
        Ok(self.writer.publish()?)
    }
}
