//! Files of event definitions that are counted by.

use crate::failure::Failure;
use crate::finding::Source;
use crate::show;
use counterpoint::definitions::{Diagnostic, Severity, decode, parse};
use std::io::Write;
use std::path::{Path, PathBuf};

// Names of the user's own.
#[derive(clap::Args)]
pub struct DefinitionArgs {
    /// Read event definitions from FILE, in addition to those of COUNTERPOINT_EVENTS and PAPI_USER_EVENTS_FILE
    #[arg(short = 'f', long = "definitions", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

impl DefinitionArgs {
    /// Reads the definition files; errors in them are printed, and the rest is used.
    ///
    /// A file of `-f` that cannot be read ends the command; one of the environment is reported and left out.
    pub fn texts(&self) -> Result<Vec<String>, Failure> {
        let mut texts = Vec::new();
        for variable in VARIABLES {
            let value = std::env::var_os(variable).unwrap_or_default();
            for path in std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()) {
                match read(&path) {
                    Ok(text) => texts.push(text),
                    Err(error) => {
                        _ = writeln!(
                            show::stderr(),
                            "counterpoint: {variable} names {}: {error}",
                            path.display()
                        )
                    }
                }
            }
        }
        for path in &self.files {
            texts.push(read(path).map_err(|e| Failure::new(format!("{}: {e}", path.display())))?);
        }
        Ok(texts)
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    const SHOWN: usize = 10;
    let bytes = crate::input::bytes(path)?;
    let (text, undecoded) = decode(&bytes);
    let source = Source::new(path, text.into_owned());
    let diagnostics = parse(&source.text).diagnostics;
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let mut errors = undecoded.iter().chain(&diagnostics).filter(is_error);
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
    Ok(source.text)
}

/// The variables that name files of definitions, several separated by `:`; the second is PAPI's.
const VARIABLES: [&str; 2] = ["COUNTERPOINT_EVENTS", "PAPI_USER_EVENTS_FILE"];
