//! Reads the files of presets when they are first needed.

use super::files::{self, File};
use counterpoint_definitions::{Library, Origin, papi};
use std::sync::{LazyLock, OnceLock};

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
