//! A finding as a JSON line.

use crate::finding::Source;
use crate::show;
use counterpoint::definitions::Diagnostic;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Finding<'a> {
    schema: u32,
    severity: &'static str,
    code: &'static str,
    file: String,
    line: usize,
    column: usize,
    span: [usize; 2],
    message: &'a str,
    help: Option<&'a str>,
}

pub fn write(out: &mut impl Write, diagnostic: &Diagnostic, source: &Source<'_>) -> io::Result<()> {
    let (line, start) = source.line(diagnostic.span.start);
    let finding = Finding {
        schema: 1,
        severity: diagnostic.severity.name(),
        code: diagnostic.code.name(),
        file: source.path.display().to_string(),
        line,
        column: 1 + diagnostic.span.start - start,
        span: [diagnostic.span.start, diagnostic.span.end],
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
    };
    show::json(out, &finding)
}
