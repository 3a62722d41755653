//! The destination of the result.

use super::measured::Measured;
use super::{json, lines_json, lines_text, page, text, tree};
use crate::commands::samples::output::{binaries, check_page};
use crate::commands::samples::{About, Format};
use crate::failure::Failure;
use crate::output::{OutputArgs, Sink};
use crate::show::printable;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The data that is accessed.
    Memory,
    /// The lines that threads share.
    SharedLines,
}

/// The open files or streams.
pub struct MemoryOutput {
    writer: Sink,
    page: Option<Sink>,
    format: Format,
    view: View,
}

impl MemoryOutput {
    /// Opens the output; with a command, a table goes to standard error.
    pub fn new(
        view: View,
        format: Format,
        output: &OutputArgs,
        page: Option<&Path>,
        to_stderr: bool,
    ) -> Result<MemoryOutput, Failure> {
        let (option, formats): (_, &[Format]) = match view {
            View::Memory => {
                ("--memory", &[Format::Table, Format::Json, Format::Folded, Format::Svg])
            }
            View::SharedLines => ("--shared-lines", &[Format::Table, Format::Json]),
        };
        if !formats.contains(&format) {
            let help = match view {
                View::Memory => "use --format table, json, folded or svg, or --html FILE",
                View::SharedLines => "use --format table or json, or --html FILE",
            };
            return Err(Failure::new(format!("{option} is not for this format")).help(help));
        }
        check_page(page, output)?;
        let writer = output.text(to_stderr && format == Format::Table, None)?;
        let writer = if to_stderr { writer.kept() } else { writer };
        Ok(MemoryOutput { writer, page: page.map(Sink::file).transpose()?, format, view })
    }

    /// Reads the recording, and shows it.
    pub fn write(mut self, file: File, about: &About<'_>) -> Result<(), Failure> {
        let name = printable(&about.name);
        let (samples, origin) = about.read(file)?;
        let binaries = binaries(about.debug_directory);
        let has_lines = self.view == View::SharedLines || self.page.is_some();
        let measured = Measured::read(samples, (&name, has_lines), about, &binaries)?;
        about.note(&measured.remarks);
        let writer = &mut self.writer;
        match (self.view, self.format) {
            (View::Memory, Format::Json) => json::write(writer, about, &origin, &measured)?,
            (View::Memory, Format::Folded) => {
                writer.write_all(tree::tree(&measured).folded().as_bytes())?;
            }
            (View::Memory, Format::Svg) => {
                let svg = tree::tree(&measured).flame_graph(&format!("data of {}", about.title));
                writer.write_all(svg.as_bytes())?;
            }
            (View::Memory, _) => text::write(writer, about, &measured)?,
            (View::SharedLines, Format::Json) => {
                lines_json::write(writer, about, &origin, &measured)?;
            }
            (View::SharedLines, _) => lines_text::write(writer, about, &measured)?,
        }
        if let Some(page) = self.page {
            page::write(page, about, &origin, &measured)?;
        }
        Ok(self.writer.publish()?)
    }
}
