use super::args::ReadArgs;
use super::file::File;
use crate::failure::Failure;
use crate::show::{self, printable};
use counterpoint::catalog::{Diagnostic, Section, Severity, WithMetrics, check};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Exit status 1 if the catalog has errors.
pub fn run(args: &ReadArgs) -> Result<u8, Failure> {
    let file = File::of(&args.source)?;
    let decoded = file.decode(args.format);
    let mut found = decoded.diagnostics;
    if let Some(catalog) = &decoded.catalog {
        found.extend(check(catalog));
        found.extend_from_slice(catalog.metrics().diagnostics());
    }
    // The worst come first, those of one severity in the order of the file.
    found.sort_by_key(|found| (std::cmp::Reverse(found.severity), found.section, found.offset));
    let mut out = show::stdout();
    for diagnostic in &found {
        if args.json {
            writeln!(out, "{}", as_json(diagnostic, &file.name))?;
        } else {
            write_text(&mut out, diagnostic, &file.name)?;
        }
    }
    let count = |severity| found.iter().filter(|found| found.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if !args.json {
        let records = decoded.catalog.iter().flat_map(|catalog| {
            Section::OF_RECORDS.map(|section| counted(catalog.len(section), section.name()))
        });
        let findings = [counted(warnings, "warning"), counted(errors, "error")];
        writeln!(out, "{}", records.chain(findings).collect::<Vec<_>>().join(", "))?;
    }
    out.flush()?;
    Ok(u8::from(errors > 0))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A finding as a person reads it.
pub fn write_text(out: &mut impl Write, found: &Diagnostic, file: &str) -> io::Result<()> {
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
    writeln!(out, "  help: {}", found.help())
}

pub fn as_json(found: &Diagnostic, file: &str) -> Value {
    json!({
        "schema": 1,
        "severity": found.severity.name(),
        "code": found.code.name(),
        "file": file,
        "section": found.section.name(),
        "index": found.index,
        "offset": found.offset,
        "field": found.field,
        "message": found.message,
        "help": found.help(),
    })
}
