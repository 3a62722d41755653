//! `counterpoint catalog check`: errors in a catalog.

mod help;
pub mod json;
pub mod text;

use super::args::ReadArgs;
use super::file::File;
use crate::failure::Failure;
use crate::show;
use counterpoint::catalog::{Section, Severity, WithMetrics, check};
use std::io::Write;

/// Exit status 1 if the catalog has errors.
pub fn run(args: &ReadArgs) -> Result<u8, Failure> {
    let file = File::of(&args.source)?;
    let mut decoded = file.decode(args.format);
    if let Some(catalog) = &mut decoded.catalog {
        catalog.reading = args.reading.map(Into::into);
    }
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
            show::json(&mut out, &json::finding(diagnostic, &file.name))?;
        } else {
            text::write(&mut out, diagnostic, &file.name)?;
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
