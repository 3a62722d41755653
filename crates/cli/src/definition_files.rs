//! Reads files of definitions.

use crate::failure::Failure;
use crate::finding::Source;
use crate::metric_files::{MetricFile, of_machine};
use crate::show;
use counterpoint::definitions::papi::decode;
use counterpoint::definitions::{Diagnostic, Library, Severity};
use counterpoint::{Machine, read_definitions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The metrics of files, and of directories those that are for the processor of a machine.
///
/// Errors in them are printed, and the rest is used.
pub fn read_all(paths: &[PathBuf], machine: &Machine) -> Result<Vec<Library>, Failure> {
    let mut libraries = Vec::new();
    for path in paths {
        let failed = |e: std::io::Error| {
            let failure = Failure::new(format!("{}: {e}", path.display()));
            match e.kind() {
                std::io::ErrorKind::NotFound => {
                    failure.help("name a file or a directory; metrics to count are named with -M")
                }
                _ => failure,
            }
        };
        let files = of_machine(path, machine).map_err(failed)?;
        if files.is_empty() {
            let text = format!("{}: no metrics for this processor were found", path.display());
            let help = "name the directory of one processor, or one with a mapfile.csv, or likwid's groups";
            return Err(Failure::new(text).help(help));
        }
        for MetricFile { path, unit } in files {
            let failed = |e| Failure::new(format!("{}: {e}", path.display()));
            let library = read(&path).map_err(failed)?;
            libraries.push(match unit {
                Some(unit) => library.only_for(unit),
                None => library,
            });
        }
    }
    Ok(libraries)
}

/// Reads a file in any language of definitions; errors in it are printed, and the rest is used.
pub fn read(path: &Path) -> std::io::Result<Library> {
    Ok(of_bytes(path, &crate::input::bytes(path)?))
}

/// The definitions of what was read of a file, as of [`read`].
pub fn of_bytes(path: &Path, bytes: &[u8]) -> Library {
    const SHOWN: usize = 10;
    let (text, undecoded) = decode(bytes);
    let source = Source::new(path, text.into_owned());
    let library = read_definitions(path, &source.text);
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let mut errors = undecoded.iter().chain(library.diagnostics()).filter(is_error);
    for diagnostic in errors.by_ref().take(SHOWN) {
        _ = write!(show::stderr(), "{}", source.drawn(diagnostic));
    }
    match errors.count() {
        0 => {}
        more => {
            _ = writeln!(
                show::stderr(),
                "{more} more errors: counterpoint check {}",
                path.display()
            );
        }
    }
    library
}
