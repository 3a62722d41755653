//! Without the feature `definitions` there are no definitions of presets.

use counterpoint_definitions::{Library, Origin};

/// The library of presets for a PMU of the tables: none.
pub fn library(_pmu: &str) -> Option<Library> {
    None
}

/// The presets that use the kernel's own events: none.
pub fn kernel_library() -> Library {
    Library::builder(Origin::BuiltIn).finish(Vec::new())
}

/// The PMUs for which presets are defined: none.
pub fn pmus() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
