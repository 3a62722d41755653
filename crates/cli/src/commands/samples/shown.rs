//! The presentation of a result.

use super::format::Format;
use super::origin::Origin;
use super::sorted::Key;
use super::views::{DebugArgs, StackViews, TableArgs};
use std::path::Path;

/// The presentation of a result, whether it was just sampled or is in a file.
pub struct Shown<'a> {
    /// The command that was sampled; empty if it was not a command.
    pub title: String,
    pub format: Format,
    pub views: &'a StackViews,
    pub table: TableArgs,
    /// Stacks were copied.
    pub is_dwarf: bool,
    pub is_weighted: bool,
    pub has_regions: bool,
    /// Only samples in the function of this name are shown.
    pub symbol: Option<&'a str>,
    /// Only samples in these files are shown, if there are some.
    pub modules: &'a [String],
    /// With call stacks, the share of functions with those that they called is shown.
    pub has_children: bool,
    /// By what samples are shown in place of functions.
    pub sort: &'a [Key],
    /// The machine, the process and the time of the samples.
    pub origin: Origin,
    pub debug_directory: &'a Path,
}

impl<'a> Shown<'a> {
    /// All samples, with nothing that is special about them.
    pub fn of(
        title: String,
        format: Format,
        views: &'a StackViews,
        debug: &'a DebugArgs,
        origin: Origin,
    ) -> Shown<'a> {
        Shown {
            title,
            format,
            views,
            table: TableArgs::default(),
            is_dwarf: false,
            is_weighted: false,
            has_regions: false,
            symbol: None,
            modules: &[],
            has_children: true,
            sort: &[],
            origin,
            debug_directory: debug.directory(),
        }
    }
}
