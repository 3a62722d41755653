//! Findings in a catalog or a buffer.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::page0::Section;

/// One finding in a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// The part of the catalog.
    pub section: Section,
    /// The index of the record, if the finding is about one.
    pub index: Option<usize>,
    /// The offset in the file, in bytes.
    pub offset: usize,
    /// The field of the record.
    pub field: &'static str,
    /// One sentence without a period.
    pub message: String,
}

impl Diagnostic {
    /// A finding with the severity of its code.
    pub fn new(
        code: Code,
        section: Section,
        index: impl Into<Option<usize>>,
        offset: usize,
        field: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: code.severity(),
            code,
            section,
            index: index.into(),
            offset,
            field,
            message: message.into(),
        }
    }

    /// Advice on what to write or do instead.
    pub fn help(&self) -> &'static str {
        self.code.help()
    }
}

impl From<DecodeError> for Diagnostic {
    fn from(error: DecodeError) -> Diagnostic {
        let code = Code::of(&error.kind);
        let message = error.kind.to_string();
        Diagnostic::new(code, error.section, error.index, error.offset, error.field, message)
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Correct, but perhaps not what the reader expects.
    Info,
    /// Readable, but perhaps not as intended.
    Warning,
    /// Unreadable.
    Error,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $what:literal $help:literal)*) => {
        /// The kind of a finding; its name is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $what] $code,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$code),*];

            /// The stable name, such as `record-too-short`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name),* }
            }

            /// The severity of findings of this kind.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }

            /// Advice on what to write or do instead.
            pub fn help(self) -> &'static str {
                match self { $(Code::$code => $help),* }
            }
        }
    };
}

codes! {
    NoPage0 "no-page-0" Error "The file is shorter than page 0."
        "copy the catalog again: a catalog has at least 4096 bytes"
    Descriptor "descriptor" Error "The file does not begin with `24x7`."
        "make sure that this is a 24x7 catalog, written big-endian"
    OverlapsPage0 "overlaps-page-0" Error "A section begins in page 0."
        "write the number of the section's first page, 1 or more"
    CountWithoutLength "count-without-length" Error "A section without a length has a record count."
        "write the section's length in pages, or 0 records"
    SectionPastEnd "section-past-end" Error "A section extends past the end of the file."
        "copy the whole catalog, or correct the section's offset and length"
    PastStatedLength "past-stated-length" Error "A section extends past the length that page 0 states."
        "write the length of the whole catalog in pages; the kernel rejects a catalog whose events lie past it"
    RecordCut "record-cut" Error "A section ends before its last record."
        "correct the section's length or count"
    RecordTooShort "record-too-short" Error "A record's length is less than that of the fixed part."
        "write the full length of the record, including padding; formulas with a 32-bit length are read as format 0.12"
    RecordPastEnd "record-past-end" Error "A record extends past the end of its section."
        "write the full length of the record, including padding"
    TextLength "text-length" Error "A text's length does not include the length field."
        "an empty text has the length 2"
    TextCut "text-cut" Error "A record ends before a text's length."
        "write the length 2 for an empty text; formulas without a unit are read as format 0.16"
    TextPastRecord "text-past-record" Error "A text extends past the end of its record."
        "correct the length of the text or of the record"
    FieldsPastRecord "fields-past-record" Error "A schema has a higher field count than its record can hold."
        "correct the number of fields or the length of the record"
    NoHeader "no-header" Error "A buffer is shorter than its header."
        "the header of a request buffer has 16 bytes, that of a result buffer 32"
    Interface "interface" Error "A buffer has an unknown interface version."
        "the first byte is 1 (POWER8) or 2 (POWER9 and later)"
    PastBuffer "past-buffer" Error "A buffer ends before its last request or result."
        "copy the whole buffer, or correct the number in its header"
    ElementsPastBuffer "elements-past-buffer" Error "The elements of a result extend past the end of the buffer."
        "correct the number of elements, their data size, or the interface version in the header"

    FileLength "file-length" Warning "Page 0 and the file disagree about the length."
        "the length is in pages of 4096 bytes; copy the whole catalog"
    BuildDate "build-date" Warning "The build date is invalid."
        "write fourteen digits, YYYYMMDDHHMMSS, and two NULs"
    Reserved "reserved" Warning "Reserved bytes are not zero."
        "write zeros"
    SectionsOverlap "sections-overlap" Warning "Two sections share bytes."
        "give each section its own pages"
    Tail "tail" Warning "The last record of a section is followed by data."
        "correct the section's count, or fill with zeros"
    UnalignedLength "unaligned-length" Warning "A record's length is not a multiple of 16."
        "pad records with zeros to a multiple of 16 bytes"
    Padding "padding" Warning "A record's padding is not zero."
        "correct the record's length, or pad with zeros"
    NotTerminated "not-terminated" Warning "A text does not end with a NUL."
        "end the text with a NUL and include it in the length"
    AfterTerminator "after-terminator" Warning "The NUL of a text is followed by data."
        "fill the rest of the text with NULs"
    OddLength "odd-length" Warning "A text's length is odd."
        "pad the text with a NUL to an even length"
    NotAscii "not-ascii" Warning "A text is not ASCII."
        "write ASCII only"
    ControlCharacter "control-character" Warning "A text has a control character."
        "remove it, so that the text can be printed"
    EventName "event-name" Warning "The name of an event cannot be the name of a file, or be written in a list of events."
        "use letters, digits and `_ . - +`"
    EmptyName "empty-name" Warning "A record has no name."
        "give it a name"
    DomainOffset "domain-offset" Warning "Page 0 has a wrong offset for the first record of a domain."
        "write the offset in bytes from the start of the section, or 0xffffffff if the domain has no records"
    UnknownDomain "unknown-domain" Warning "A domain is not defined in the document."
        "write 1 (chip), 2 (core) or 3 (thread)"
    DomainSplit "domain-split" Warning "The records of a domain are not contiguous."
        "sort the records by domain: indexes count from the first record of the domain"
    UnalignedOffset "unaligned-offset" Warning "A group record does not begin at a multiple of 8."
        "write a multiple of 8"
    CounterPastRecord "counter-past-record" Warning "A counter lies outside its group record."
        "write the offset of the counter's 8 bytes in the group record"
    UnalignedCounter "unaligned-counter" Warning "A counter is not at a multiple of 8."
        "write a multiple of 8"
    NoPrimaryGroup "no-primary-group" Warning "An event's primary group does not exist."
        "indexes count from the first group of the same domain, or of all, as the catalog's `reading` says"
    NoFormula "no-formula" Warning "An event's formula does not exist."
        "write 0xffff if the event has no formula"
    DuplicateName "duplicate-name" Warning "Two events or two groups have the same name, or a formula has the name of an event."
        "give each a unique name; the kernel appends __1 to that of an event, or rejects it"
    NoSchema "no-schema" Warning "A group's schema does not exist."
        "write the index of one of the schemas"
    RecordShorterThanSchema "record-shorter-than-schema" Warning "A group record is shorter than its schema."
        "write the length that the schema's fields need"
    EventCount "event-count" Warning "A group's number of events is not between 1 and 16."
        "a group has between 1 and 16 events"
    RepeatedEvent "repeated-event" Warning "A group lists an event twice."
        "write 0xffff for a free slot, or lower the event count"
    NoEvent "no-event" Warning "A group lists an event that does not exist."
        "indexes count from the first event of the same domain, or of all, as the catalog's `reading` says; 0xffff is a free slot"
    NoRecord "no-record" Warning "A group lists an event that has no group record."
        "write the length of the group record in the event, or a free slot (0xffff)"
    NotItsCounter "not-its-counter" Warning "An event's counter is not that of its slot, or no field of the schema."
        "slot k of a group belongs to counter k + 1 of the schema in real catalogs"
    LostSlot "lost-slot" Warning "A group has an event after the slots that it counts, and a free slot among those."
        "close the gap, or count the free slot, too"
    NotEverywhere "not-everywhere" Info "A core group lacks an event that the document puts into each of them."
        "list HPM_NON_IDLE_INST at GRS_COUNTER_3 and HPM_NON_IDLE_PCYC at GRS_COUNTER_4"
    VariantDescribed "variant-described" Info "An event that filters or samples another one has a description."
        "describe the event without the suffix"
    NoFields "no-fields" Warning "A schema has no fields."
        "describe the fields of the group record"
    RepeatedField "repeated-field" Warning "A schema has two fields of one kind."
        "give each field its own number; the first of them is used"
    UnknownField "unknown-field" Warning "A field of a schema is not documented."
        "the document defines 1 to 31 and 48 to 54; real catalogs also use 55 and 56"
    EmptyField "empty-field" Warning "The length of a schema's field is 0."
        "write the field's length in bytes"
    OverlappingFields "overlapping-fields" Warning "Two fields of a schema share bytes."
        "correct the offset or the length of the field"
    NoGroup "no-group" Warning "A formula's group does not exist."
        "write the group's index, or clear the flag 0x4 (grouped)"
    FormulaSyntax "formula-syntax" Warning "A formula cannot be computed."
        "write operands before operators, `A B /` for A / B, or infix text with parentheses"
    LeftOver "left-over" Warning "A formula leaves values unused."
        "remove the unused values, or add the missing operator"
    UnknownOperand "unknown-operand" Warning "A formula uses an unknown name."
        "names of events and formulas are case-sensitive; other symbols need a value from the user"
    FormulaCycle "formula-cycle" Warning "A formula uses itself."
        "break the cycle"
    BufferLength "buffer-length" Warning "A buffer is longer than the hypervisor accepts."
        "buffers have at most 4096 bytes; make several calls"
    DataSize "data-size" Warning "A data size is 0 or not a multiple of 8."
        "request 8 bytes for one counter, or the length of a group record"
    ReturnCode "return-code" Warning "The hypervisor reports that the call failed."
        "correct the request that failed; the other requests may have results"
    Incomplete "incomplete" Warning "A result does not contain all elements."
        "call again, with a first index after the last element"
    RepeatedResult "repeated-result" Warning "Two results answer the same request."
        "the numbers of both are read; for the same counter, one is kept"
    RequestNumber "request-number" Warning "A result answers a request that does not exist."
        "pass the request buffer that belongs to these results"
    SizeDiffers "size-differs" Warning "A result does not have the requested data size."
        "pass the request buffer that belongs to these results"
    CatalogVersion "catalog-version" Warning "The results were counted with another catalog."
        "read the machine's catalog again"
    Configuration "configuration" Warning "The machine or a partition was reconfigured between two results."
        "request both results again: counters may have been reset"
    NewElement "new-element" Warning "An element is missing from the earlier results."
        "sums and formulas omit it; request both results for the same chips, cores or virtual CPUs"

    ReadingsDiffer "readings-differ" Info "Indexes have another meaning in the document's interpretation."
        "the catalog does not say it; its `reading` selects one, and the raw number stays beside it"
    States "states" Info "A group lacks a state flag of its events."
        "the flags of a group are those of its event with the worst state"
    NoElements "no-elements" Info "A result has no elements."
        "the domain has no such chip, core or virtual CPU, or access to it is not permitted"
    NotInGroup "not-in-group" Info "A formula is marked as grouped, but its group lacks one of the events."
        "clear the flag 0x4 (grouped), or name the group that has them all"
    More "more" Info "More findings were omitted."
        "correct the reported ones and check again"
}

impl Code {
    fn of(kind: &DecodeErrorKind) -> Code {
        match kind {
            DecodeErrorKind::NoPage0 { .. } => Code::NoPage0,
            DecodeErrorKind::Descriptor(_) => Code::Descriptor,
            DecodeErrorKind::OverlapsPage0 => Code::OverlapsPage0,
            DecodeErrorKind::CountWithoutLength { .. } => Code::CountWithoutLength,
            DecodeErrorKind::SectionPastEnd { .. } => Code::SectionPastEnd,
            DecodeErrorKind::RecordCut { .. } => Code::RecordCut,
            DecodeErrorKind::RecordTooShort { .. } => Code::RecordTooShort,
            DecodeErrorKind::RecordPastEnd { .. } => Code::RecordPastEnd,
            DecodeErrorKind::TextLength { .. } => Code::TextLength,
            DecodeErrorKind::TextCut { .. } => Code::TextCut,
            DecodeErrorKind::TextPastRecord { .. } => Code::TextPastRecord,
            DecodeErrorKind::FieldsPastRecord { .. } => Code::FieldsPastRecord,
        }
    }
}

/// A list of findings with a limit, so that a broken file does not fill the memory; findings over the limit are only counted.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    more: usize,
}

impl Findings {
    const LIMIT: usize = 128;

    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= Self::LIMIT
    }

    /// Adds the result of `finding`, or only counts it.
    pub(crate) fn add<D: Into<Diagnostic>>(&mut self, finding: impl FnOnce() -> D) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.list.push(finding().into());
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let message = format!("{} more findings are not shown", self.more);
            self.list.push(Diagnostic::new(Code::More, Section::Page0, None, 0, "", message));
        }
        self.list
    }
}
