//! What is shown of a recording, and how.

use crate::commands::samples::TableArgs;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use std::path::Path;

/// What is shown of the recording, and how.
pub struct About<'a> {
    /// The name of the file, or of the command.
    pub title: String,
    /// The name of the file in errors.
    pub name: String,
    pub filters: &'a FilterArgs,
    pub table: TableArgs,
    pub debug_directory: &'a Path,
    /// When the recording began, and on which machine; without, the file says it.
    pub origin: Option<Origin>,
}
