use crate::page0::Section;
use std::fmt;

/// Why something in a catalog cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}, byte {offset:#x}, {field}: {kind}", Place(.section, .index))]
pub struct DecodeError {
    /// The part of the catalog.
    pub section: Section,
    /// The record, counted from 0, if it is about one.
    pub index: Option<usize>,
    /// The byte of the file.
    pub offset: usize,
    /// The field of the record.
    pub field: &'static str,
    /// What is wrong.
    pub kind: DecodeErrorKind,
}

/// What is wrong where something cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The file is shorter than page 0.
    #[error("the file has {found} bytes, page 0 needs 4096")]
    NoPage0 {
        /// The length of the file.
        found: usize,
    },
    /// The file does not begin with `24x7`.
    #[error("the descriptor is \"{}\", expected \"24x7\"", .0.escape_ascii())]
    Descriptor([u8; 4]),
    /// A section begins in page 0.
    #[error("the section is said to begin at page 0, where page 0 is")]
    OverlapsPage0,
    /// A section without length is said to have records.
    #[error("{count} records are counted in a section without length")]
    CountWithoutLength {
        /// The number of records.
        count: u16,
    },
    /// A section ends behind the file.
    #[error("the section {start:#x}..{end:#x} runs past the end of the file at {size:#x}")]
    SectionPastEnd {
        /// Where the section begins.
        start: usize,
        /// Where it should end.
        end: usize,
        /// Where the file ends.
        size: usize,
    },
    /// The section ends where a counted record begins, or within what every record has.
    #[error("the section ends at {end:#x}, before the fixed part ({needed} bytes) of record {} of {count}", .index + 1)]
    RecordCut {
        /// The record.
        index: usize,
        /// The number of records the section should have.
        count: usize,
        /// Where the section ends.
        end: usize,
        /// The length of the fixed part.
        needed: usize,
    },
    /// A record's length is less than what every record has.
    #[error("the record's length is {length}, its fixed part has {needed} bytes")]
    RecordTooShort {
        /// The record's length.
        length: usize,
        /// The length of the fixed part.
        needed: usize,
    },
    /// A record's length leads out of its section.
    #[error("the record's length {length} runs past the end of the section at {end:#x}")]
    RecordPastEnd {
        /// The record's length.
        length: usize,
        /// Where the section ends.
        end: usize,
    },
    /// A text's length does not even count itself.
    #[error("the text's length is {length}, which must count its own 2 bytes")]
    TextLength {
        /// The text's length.
        length: u16,
    },
    /// A record ends before a text's length.
    #[error("the record ends at {end:#x}, before the length of this text")]
    TextCut {
        /// Where the record ends.
        end: usize,
    },
    /// A text's length leads out of its record.
    #[error("the text's length {length} runs past the end of the record at {end:#x}")]
    TextPastRecord {
        /// The text's length.
        length: u16,
        /// Where the record ends.
        end: usize,
    },
    /// A schema counts more fields than its record has.
    #[error("field {index} of {count} runs past the end of the record at {end:#x}")]
    FieldsPastRecord {
        /// The first field that is not there.
        index: usize,
        /// The number of fields.
        count: u16,
        /// Where the record ends.
        end: usize,
    },
}

/// Why a catalog or a buffer cannot be written, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {kind}", Place(.section, .index))]
pub struct EncodeError {
    /// The part of the catalog.
    pub section: Section,
    /// The record, counted from 0, if it is about one.
    pub index: Option<usize>,
    /// What is wrong.
    pub kind: EncodeErrorKind,
}

/// What is wrong where something cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// A record has more in it than its length says.
    #[error("the record's length is {length}, it holds {needed} bytes")]
    RecordTooShort {
        /// The record's length.
        length: usize,
        /// The bytes in it.
        needed: usize,
    },
    /// A record is too long for its length field, or one of its texts is.
    #[error("{length} bytes are more than a length field can say")]
    TooLong {
        /// The length.
        length: usize,
    },
    /// A text stands behind one that is missing.
    #[error("a text is missing before another one")]
    MissingText,
    /// There are more records than page 0 counts.
    #[error(
        "page 0 counts {count} records, there are {records}: build the catalog anew with CatalogBuilder"
    )]
    Count {
        /// What page 0 says.
        count: usize,
        /// The number of records.
        records: usize,
    },
    /// The records of a section do not fit where page 0 puts it, or requests into their buffer.
    #[error(
        "the records need the bytes up to {needed:#x}, there are {size:#x}: build the catalog anew with CatalogBuilder, or make fewer requests"
    )]
    NoRoom {
        /// Where the records would end.
        needed: usize,
        /// Where the section ends.
        size: usize,
    },
    /// There are more records or pages than page 0 can say.
    #[error("{count} are more than page 0 can say")]
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
