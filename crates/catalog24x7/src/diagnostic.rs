use crate::error::{DecodeError, DecodeErrorKind};
use crate::page0::Section;

/// One finding in a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which finding it is.
    pub code: Code,
    /// The part of the catalog.
    pub section: Section,
    /// The record, counted from 0, if it is about one.
    pub index: Option<usize>,
    /// The byte of the file it is about.
    pub offset: usize,
    /// The field of the record.
    pub field: &'static str,
    /// One sentence without a full stop.
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

    /// What to write or do instead.
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

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong, but the reader may not expect it.
    Info,
    /// It is read, perhaps not as it was meant.
    Warning,
    /// It cannot be read.
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
        /// What kind of finding it is; the name is stable.
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

            /// How bad such a finding is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }

            /// What to write or do instead.
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
        "write the page where the section begins, 1 or more"
    CountWithoutLength "count-without-length" Error "A section without length is said to have records."
        "write the section's length in pages, or 0 records"
    SectionPastEnd "section-past-end" Error "A section ends behind the file."
        "copy the whole catalog, or correct the section's offset and length"
    RecordCut "record-cut" Error "The section ends before all counted records are there."
        "correct the section's length or count"
    RecordTooShort "record-too-short" Error "A record's length is less than what every record has."
        "write the record's whole length, padding included; formulas with a 32-bit length are read as format 0.12"
    RecordPastEnd "record-past-end" Error "A record's length leads out of its section."
        "write the record's whole length, padding included"
    TextLength "text-length" Error "A text's length does not count itself."
        "an empty text has the length 2"
    TextCut "text-cut" Error "A record ends before a text's length."
        "write the length 2 for an empty text; formulas without a unit are read as format 0.16"
    TextPastRecord "text-past-record" Error "A text leads out of its record."
        "correct the length of the text or of the record"
    FieldsPastRecord "fields-past-record" Error "A schema counts more fields than its record has."
        "correct the number of fields or the length of the record"
    NoHeader "no-header" Error "A buffer is shorter than its header."
        "a buffer of requests begins with 16 bytes, one of results with 32"
    Interface "interface" Error "A buffer is of an interface that is not known."
        "the first byte is 1 (POWER8) or 2 (POWER9 and later)"
    PastBuffer "past-buffer" Error "A buffer ends before all requests or results are there."
        "copy the whole buffer, or correct the number in its header"
    ElementsPastBuffer "elements-past-buffer" Error "The elements of a result lead out of the buffer."
        "correct the number of elements, their data size, or the interface version in the header"

    FileLength "file-length" Warning "Page 0 and the file disagree about the length."
        "the length counts pages of 4096 bytes; copy the whole catalog"
    BuildDate "build-date" Warning "The build date is no date."
        "write fourteen digits, YYYYMMDDHHMMSS, and two NULs"
    Reserved "reserved" Warning "Reserved bytes are not zero."
        "write zeros"
    SectionsOverlap "sections-overlap" Warning "Two sections share bytes."
        "give each section pages of its own"
    Tail "tail" Warning "There is something behind the last record of a section."
        "correct the section's count, or fill with zeros"
    UnalignedLength "unaligned-length" Warning "A record's length is no multiple of 16."
        "pad records with zeros to a multiple of 16 bytes"
    Padding "padding" Warning "A record's padding is not zero."
        "correct the record's length, or pad with zeros"
    NotTerminated "not-terminated" Warning "A text has no NUL at its end."
        "end the text with a NUL and count it"
    AfterTerminator "after-terminator" Warning "There is something behind a text's NUL."
        "fill with NULs behind the text"
    OddLength "odd-length" Warning "A text's length is odd."
        "pad the text with a NUL to an even length"
    NotAscii "not-ascii" Warning "A text is not ASCII."
        "write ASCII only"
    EmptyName "empty-name" Warning "A record has no name."
        "give it a name"
    DomainOffset "domain-offset" Warning "Page 0 misses the first record of a domain."
        "write the bytes from the begin of the section, 0xffffffff where the domain has no records"
    UnknownDomain "unknown-domain" Warning "A domain is not in the document."
        "write 1 (chip), 2 (core) or 3 (thread)"
    DomainSplit "domain-split" Warning "The records of a domain do not stand together."
        "sort the records by domain: indexes count from the first record of the domain"
    UnalignedOffset "unaligned-offset" Warning "A group record does not begin at a multiple of 8."
        "write a multiple of 8"
    CounterPastRecord "counter-past-record" Warning "A counter is not within its group record."
        "write where in the group record the 8 bytes of the counter are"
    UnalignedCounter "unaligned-counter" Warning "A counter is not at a multiple of 8."
        "write a multiple of 8"
    NoPrimaryGroup "no-primary-group" Warning "An event's primary group does not exist."
        "indexes count from the first group of the same domain"
    NoFormula "no-formula" Warning "An event's formula does not exist."
        "write 0xffff where the event has no formula"
    DuplicateName "duplicate-name" Warning "Two events have one name, or a formula has that of an event."
        "give each event a name of its own; the kernel appends __1 or refuses"
    NoSchema "no-schema" Warning "A group's schema does not exist."
        "write the index of one of the schemas"
    RecordShorterThanSchema "record-shorter-than-schema" Warning "A group record is shorter than its schema."
        "write the length that the fields of the schema need"
    EventCount "event-count" Warning "A group's number of events is not between 1 and 16."
        "a group has between 1 and 16 events"
    RepeatedEvent "repeated-event" Warning "A group lists an event twice."
        "write 0xffff for a free slot, or lower the event count"
    NoEvent "no-event" Warning "A group lists an event that does not exist."
        "indexes count from the first event of the same domain; 0xffff is a free slot"
    NotItsCounter "not-its-counter" Warning "An event is not at the counter of its slot."
        "slot k of a group is the event of the schema's counter k + 1"
    UnknownField "unknown-field" Warning "The document does not name this field of a schema."
        "the document names 1 to 31 and 48 to 54; real catalogs have 55 and 56 as well"
    EmptyField "empty-field" Warning "A field of a schema has no length."
        "write the field's length in bytes"
    OverlappingFields "overlapping-fields" Warning "Two fields of a schema share bytes."
        "correct the offset or the length of the field"
    NoGroup "no-group" Warning "A formula's group does not exist."
        "write the group's index, or clear the flag 0x4 (grouped)"
    FormulaSyntax "formula-syntax" Warning "A formula cannot be computed."
        "write operands before operators, `A B /` for A / B, or infix text with parentheses"
    LeftOver "left-over" Warning "A formula leaves values unused."
        "remove what is not used, or add the missing operator"
    UnknownOperand "unknown-operand" Warning "A formula uses a name that nothing has."
        "names of events and formulas are case-sensitive; other symbols need a value from the user"
    FormulaCycle "formula-cycle" Warning "A formula uses itself."
        "break the circle"
    BufferLength "buffer-length" Warning "A buffer is longer than the hypervisor takes."
        "buffers have at most 4096 bytes; make several calls"
    DataSize "data-size" Warning "A data size is 0, or no multiple of 8."
        "ask for 8 bytes for one counter, or the length of a group record"
    ReturnCode "return-code" Warning "The hypervisor reports that the call failed."
        "correct the request that it names; results of the others may be there"
    Incomplete "incomplete" Warning "A result does not hold all elements."
        "call again, with a first index behind the last element"
    RepeatedResult "repeated-result" Warning "Two results answer one request."
        "the numbers of both are read; of the same counter one is kept"
    RequestNumber "request-number" Warning "A result answers a request that was not made."
        "give the buffer of the requests that belongs to these results"
    SizeDiffers "size-differs" Warning "A result has another data size than was asked for."
        "give the buffer of the requests that belongs to these results"
    CatalogVersion "catalog-version" Warning "The results were counted by another catalog."
        "read the catalog of the machine anew"
    Configuration "configuration" Warning "The machine or a partition was configured anew between two results."
        "take both results anew: counters may have begun again"
    NewElement "new-element" Warning "The earlier results lack an element."
        "sums and formulas leave it out; take both results on the same chips, cores or virtual CPUs"

    ReadingsDiffer "readings-differ" Info "Indexes mean something else in the document's reading."
        "indexes are resolved from the first record of their domain, as real catalogs have them; the raw number stands beside it"
    States "states" Info "A group lacks a state flag of its events."
        "the flags of a group are those of its worst event"
    NoElements "no-elements" Info "A result has no element."
        "the domain has no such chip, core or virtual CPU, or it may not be seen"
    NotInGroup "not-in-group" Info "A formula is said to be of one group, which lacks one of its events."
        "clear the flag 0x4 (grouped), or name the group that has them all"
    More "more" Info "There are more findings."
        "correct these and check again"
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

/// Findings up to a limit, so that a broken file does not fill the memory; what is too much is counted.
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

    /// Adds what `finding` makes, or counts it.
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
