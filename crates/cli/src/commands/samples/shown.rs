//! The presentation of a result.

use super::format::Format;
use super::keys::Key;
use super::origin::Origin;
use super::ranks::Ranks;
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
    /// The ranks of the samples, if they are of several recordings.
    pub ranks: Option<&'a Ranks<'a>>,
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
            ranks: None,
            debug_directory: debug.directory(),
        }
    }

    /// The rank of a process, as far as it is known.
    pub fn rank(&self, pid: Option<u32>) -> Option<u32> {
        match self.ranks {
            Some(ranks) => ranks.of(pid?)?.number,
            None => self.origin.process.rank.and_then(|rank| rank.try_into().ok()),
        }
    }

    /// The node of a process, as far as it is known.
    pub fn node(&self, pid: Option<u32>) -> Option<&str> {
        match self.ranks {
            Some(ranks) => ranks.of(pid?)?.node.as_deref(),
            None => self.origin.process.host.as_deref(),
        }
    }

    /// The id that a process or thread had on its machine.
    pub fn own_id(&self, id: u32) -> u32 {
        self.ranks.map_or(id, |ranks| ranks.own_id(id))
    }
}
