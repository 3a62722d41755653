//! PAPI's presets: names with the same meaning on every processor, and their definitions for each.
//!
//! The definitions are written for this crate, as event-definition files in `presets/`; every term is an event of the tables,
//! or one of the PMU by its vendor's name.
//! Without the feature `definitions` presets have names, and no definitions.
//!
//! ```
//! use counterpoint::presets::{self, Preset};
//!
//! let preset = Preset::find("PAPI_L1_DCM").unwrap();
//! assert_eq!(preset.description, "Data not found in the first-level cache");
//! let skx = presets::definitions("skx");
//! let misses = skx.expand(&skx.get(preset.name).unwrap())?;
//! assert_eq!(misses.terms, ["L1D:REPLACEMENT"]);
//! # Ok::<(), counterpoint::definitions::Unavailable>(())
//! ```

#[cfg(feature = "definitions")]
mod files;
mod names;
#[cfg(not(feature = "definitions"))]
mod none;
#[cfg(feature = "definitions")]
mod read;

use counterpoint_definitions::{Definitions, link};

pub use names::Preset;
#[cfg(not(feature = "definitions"))]
pub use none::{kernel_library, library, pmus};
#[cfg(feature = "definitions")]
pub use read::{kernel_library, library, pmus};

/// The definitions of the presets for a PMU of the tables, as far as it has events for them.
pub fn definitions(pmu: &str) -> Definitions {
    link(library(pmu).as_slice(), pmu)
}

#[cfg(all(test, feature = "definitions"))]
mod tests {
    use super::files::{self, File};
    use counterpoint_definitions::papi;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_file_is_listed_with_its_pmus() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
        let mut found = BTreeSet::new();
        for vendor in std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()) {
            for file in std::fs::read_dir(&vendor).into_iter().flatten() {
                let path = file.unwrap().path().with_extension("");
                found.insert(path.strip_prefix(&dir).unwrap().to_str().unwrap().to_string());
            }
        }
        assert_eq!(found, files::ALL.iter().map(|file| file.name.to_string()).collect());
        for File { name, pmus, text } in files::ALL {
            let parse = papi::parse(text);
            let named: Vec<&str> = parse.file.cpus().map(|cpu| cpu.name.text).collect();
            assert_eq!(named, *pmus, "{name}");
        }
    }
}
