//! Files of event definitions that are counted by.

use crate::definition_files::{read, read_all};
use crate::failure::Failure;
use crate::show;
use counterpoint::definitions::Library;
use counterpoint::{EventSet, Machine};
use std::io::Write;
use std::path::PathBuf;

// Names of the user's own.
#[derive(Default, clap::Args)]
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
        libraries.extend(read_all(&self.files, machine)?);
        Ok(libraries)
    }
}

/// The variables that name files of definitions, several separated by `:`; the first is PAPI's.
///
/// A later file hides definitions of an earlier one, and a file of `-f` those of both variables.
const VARIABLES: [&str; 2] = ["PAPI_USER_EVENTS_FILE", "COUNTERPOINT_EVENTS"];
