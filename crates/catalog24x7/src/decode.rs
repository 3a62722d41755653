//! Decodes bytes into an owned catalog.

use crate::catalog::{Catalog, Decoded, FormatVersion, Stretch};
use crate::diagnostic::{Findings, Severity};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::frame::{Frame, Frames, be16, be32};
use crate::page0::{Extent, Page0, Section};
use crate::raw;
use crate::records::{Domain, Event, Formula, Group};
use crate::schema::{Field, FieldKind, Schema};
use crate::text::{Bytes, Text};
use std::ops::Range;

impl Catalog {
    /// Decodes a catalog and keeps everything that could be read; accepts any bytes.
    ///
    /// An unreadable text loses only itself and what follows it in its record; a record with a wrong length ends its section; the other sections are still read.
    /// Time and memory are linear in the number of bytes.
    ///
    /// ```
    /// use counterpoint_catalog24x7::{Catalog, Code};
    ///
    /// let decoded = Catalog::decode(b"24x7");
    /// assert!(decoded.catalog.is_none());
    /// assert_eq!(decoded.diagnostics[0].code, Code::NoPage0);
    /// ```
    pub fn decode(file: &[u8]) -> Decoded {
        Catalog::decode_as(file, FormatVersion::default())
    }

    /// Decodes a catalog whose formulas have the given format version.
    pub fn decode_as(file: &[u8], format: FormatVersion) -> Decoded {
        let mut findings = Findings::default();
        let catalog = read(file, format, &mut |error| findings.add(|| error));
        Decoded { catalog, diagnostics: findings.finish() }
    }

    /// Decodes a catalog, and fails if any part of it is unreadable.
    ///
    /// # Errors
    /// Returns the first part that cannot be read.
    pub fn decode_strict(file: &[u8]) -> Result<Catalog, DecodeError> {
        let mut first = None;
        let catalog = read(file, FormatVersion::default(), &mut |error| {
            first.get_or_insert(error);
        });
        match (first, catalog) {
            (None, Some(catalog)) => Ok(catalog),
            (Some(error), _) => Err(error),
            (None, None) => Err(no_page0(file)),
        }
    }
}

impl Schema {
    /// Decodes one schema outside a catalog, such as a page of schemas that firmware returned; bytes after the record are
    /// left alone, and its length says where the next one begins.
    ///
    /// ```
    /// use counterpoint_catalog24x7::{FieldKind, Schema};
    ///
    /// let mut bytes = vec![0; 24];
    /// bytes[1] = 24; // length
    /// bytes[15] = 1; // number of fields
    /// bytes[16..24].copy_from_slice(&[0, 48, 0, 0, 0, 8, 0, 0]);
    /// let schema = Schema::decode(&bytes)?;
    /// assert_eq!(schema.fields[0].kind, FieldKind::TIMEBASE_UPDATE);
    /// # Ok::<(), counterpoint_catalog24x7::DecodeError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the record or a field of it extends past the end.
    pub fn decode(bytes: &[u8]) -> Result<Schema, DecodeError> {
        let mut error = None;
        let mut keep = |found| _ = error.get_or_insert(found);
        let frame = Frames::single(bytes, Section::Schema).next();
        let schema = schema(&frame.ok_or_else(|| no_page0(bytes))??, &mut keep);
        error.map_or(Ok(schema), Err)
    }
}

impl Decoded {
    /// Returns true if some part could not be read.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

fn read(
    file: &[u8],
    format: FormatVersion,
    errors: &mut dyn FnMut(DecodeError),
) -> Option<Catalog> {
    let page0 = page0(file).map_err(&mut *errors).ok()?;
    if let Err(error) = descriptor(&page0) {
        errors(error);
    }
    let mut covered = Vec::from([PAGE0_FIELDS]);
    let mut reader = Reader { file, page0: &page0, format, errors, covered: &mut covered };
    let schemas = reader.records(Section::Schema, schema);
    // One copy of the sections for all texts takes a fraction of the time of one for each.
    let with_texts = [Section::Event, Section::Group, Section::Formula];
    let ends = with_texts.map(|section| page0.range(section, file.len()).map_or(0, |r| r.end));
    let end = ends.into_iter().max().unwrap_or(0);
    let bytes = Bytes::new(file.get(..end).unwrap_or_default().into());
    let events =
        reader.records(Section::Event, |frame, errors| event(Texts::new(&bytes, frame, errors)));
    let groups =
        reader.records(Section::Group, |frame, errors| group(Texts::new(&bytes, frame, errors)));
    let formulas = reader.records(Section::Formula, |frame, errors| {
        formula(Texts::new(&bytes, frame, errors), format)
    });
    let outside = outside(file, covered);
    let size = file.len();
    Some(Catalog { page0, schemas, events, groups, formulas, reading: None, outside, size, format })
}

/// The part of page 0 that has fields.
const PAGE0_FIELDS: Range<usize> = 0..0x80;

type Errors<'e> = &'e mut dyn FnMut(DecodeError);

struct Reader<'r, 'e> {
    file: &'r [u8],
    page0: &'r Page0,
    format: FormatVersion,
    errors: Errors<'e>,
    /// The bytes that are in records.
    covered: &'r mut Vec<Range<usize>>,
}

impl Reader<'_, '_> {
    fn records<T>(
        &mut self,
        section: Section,
        decode: impl Fn(&Frame<'_>, Errors<'_>) -> T,
    ) -> Vec<T> {
        if let Some(error) = misplaced(self.page0, section, self.file.len()) {
            (self.errors)(error);
        }
        let mut frames = Frames::new(self.file, self.page0, section, self.format);
        let start = frames.at();
        let mut records = Vec::with_capacity(frames.left());
        for frame in frames.by_ref() {
            match frame {
                Ok(frame) => records.push(decode(&frame, self.errors)),
                Err(error) => (self.errors)(error),
            }
        }
        self.covered.push(start..frames.at());
        records
    }
}

fn no_page0(file: &[u8]) -> DecodeError {
    DecodeError {
        section: Section::Page0,
        index: None,
        offset: 0,
        field: "page",
        kind: DecodeErrorKind::NoPage0 { found: file.len() },
    }
}

pub(crate) fn page0(file: &[u8]) -> Result<Page0, DecodeError> {
    let raw: Option<raw::Page0> = file.get(..4096).and_then(raw::read);
    let raw = raw.ok_or_else(|| no_page0(file))?;
    let [schema, event, group, formula] = raw.sections.map(|extent| Extent {
        offset: extent.offset,
        length: extent.length,
        count: extent.count,
        reserved: extent.reserved,
    });
    Ok(Page0 {
        descriptor: raw.descriptor,
        length: raw.length,
        version: raw.version,
        build_date: raw.build_date,
        reserved: raw.reserved,
        schema,
        event,
        group,
        formula,
        domain_events: raw.domain_events,
        domain_groups: raw.domain_groups,
        reserved_end: raw.reserved_end,
    })
}

pub(crate) fn descriptor(page0: &Page0) -> Result<(), DecodeError> {
    if page0.descriptor == *b"24x7" {
        return Ok(());
    }
    let kind = DecodeErrorKind::Descriptor(page0.descriptor);
    Err(DecodeError { section: Section::Page0, index: None, offset: 0, field: "descriptor", kind })
}

/// The error in the position that page 0 gives for a section.
fn misplaced(page0: &Page0, section: Section, size: usize) -> Option<DecodeError> {
    let (extent, bytes) = (page0.extent(section), page0.extent(section).bytes());
    let (at, kind) = if bytes.is_empty() {
        let kind = DecodeErrorKind::CountWithoutLength { count: extent.count };
        (section.entry() + 4, (extent.count > 0).then_some(kind)?)
    } else if extent.offset == 0 {
        (section.entry(), DecodeErrorKind::OverlapsPage0)
    } else if bytes.end > size {
        let kind = DecodeErrorKind::SectionPastEnd { start: bytes.start, end: bytes.end, size };
        (section.entry(), kind)
    } else {
        return None;
    };
    Some(DecodeError {
        section: Section::Page0,
        index: None,
        offset: at,
        field: section.name(),
        kind,
    })
}

fn schema(frame: &Frame<'_>, errors: Errors<'_>) -> Schema {
    let fixed: &[u8; 0x10] = fixed(frame);
    let field_count = be16(fixed, 14);
    let body = frame.bytes.get(16..).unwrap_or_default();
    let count = usize::from(field_count).min(body.len() / 8);
    if count < usize::from(field_count) {
        let end = frame.offset + frame.bytes.len();
        let kind = DecodeErrorKind::FieldsPastRecord { index: count, count: field_count, end };
        errors(frame.error(16 + 8 * count, "fields", kind));
    }
    let [_, _, _, _, _, _, _, _, reserved_end @ .., _, _] = *fixed;
    let fields = body.chunks_exact(8).take(count).map(|field| Field {
        kind: FieldKind(be16(field, 0)),
        offset: be16(field, 2),
        length: be16(field, 4),
        flags: be16(field, 6),
    });
    Schema {
        length: be16(fixed, 0),
        reserved: be16(fixed, 2),
        descriptor: be16(fixed, 4),
        version_id: be16(fixed, 6),
        reserved_end,
        field_count,
        fields: fields.collect(),
        rest: rest(frame, 16 + 8 * count),
    }
}

/// The first bytes of a record, where its numbers are: reading each at its place takes a fraction of the time of a reader that moves on.
#[inline]
fn fixed<'a, const N: usize>(frame: &Frame<'a>) -> &'a [u8; N] {
    // No frame is shorter than the fixed part of its section's records.
    frame.bytes.first_chunk().unwrap_or(&[0; N])
}

fn event(mut texts: Texts<'_, '_>) -> Event {
    let fixed: &[u8; 0x14] = fixed(texts.frame);
    texts.at = fixed.len();
    let name = texts.next("name");
    let description = texts.next("description");
    let detailed_description = texts.next("detailed_description");
    let rest = rest(texts.frame, texts.at);
    Event {
        length: be16(fixed, 0),
        formula_index: be16(fixed, 2),
        domain: Domain(fixed[4]),
        reserved: fixed[5],
        group_record_offset: be16(fixed, 6),
        group_record_length: be16(fixed, 8),
        counter_offset: be16(fixed, 0x0a),
        flags: be32(fixed, 0x0c),
        primary_group_index: be16(fixed, 0x10),
        group_count: be16(fixed, 0x12),
        name: texts.text(name),
        description: texts.text(description),
        detailed_description: texts.text(detailed_description),
        rest,
    }
}

fn group(mut texts: Texts<'_, '_>) -> Group {
    let fixed: &[u8; 0x30] = fixed(texts.frame);
    texts.at = fixed.len();
    let name = texts.next("name");
    let description = texts.next("description");
    let rest = rest(texts.frame, texts.at);
    Group {
        length: be16(fixed, 0),
        reserved: be16(fixed, 2),
        flags: be32(fixed, 4),
        domain: Domain(fixed[8]),
        reserved_end: fixed[9],
        group_record_offset: be16(fixed, 0x0a),
        group_record_length: be16(fixed, 0x0c),
        schema_index: fixed[0x0e],
        event_count: fixed[0x0f],
        event_indexes: std::array::from_fn(|slot| be16(fixed, 0x10 + 2 * slot)),
        name: texts.text(name),
        description: texts.text(description),
        rest,
    }
}

fn formula(mut texts: Texts<'_, '_>, format: FormatVersion) -> Formula {
    let fixed: &[u8; 0x10] = fixed(texts.frame);
    texts.at = fixed.len();
    let name = texts.next("name");
    let description = texts.next("description");
    let formula = texts.next("formula");
    let unit = if format.has_unit() { texts.next("unit") } else { None };
    let rest = rest(texts.frame, texts.at);
    let (length, reserved) = match format {
        FormatVersion::V0_12 => (be32(fixed, 0), 0),
        _ => (be16(fixed, 0).into(), be16(fixed, 2)),
    };
    let [.., a, b, c, d, e, f] = *fixed;
    Formula {
        length,
        reserved,
        flags: be32(fixed, 4),
        group: be16(fixed, 8),
        reserved_end: [a, b, c, d, e, f],
        name: texts.text(name),
        description: texts.text(description),
        formula: texts.text(formula),
        unit: texts.text(unit),
        rest,
    }
}

/// The texts of a record in order, up to the first unreadable one.
struct Texts<'t, 'e> {
    file: &'t Bytes,
    frame: &'t Frame<'t>,
    /// The place in the record where the next one begins.
    at: usize,
    broken: bool,
    errors: Errors<'e>,
}

impl<'t, 'e> Texts<'t, 'e> {
    fn new(file: &'t Bytes, frame: &'t Frame<'t>, errors: Errors<'e>) -> Self {
        Texts { file, frame, at: 0, broken: false, errors }
    }

    /// The place of the next text in the file.
    fn next(&mut self, field: &'static str) -> Option<Range<usize>> {
        if self.broken {
            return None;
        }
        match self.frame.text(self.at, field) {
            Ok(raw) => {
                let start = self.frame.offset + self.at + 2;
                self.at += 2 + raw.len();
                Some(start..start + raw.len())
            }
            Err(error) => {
                self.broken = true;
                (self.errors)(error);
                None
            }
        }
    }

    /// A text once all have been found: what owns memory is made last, when nothing can fail any more, and so in its place.
    #[inline]
    fn text(&self, range: Option<Range<usize>>) -> Option<Text> {
        range.map(|range| Text::within(self.file, range))
    }
}

/// The bytes of the record from `at` to its last byte that is not zero.
fn rest(frame: &Frame<'_>, at: usize) -> Box<[u8]> {
    let rest = frame.bytes.get(at..).unwrap_or_default();
    // That of most records is padding of less than 16 zeros.
    if let Some(last) = frame.bytes.last_chunk()
        && let Some(bits) = u32::try_from(8 * rest.len()).ok().filter(|bits| *bits < u128::BITS)
        && u128::from_be_bytes(*last) & ((1 << bits) - 1) == 0
    {
        return Box::default();
    }
    let end = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    rest.get(..end).unwrap_or_default().into()
}

/// The bytes between the covered ranges that are not zero.
fn outside(file: &[u8], mut covered: Vec<Range<usize>>) -> Vec<Stretch> {
    covered.sort_by_key(|range| range.start);
    covered.push(file.len()..file.len());
    let mut stretches = Vec::new();
    let mut at = 0;
    for range in covered {
        let bytes = file.get(at..range.start).unwrap_or_default();
        if let Some(used) = used(bytes) {
            stretches.push(Stretch { offset: at + used.start, bytes: bytes[used].into() });
        }
        at = at.max(range.end);
    }
    stretches
}

/// From the first to the last byte that is not zero.
fn used(bytes: &[u8]) -> Option<Range<usize>> {
    // Most of a catalog's pages are zero, and comparing many bytes at once is as fast as comparing one.
    const MANY: usize = 64;
    let is_used = |bytes: &[u8]| bytes.iter().fold(0, |all, byte| all | byte) != 0;
    let before = bytes.chunks(MANY).position(is_used)? * MANY;
    let behind = bytes.rchunks(MANY).position(is_used)? * MANY;
    let first = before + bytes[before..].iter().position(|byte| *byte != 0)?;
    let last = bytes[..bytes.len() - behind].iter().rposition(|byte| *byte != 0)?;
    Some(first..last + 1)
}
