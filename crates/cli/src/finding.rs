//! Findings in a definition file, drawn with their line.

use crate::show::printable_lines;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use counterpoint::definitions::{Diagnostic, Severity};
use std::path::Path;

/// Longer lines are named instead of drawn, because each finding in them would print them again.
const LONGEST_DRAWN: usize = 4096;

/// The text of a file, with the places of its lines, so that many findings in it take no longer than the file.
pub struct Source<'a> {
    pub path: &'a Path,
    pub text: String,
    /// The beginning of each line.
    lines: Vec<usize>,
}

impl Source<'_> {
    pub fn new(path: &Path, text: String) -> Source<'_> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Source { path, text, lines }
    }

    /// The number of the line of a byte, from 1, and where that line begins.
    pub fn line(&self, offset: usize) -> (usize, usize) {
        let number = self.lines.partition_point(|start| *start <= offset);
        (number, self.lines[number - 1])
    }

    /// The finding with its line, as compilers draw it.
    pub fn drawn(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let group = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.name());
        let path = self.path.display().to_string();
        let (number, start) = self.line(diagnostic.span.start);
        let (last, _) = self.line(diagnostic.span.end);
        let end = self.lines.get(last).map_or(self.text.len(), |next| next - 1);
        let group = match self.text.get(start..end) {
            Some(lines) if lines.len() <= LONGEST_DRAWN => {
                let span = diagnostic.span.start - start..diagnostic.span.end - start;
                let annotation = AnnotationKind::Primary.span(span);
                let snippet = Snippet::source(lines).line_start(number).path(path);
                group.element(snippet.annotation(annotation))
            }
            _ => {
                let column = 1 + diagnostic.span.start - start;
                group.element(Origin::path(path).line(number).char_column(column))
            }
        };
        let group = match diagnostic.help.as_deref() {
            Some(help) => group.element(Level::HELP.message(help)),
            None => group,
        };
        format!("{}\n", printable_lines(&Renderer::plain().render(&[group])))
    }
}
