//! The languages in which definitions can be written.

use std::fmt;
use std::path::Path;

use crate::library::Library;
use crate::model::Origin;

/// A language of definitions.
#[derive(Clone, Copy)]
pub struct Syntax {
    /// The name of the language.
    pub name: &'static str,
    /// Returns true if a file is written in this language, judged by its path and its text.
    pub accepts: fn(&Path, &str) -> bool,
    /// Reads a text into a library.
    pub read: fn(&str, Origin) -> Library,
}

impl fmt::Debug for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syntax").field("name", &self.name).finish_non_exhaustive()
    }
}
