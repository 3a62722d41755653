//! Errors in reading and writing catalogs and buffers.

use crate::page0::Section;
use std::fmt;

/// An error in reading a catalog, and where it is.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}, byte {offset:#x}, {field}: {kind}", Place(.section, .index))]
pub struct DecodeError {
    /// The part of the catalog.
    pub section: Section,
    /// The index of the record, if the error is about one.
    pub index: Option<usize>,
    /// The offset in the file, in bytes.
    pub offset: usize,
    /// The field of the record.
    pub field: &'static str,
    /// The kind of error.
    pub kind: DecodeErrorKind,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("DecodeError")
                .field("section", &self.section)
                .field("index", &self.index)
                .field("offset", &self.offset)
                .field("field", &self.field)
                .field("kind", &self.kind)
                .finish();
        }
        fmt::Display::fmt(self, f)
    }
}

/// The kind of an error in reading.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The file is shorter than page 0.
    #[error("the file has {found} bytes, but page 0 needs 4096")]
    NoPage0 {
        /// The length of the file.
        found: usize,
    },
    /// The file does not begin with `24x7`.
    #[error("the descriptor is \"{}\", expected \"24x7\"", .0.escape_ascii())]
    Descriptor([u8; 4]),
    /// A section begins in page 0.
    #[error("the section's first page is 0, which is reserved for page 0")]
    OverlapsPage0,
    /// A section without a length has a record count.
    #[error("the section has {count} records, but no length")]
    CountWithoutLength {
        /// The number of records.
        count: u16,
    },
    /// A section extends past the end of the file.
    #[error("the section {start:#x}..{end:#x} runs past the end of the file at {size:#x}")]
    SectionPastEnd {
        /// The start of the section.
        start: usize,
        /// The end of the section according to page 0.
        end: usize,
        /// The end of the file.
        size: usize,
    },
    /// The section ends at or within the fixed part of a record.
    #[error("the section ends at {end:#x}, before the fixed part ({needed} bytes) of record {} of {count}", .index + 1)]
    RecordCut {
        /// The index of the record.
        index: usize,
        /// The number of records according to page 0.
        count: usize,
        /// The end of the section.
        end: usize,
        /// The length of the fixed part.
        needed: usize,
    },
    /// A record's length is less than that of the fixed part.
    #[error("the record's length is {length}, but its fixed part has {needed} bytes")]
    RecordTooShort {
        /// The record's length.
        length: usize,
        /// The length of the fixed part.
        needed: usize,
    },
    /// A record extends past the end of its section.
    #[error("the record's length {length} runs past the end of the section at {end:#x}")]
    RecordPastEnd {
        /// The record's length.
        length: usize,
        /// The end of the section.
        end: usize,
    },
    /// A text's length does not include the length field.
    #[error("the text's length is {length}, but it must include the 2 bytes of the length field")]
    TextLength {
        /// The text's length.
        length: u16,
    },
    /// A record ends before the length field of a text.
    #[error("the record ends at {end:#x}, before the length field of this text")]
    TextCut {
        /// The end of the record.
        end: usize,
    },
    /// A text extends past the end of its record.
    #[error("the text's length {length} runs past the end of the record at {end:#x}")]
    TextPastRecord {
        /// The text's length.
        length: u16,
        /// The end of the record.
        end: usize,
    },
    /// A schema has a higher field count than its record can hold.
    #[error("field {index} of {count} runs past the end of the record at {end:#x}")]
    FieldsPastRecord {
        /// The index of the first missing field.
        index: usize,
        /// The number of fields.
        count: u16,
        /// The end of the record.
        end: usize,
    },
}

/// An error in writing a catalog or a buffer, and where it is.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {kind}", Place(.section, .index))]
pub struct EncodeError {
    /// The part of the catalog.
    pub section: Section,
    /// The index of the record, if the error is about one.
    pub index: Option<usize>,
    /// The kind of error.
    pub kind: EncodeErrorKind,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("EncodeError")
                .field("section", &self.section)
                .field("index", &self.index)
                .field("kind", &self.kind)
                .finish();
        }
        fmt::Display::fmt(self, f)
    }
}

/// The kind of an error in writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The contents of a record are longer than its length.
    #[error("the record's length is {length}, but its contents have {needed} bytes")]
    RecordTooShort {
        /// The record's length.
        length: usize,
        /// The length of its contents.
        needed: usize,
    },
    /// A record, or one of its texts, is too long for its length field.
    #[error("{length} bytes do not fit a length field")]
    TooLong {
        /// The length.
        length: usize,
    },
    /// A text follows a missing one.
    #[error("a text is missing, but a later one is present")]
    MissingText,
    /// The catalog has more records than page 0 has counted.
    #[error(
        "the catalog has {records} records, but page 0 counts {count}: rebuild the catalog with CatalogBuilder"
    )]
    Count {
        /// The number of records according to page 0.
        count: usize,
        /// The number of records.
        records: usize,
    },
    /// The records of a section do not fit the section, or requests do not fit their buffer.
    #[error(
        "the records end at {needed:#x}, past the end at {size:#x}: rebuild the catalog with CatalogBuilder, or make fewer requests"
    )]
    NoRoom {
        /// The end of the records.
        needed: usize,
        /// The end of the section.
        size: usize,
    },
    /// The number of records or pages does not fit its field in page 0.
    #[error("{count} does not fit the field of page 0")]
    TooMany {
        /// The number of records or pages.
        count: usize,
    },
}

struct Place<'a>(&'a Section, &'a Option<usize>);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(index) => write!(f, "{} {index}", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}
