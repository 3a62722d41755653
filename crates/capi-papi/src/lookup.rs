//! Events of all kinds by their names.

use std::ffi::c_int;

use crate::codes::Failed;
use crate::library::Library;
use crate::natives;

/// The code of an event by its name.
pub(crate) fn event_code(library: &Library, name: &str) -> Result<c_int, Failed> {
    let named = library.presets().code(name);
    named.map_or_else(|| natives::by_name(library, name).map(|native| native.code), Ok)
}
