//! Encodes an owned catalog into bytes.

use crate::catalog::{Catalog, FormatVersion};
use crate::error::{EncodeError, EncodeErrorKind};
use crate::page0::{Page0, Section};
use crate::raw;
use crate::records::{Event, Formula, Group};
use crate::schema::Schema;
use crate::text::Text;

impl Catalog {
    /// Encodes the catalog; a catalog that was decoded is encoded to the same bytes.
    ///
    /// # Errors
    /// Returns an error if records were added or changed so that they no longer fit their length or the position that page 0 gives; [`CatalogBuilder`](crate::CatalogBuilder) assigns new positions.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut file = vec![0; self.size];
        place(&mut file, 0, &page0(&self.page0));
        for stretch in &self.outside {
            place(&mut file, stretch.offset, &stretch.bytes);
        }
        self.section(&mut file, Section::Schema, self.schemas.iter().map(schema))?;
        self.section(&mut file, Section::Event, self.events.iter().map(event))?;
        self.section(&mut file, Section::Group, self.groups.iter().map(group))?;
        let formulas = self.formulas.iter().map(|record| formula(record, self.format));
        self.section(&mut file, Section::Formula, formulas)?;
        Ok(file)
    }

    fn section(
        &self,
        file: &mut [u8],
        section: Section,
        records: impl Iterator<Item = Packed>,
    ) -> Result<(), EncodeError> {
        let error = |index, kind| EncodeError { section, index, kind };
        let (count, len) = (usize::from(self.page0.extent(section).count), self.len(section));
        if len > count {
            return Err(error(None, EncodeErrorKind::Count { count, records: len }));
        }
        let range = self.page0.range(section, file.len()).unwrap_or(0..0);
        let mut at = range.start;
        for (index, packed) in records.enumerate() {
            let (length, bytes) = packed.map_err(|kind| error(Some(index), kind))?;
            if bytes.len() > length {
                let kind = EncodeErrorKind::RecordTooShort { length, needed: bytes.len() };
                return Err(error(Some(index), kind));
            }
            if at + length > range.end {
                let kind = EncodeErrorKind::NoRoom { needed: at + length, size: range.end };
                return Err(error(Some(index), kind));
            }
            place(file, at, &bytes);
            file[at + bytes.len()..at + length].fill(0);
            at += length;
        }
        Ok(())
    }
}

/// The length of a record, and its bytes without the zeros at its end.
type Packed = Result<(usize, Vec<u8>), EncodeErrorKind>;

fn place(file: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(to) = file.get_mut(at..at + bytes.len()) {
        to.copy_from_slice(bytes);
    }
}

fn page0(page0: &Page0) -> Vec<u8> {
    let sections = Section::OF_RECORDS.map(|section| {
        let extent = page0.extent(section);
        raw::Extent {
            offset: extent.offset,
            length: extent.length,
            count: extent.count,
            reserved: extent.reserved,
        }
    });
    let mut bytes = Vec::new();
    let raw = raw::Page0 {
        descriptor: page0.descriptor,
        length: page0.length,
        version: page0.version,
        build_date: page0.build_date,
        reserved: page0.reserved,
        sections,
        domain_events: page0.domain_events,
        domain_groups: page0.domain_groups,
        reserved_end: page0.reserved_end,
    };
    raw::write(&raw, &mut bytes);
    bytes
}

pub(crate) fn schema(record: &Schema) -> Packed {
    let mut bytes = Vec::new();
    let raw = raw::Schema {
        length: record.length,
        reserved: record.reserved,
        descriptor: record.descriptor,
        version_id: record.version_id,
        reserved_end: record.reserved_end,
        field_count: record.field_count,
    };
    raw::write(&raw, &mut bytes);
    for field in &record.fields {
        let (kind, offset) = (field.kind.0, field.offset);
        let raw = raw::Field { kind, offset, length: field.length, flags: field.flags };
        raw::write(&raw, &mut bytes);
    }
    bytes.extend_from_slice(&record.rest);
    Ok((record.length.into(), bytes))
}

pub(crate) fn event(record: &Event) -> Packed {
    let mut bytes = Vec::new();
    let raw = raw::Event {
        length: record.length,
        formula_index: record.formula_index,
        domain: record.domain.0,
        reserved: record.reserved,
        group_record_offset: record.group_record_offset,
        group_record_length: record.group_record_length,
        counter_offset: record.counter_offset,
        flags: record.flags,
        primary_group_index: record.primary_group_index,
        group_count: record.group_count,
    };
    raw::write(&raw, &mut bytes);
    texts(&record.texts(), &mut bytes)?;
    bytes.extend_from_slice(&record.rest);
    Ok((record.length.into(), bytes))
}

pub(crate) fn group(record: &Group) -> Packed {
    let mut bytes = Vec::new();
    let raw = raw::Group {
        length: record.length,
        reserved: record.reserved,
        flags: record.flags,
        domain: record.domain.0,
        reserved_end: record.reserved_end,
        group_record_offset: record.group_record_offset,
        group_record_length: record.group_record_length,
        schema_index: record.schema_index,
        event_count: record.event_count,
        event_indexes: record.event_indexes,
    };
    raw::write(&raw, &mut bytes);
    texts(&record.texts(), &mut bytes)?;
    bytes.extend_from_slice(&record.rest);
    Ok((record.length.into(), bytes))
}

pub(crate) fn formula(record: &Formula, format: FormatVersion) -> Packed {
    let length = record.length as usize;
    let narrow = u16::try_from(record.length).map_err(|_| EncodeErrorKind::TooLong { length });
    let length_field = match format {
        FormatVersion::V0_12 => [(record.length >> 16) as u16, record.length as u16],
        _ => [narrow?, record.reserved],
    };
    let mut bytes = Vec::new();
    let raw = raw::Formula {
        length: length_field,
        flags: record.flags,
        group: record.group,
        reserved_end: record.reserved_end,
    };
    raw::write(&raw, &mut bytes);
    let all = record.texts();
    let fields = if format.has_unit() { &all[..] } else { &all[..3] };
    texts(fields, &mut bytes)?;
    bytes.extend_from_slice(&record.rest);
    Ok((length, bytes))
}

/// Encodes each text with its length, up to the first missing one.
fn texts(
    texts: &[(&'static str, Option<&Text>)],
    bytes: &mut Vec<u8>,
) -> Result<(), EncodeErrorKind> {
    let there = texts.iter().take_while(|(_, text)| text.is_some()).count();
    for (place, (_, text)) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        if place >= there {
            return Err(EncodeErrorKind::MissingText);
        }
        let length = text.raw().len() + 2;
        let length = u16::try_from(length).map_err(|_| EncodeErrorKind::TooLong { length })?;
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(text.raw());
    }
    Ok(())
}
