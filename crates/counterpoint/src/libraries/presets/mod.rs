//! PAPI's presets: names with the same meaning on every processor, and their definitions for each.
//!
//! The definitions are written for this crate, as event-definition files in `presets/`; every term is an event of the tables.
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

mod files;
mod names;

use crate::libraries::presets::files::File;
use counterpoint_definitions::{Definitions, Library, Origin, link, papi};

pub use names::Preset;
use std::sync::{LazyLock, OnceLock};

/// The definitions of the presets for a PMU of the tables, as far as it has events for them.
pub fn definitions(pmu: &str) -> Definitions {
    link(library(pmu).as_slice(), pmu)
}

/// The library of presets for a PMU of the tables and all similar PMUs; `None` if it has no presets.
pub fn library(pmu: &str) -> Option<Library> {
    let is_named = |file: &&File| file.pmus.iter().any(|name| name.eq_ignore_ascii_case(pmu));
    let place = files::ALL.iter().position(|file| is_named(&file))?;
    let library =
        LIBRARIES[place].get_or_init(|| papi::read(files::ALL[place].text, Origin::Preset));
    Some(library.clone())
}

/// The presets that use the kernel's own events on any processor: for PMUs that are not in the tables, and for presets that the tables lack.
pub fn kernel_library() -> Library {
    static KERNEL: LazyLock<Library> = LazyLock::new(|| papi::read(files::KERNEL, Origin::BuiltIn));
    KERNEL.clone()
}

/// The libraries of the files that have been read, in the order of [`files::ALL`].
static LIBRARIES: [OnceLock<Library>; files::ALL.len()] =
    [const { OnceLock::new() }; files::ALL.len()];

/// The PMUs for which presets are defined.
pub fn pmus() -> impl Iterator<Item = &'static str> {
    files::ALL.iter().flat_map(|file| file.pmus).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
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
