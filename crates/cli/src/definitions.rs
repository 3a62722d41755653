//! Files of event definitions that are counted by.

use crate::failure::Failure;
use crate::finding::Source;
use crate::metrics;
use crate::show;
use counterpoint::definitions::papi::decode;
use counterpoint::definitions::{Diagnostic, Library, Severity};
use counterpoint::{EventSet, Machine, read_definitions};
use std::io::Write;
use std::path::{Path, PathBuf};

// Names of the user's own.
#[derive(clap::Args)]
pub struct DefinitionArgs {
    /// Read definitions of events or metrics from FILE, or metrics from the files of DIR that are for this processor, in addition to those of PAPI_USER_EVENTS_FILE and COUNTERPOINT_EVENTS; of several definitions of a name, the last is used
    #[arg(short = 'f', long = "definitions", value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,
}

impl DefinitionArgs {
    /// The set with the definitions of the files, as [`DefinitionArgs::libraries`] reads them.
    pub fn define(&self, set: EventSet) -> Result<EventSet, Failure> {
        Ok(self.libraries(set.machine())?.into_iter().fold(set, EventSet::define))
    }

    /// Reads the definition files, and the files of directories that are for the processor of a machine; errors in them
    /// are printed, and the rest is used.
    ///
    /// A file of `-f` that cannot be read ends the command; one of the environment is reported and left out.
    pub fn libraries(&self, machine: &Machine) -> Result<Vec<Library>, Failure> {
        let mut libraries = Vec::new();
        for variable in VARIABLES {
            let value = std::env::var_os(variable).unwrap_or_default();
            for path in std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()) {
                match read(&path) {
                    Ok(library) => libraries.push(library),
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
        libraries.extend(metrics::libraries(&self.files, machine)?);
        Ok(libraries)
    }
}

/// Reads a file in any language of definitions; errors in it are printed, and the rest is used.
pub fn read(path: &Path) -> std::io::Result<Library> {
    const SHOWN: usize = 10;
    let bytes = crate::input::bytes(path)?;
    let (text, undecoded) = decode(&bytes);
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
    Ok(library)
}

/// The variables that name files of definitions, several separated by `:`; the first is PAPI's.
///
/// A later file hides definitions of an earlier one, and a file of `-f` those of both variables.
const VARIABLES: [&str; 2] = ["PAPI_USER_EVENTS_FILE", "COUNTERPOINT_EVENTS"];
