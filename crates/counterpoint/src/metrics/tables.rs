//! The metrics that are built in.

use counterpoint_definitions::Library;

pub(crate) fn libraries() -> Vec<Library> {
    Vec::new()
}
