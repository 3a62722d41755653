//! A catalog in memory, with all that its file contains.

use crate::diagnostic::Diagnostic;
use crate::page0::{Page0, Section};
use crate::records::{Event, Formula, Group};
use crate::schema::Schema;

/// A catalog with everything that its file contains.
///
/// `decode` keeps everything, including damaged parts, so that [`Catalog::encode`] writes the same bytes again.
/// [`CatalogBuilder`](crate::CatalogBuilder) builds a catalog from records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// Page 0.
    pub page0: Page0,
    /// The schemas.
    pub schemas: Vec<Schema>,
    /// The events.
    pub events: Vec<Event>,
    /// The groups.
    pub groups: Vec<Group>,
    /// The formulas.
    pub formulas: Vec<Formula>,
    /// The record that indexes count from; `None` to see it from the events' own offsets.
    pub reading: Option<Reading>,
    pub(crate) outside: Vec<Stretch>,
    pub(crate) size: usize,
    pub(crate) format: FormatVersion,
}

/// From where the indexes of events and groups count; a catalog does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// From the first record of the same domain, as in real catalogs; a core event's primary group is the number of the hardware group.
    Domain,
    /// From the first record of all, as the document says.
    Document,
}

/// Bytes of the file that are not part of any record and are not all zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) offset: usize,
    pub(crate) bytes: Box<[u8]>,
}

/// The result of [`Catalog::decode`]: the readable parts and the errors found.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The parts that could be read; `None` if the file is shorter than page 0.
    pub catalog: Option<Catalog>,
    /// The errors: at most 128 findings, and one that counts any others; [`check`](crate::check()) finds more.
    pub diagnostics: Vec<Diagnostic>,
}

/// The format version of the formulas in a catalog; the file itself determines everything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatVersion {
    /// Formulas have a 32-bit length and no unit.
    V0_12,
    /// Formulas have no unit.
    V0_16,
    /// The current version of the document.
    #[default]
    V0_17,
}

impl FormatVersion {
    pub(crate) fn has_unit(self) -> bool {
        self == FormatVersion::V0_17
    }
}

impl Catalog {
    /// The length of the file in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The version of the format of the formulas.
    pub fn format(&self) -> FormatVersion {
        self.format
    }

    /// The offset of each record of a section in the file, in bytes, followed by the end of the last record.
    pub fn offsets(&self, section: Section) -> Vec<usize> {
        let Some(range) = self.page0.range(section, self.size) else { return vec![0] };
        let mut at = range.start;
        let mut offsets = Vec::with_capacity(self.len(section) + 1);
        offsets.push(at);
        offsets.extend(self.lengths(section).map(|length| {
            at += length;
            at
        }));
        offsets
    }

    /// The number of records in a section.
    pub fn len(&self, section: Section) -> usize {
        match section {
            Section::Page0 | Section::Request | Section::Result => 0,
            Section::Schema => self.schemas.len(),
            Section::Event => self.events.len(),
            Section::Group => self.groups.len(),
            Section::Formula => self.formulas.len(),
        }
    }

    /// Returns true if the catalog has no records.
    pub fn is_empty(&self) -> bool {
        Section::OF_RECORDS.iter().all(|section| self.len(*section) == 0)
    }

    pub(crate) fn lengths(&self, section: Section) -> Box<dyn Iterator<Item = usize> + '_> {
        match section {
            Section::Page0 | Section::Request | Section::Result => Box::new(std::iter::empty()),
            Section::Schema => Box::new(self.schemas.iter().map(|r| usize::from(r.length))),
            Section::Event => Box::new(self.events.iter().map(|r| usize::from(r.length))),
            Section::Group => Box::new(self.groups.iter().map(|r| usize::from(r.length))),
            Section::Formula => Box::new(self.formulas.iter().map(|r| r.length as usize)),
        }
    }
}
