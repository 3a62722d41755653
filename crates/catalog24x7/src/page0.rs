//! Page 0 of a catalog: its identity, and the places of its sections.

use std::fmt;
use std::ops::Range;

/// The size of a page, the unit of lengths in page 0.
pub(crate) const PAGE: usize = 4096;

/// Catalog page 0: the identity of the catalog and the positions of its sections ("Catalog Page 0" of the document).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Page0 {
    /// `24x7`.
    pub descriptor: [u8; 4],
    /// The length of the catalog, in pages of 4096 bytes.
    pub length: u32,
    /// The version, which the hypervisor compares on each call.
    pub version: u64,
    /// `YYYYMMDDHHMMSS`, padded with NULs.
    pub build_date: [u8; 16],
    /// Bytes 0x20 to 0x3f.
    pub reserved: [u8; 32],
    /// The position of the schemas.
    pub schema: Extent,
    /// The position of the events.
    pub event: Extent,
    /// The position of the groups.
    pub group: Extent,
    /// The position of the formulas.
    pub formula: Extent,
    /// The positions of the first events of the core, thread and chip domains, in bytes from the start of the events.
    ///
    /// 0xffffffff stands for a domain without records; catalogs before version 0.16 of the document have only zeros here and in the groups ([`Page0::has_domain_offsets`]).
    pub domain_events: [u32; 3],
    /// The positions of the first groups of the core, thread and chip domains, in bytes from the start of the groups.
    pub domain_groups: [u32; 3],
    /// Bytes 0x78 to 0x7f.
    pub reserved_end: [u8; 8],
}

impl Default for Page0 {
    fn default() -> Page0 {
        Page0 {
            descriptor: *b"24x7",
            length: 1,
            version: 0,
            build_date: [0; 16],
            reserved: [0; 32],
            schema: Extent::default(),
            event: Extent::default(),
            group: Extent::default(),
            formula: Extent::default(),
            domain_events: [0; 3],
            domain_groups: [0; 3],
            reserved_end: [0; 8],
        }
    }
}

impl Page0 {
    /// The extent of a section's records; empty for a section without records.
    pub fn extent(&self, section: Section) -> Extent {
        match section {
            Section::Page0 | Section::Request | Section::Result => Extent::default(),
            Section::Schema => self.schema,
            Section::Event => self.event,
            Section::Group => self.group,
            Section::Formula => self.formula,
        }
    }

    /// Returns true if the catalog has the six offsets of the domains: in older catalogs they are all zero.
    pub fn has_domain_offsets(&self) -> bool {
        self.domain_events.iter().chain(&self.domain_groups).any(|offset| *offset != 0)
    }

    /// The build date as text, `YYYYMMDDHHMMSS`, if it is a date.
    pub fn build_date(&self) -> Option<&str> {
        let (digits, rest) = self.build_date.split_at(14);
        let digits = std::str::from_utf8(digits).ok().filter(|_| rest == [0, 0])?;
        let is_within = |part: std::ops::Range<usize>, values: std::ops::RangeInclusive<u16>| {
            let part = digits.get(part).filter(|part| part.bytes().all(|b| b.is_ascii_digit()));
            part.and_then(|part| part.parse().ok()).is_some_and(|part| values.contains(&part))
        };
        let is_date = is_within(0..4, 0..=9999)
            && is_within(4..6, 1..=12)
            && is_within(6..8, 1..=31)
            && is_within(8..10, 0..=23)
            && is_within(10..12, 0..=59)
            && is_within(12..14, 0..=60);
        Some(digits).filter(|_| is_date)
    }

    /// The bytes of a section in a file of `size` bytes; `None` if it begins in page 0, ends past the end of the file, or has no length.
    pub(crate) fn range(&self, section: Section, size: usize) -> Option<Range<usize>> {
        let bytes = self.extent(section).bytes();
        let inside = bytes.start >= PAGE && !bytes.is_empty() && bytes.start < size;
        inside.then(|| bytes.start..bytes.end.min(size))
    }
}

/// The position of a section according to page 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Its first page, of 4096 bytes.
    pub offset: u16,
    /// Its length, in pages.
    pub length: u16,
    /// The number of its records.
    pub count: u16,
    /// The two bytes that follow.
    pub reserved: u16,
}

impl Extent {
    /// The extent as a range of bytes in the file.
    pub fn bytes(self) -> Range<usize> {
        let start = usize::from(self.offset) * PAGE;
        start..start + usize::from(self.length) * PAGE
    }
}

/// A part of a catalog, or a buffer of the hypervisor call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Page 0.
    Page0,
    /// The schemas of group records.
    Schema,
    /// The events.
    Event,
    /// The groups.
    Group,
    /// The formulas.
    Formula,
    /// A buffer of requests, which is not part of a catalog.
    Request,
    /// A buffer of results, which is not part of a catalog.
    Result,
}

impl Section {
    /// The sections that contain records, in the order of page 0.
    pub const OF_RECORDS: [Section; 4] =
        [Section::Schema, Section::Event, Section::Group, Section::Formula];

    /// `page0`, `schema`, `event`, `group`, `formula`, `request` or `result`.
    pub fn name(self) -> &'static str {
        match self {
            Section::Page0 => "page0",
            Section::Schema => "schema",
            Section::Event => "event",
            Section::Group => "group",
            Section::Formula => "formula",
            Section::Request => "request",
            Section::Result => "result",
        }
    }

    /// The position of the section's description in page 0.
    pub(crate) fn entry(self) -> usize {
        match self {
            Section::Page0 | Section::Request | Section::Result => 0,
            Section::Schema => 0x40,
            Section::Event => 0x48,
            Section::Group => 0x50,
            Section::Formula => 0x58,
        }
    }

    /// The length of the fixed part of the section's records, up to and including the length field of the first text.
    pub(crate) fn fixed_part(self) -> usize {
        match self {
            Section::Page0 => 0x80,
            Section::Request | Section::Result => 16,
            Section::Schema => 16,
            Section::Event => 22,
            Section::Group => 50,
            Section::Formula => 18,
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
