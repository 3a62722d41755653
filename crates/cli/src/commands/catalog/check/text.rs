//! A finding for people.

use super::help::help;
use crate::show::printable;
use counterpoint::catalog::Diagnostic;
use std::io::{self, Write};

pub fn write(out: &mut impl Write, found: &Diagnostic, file: &str) -> io::Result<()> {
    let (severity, code) = (found.severity.name(), found.code.name());
    writeln!(out, "{severity}[{code}]: {}", printable(&found.message))?;
    let record = found.index.map(|index| format!(" {index}")).unwrap_or_default();
    let field = if found.field.is_empty() { "" } else { ", " };
    writeln!(
        out,
        "  at {}{record}{field}{}, byte {:#x} of {}",
        found.section.name(),
        found.field,
        found.offset,
        printable(file)
    )?;
    writeln!(out, "  help: {}", help(found))
}
