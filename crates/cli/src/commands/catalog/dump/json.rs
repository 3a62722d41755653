//! The records of a catalog as JSON: numbers as they stand in the file, what they mean in keys that begin with `resolved_`; bytes that should be zero only where they are not.

use super::records::{self, Operand, Page0, PlaceKeys, SectionPlace, Slot};
use crate::commands::catalog::words::{build_date, name};
use crate::show;
use counterpoint::catalog::{
    Catalog, Event, Formula, Group, Links, Metric, Metrics, Schema, Section, Source, Text, Variant,
};
use std::io::{self, Write};

/// A catalog with the links between its records.
pub struct Records<'c> {
    catalog: &'c Catalog,
    links: Links<'c>,
    metrics: Metrics<'c>,
}

impl<'c> Records<'c> {
    pub fn new(catalog: &'c Catalog, metrics: Metrics<'c>) -> Records<'c> {
        Records { catalog, links: Links::new(catalog), metrics }
    }

    /// Writes every record, page 0 first.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let catalog = self.catalog;
        show::json(out, &self.page0())?;
        for (place, of) in self.placed(Section::Schema).zip(&catalog.schemas) {
            show::json(out, &schema(place.index, place.offset, of))?;
        }
        for (place, event) in self.placed(Section::Event).zip(&catalog.events) {
            show::json(out, &self.event(place, event))?;
        }
        for (place, group) in self.placed(Section::Group).zip(&catalog.groups) {
            show::json(out, &self.group(place, group))?;
        }
        let formulas = self.placed(Section::Formula).zip(&catalog.formulas);
        for ((place, formula), metric) in formulas.zip(self.metrics.iter()) {
            show::json(out, &self.formula(place, formula, metric))?;
        }
        Ok(())
    }

    /// The place of each record of a section: its index, its byte of the file, and that within the section.
    fn placed(&self, section: Section) -> impl Iterator<Item = PlaceKeys> + use<> {
        let offsets = self.catalog.offsets(section);
        let begin = offsets.first().copied().unwrap_or_default();
        offsets.into_iter().enumerate().map(move |(index, offset)| PlaceKeys {
            record: section.name(),
            index,
            offset,
            rel_offset: offset - begin,
        })
    }

    fn page0(&self) -> Page0 {
        let page0 = &self.catalog.page0;
        let [schema, event, group, formula] =
            Section::OF_RECORDS.map(|section| page0.extent(section));
        let [events, groups] = [page0.domain_events, page0.domain_groups];
        let zero = |reserved: u16| unless_zero(&reserved.to_be_bytes());
        Page0 {
            record: "page0",
            descriptor: page0.descriptor.escape_ascii().to_string(),
            length_pages: page0.length,
            version: page0.version,
            build_date_raw: hex(&page0.build_date),
            build_date: build_date(page0),
            schema_offset_pages: schema.offset,
            schema_length_pages: schema.length,
            schema_count: schema.count,
            schema_reserved: zero(schema.reserved),
            event_offset_pages: event.offset,
            event_length_pages: event.length,
            event_count: event.count,
            event_reserved: zero(event.reserved),
            group_offset_pages: group.offset,
            group_length_pages: group.length,
            group_count: group.count,
            group_reserved: zero(group.reserved),
            formula_offset_pages: formula.offset,
            formula_length_pages: formula.length,
            formula_count: formula.count,
            formula_reserved: zero(formula.reserved),
            off_core_events: events[0],
            off_thread_events: events[1],
            off_chip_events: events[2],
            off_core_groups: groups[0],
            off_thread_groups: groups[1],
            off_chip_groups: groups[2],
            reserved: unless_zero(&page0.reserved),
            reserved_end: unless_zero(&page0.reserved_end),
            resolved_bytes: self.catalog.size(),
            resolved_sections: Section::OF_RECORDS.map(|section| self.section(section)),
            resolved_has_domain_offsets: page0.has_domain_offsets(),
        }
    }

    fn section(&self, section: Section) -> SectionPlace {
        let bytes = self.catalog.page0.extent(section).bytes();
        let used = self.catalog.offsets(section).last().copied().filter(|used| *used > 0);
        let used_end = used.unwrap_or(bytes.start);
        SectionPlace {
            name: section.name(),
            start: bytes.start,
            end: bytes.end,
            used_end,
            tail: bytes.end.saturating_sub(used_end),
            full: bytes.end <= self.catalog.size(),
            entries: self.catalog.len(section),
        }
    }

    fn event(&self, place: PlaceKeys, event: &Event) -> records::Event {
        let texts = [&event.name, &event.description, &event.detailed_description];
        let padding = padding(&texts, 0x14, event.length.into());
        let [name_of, description, detailed] = texts.map(Spelled::new);
        let group = self.links.primary_group(event);
        let formula = self.links.formula(event);
        let formula_of = |index: u16| self.catalog.formulas.get(usize::from(index));
        let group_of = |index: usize| self.catalog.groups.get(index);
        let variant = |variant| self.links.variant(place.index, variant);
        let [user, kernel, last_sample] =
            [Variant::User, Variant::Kernel, Variant::LastSample].map(variant);
        records::Event {
            place,
            length: event.length,
            formula_index: event.formula_index,
            domain: event.domain.0,
            group_record_offset: event.group_record_offset,
            group_record_length: event.group_record_length,
            counter_offset: event.counter_offset,
            flags: event.flags,
            primary_group_index: event.primary_group_index,
            group_count: event.group_count,
            name_len: name_of.length,
            name: name_of.text,
            name_raw: name_of.raw,
            description_len: description.length,
            description: description.text,
            description_raw: description.raw,
            detailed_description_len: detailed.length,
            detailed_description: detailed.text,
            detailed_description_raw: detailed.raw,
            padding,
            reserved: unless_zero(&[event.reserved]),
            rest: unless_zero(&event.rest),
            resolved_domain: event.domain.name(),
            resolved_address: event.counter_address(),
            resolved_formula: formula,
            resolved_formula_name: formula.and_then(|at| name(formula_of(at)?.name.as_ref())),
            resolved_primary_group: group,
            resolved_primary_group_name: group.and_then(|at| name(group_of(at)?.name.as_ref())),
            resolved_user: user,
            resolved_kernel: kernel,
            resolved_last_sample: last_sample,
        }
    }

    fn group(&self, place: PlaceKeys, group: &'c Group) -> records::Group {
        let texts = [&group.name, &group.description];
        let padding = padding(&texts, 0x30, group.length.into());
        let [name_of, description] = texts.map(Spelled::new);
        let slots = self.links.slots(group).map(|slot| {
            let event = slot.event.and_then(|event| self.catalog.events.get(event));
            Slot {
                slot: slot.slot,
                event: slot.event,
                name: event.and_then(|event| name(event.name.as_ref())),
                counter_offset: slot.counter.map(|field| field.offset),
            }
        });
        records::Group {
            place,
            length: group.length,
            flags: group.flags,
            domain: group.domain.0,
            group_record_offset: group.group_record_offset,
            group_record_length: group.group_record_length,
            schema_index: group.schema_index,
            event_count: group.event_count,
            event_indexes: group.event_indexes,
            name_len: name_of.length,
            name: name_of.text,
            name_raw: name_of.raw,
            description_len: description.length,
            description: description.text,
            description_raw: description.raw,
            padding,
            reserved: unless_zero(&group.reserved.to_be_bytes()),
            reserved_end: unless_zero(&[group.reserved_end]),
            rest: unless_zero(&group.rest),
            resolved_domain: group.domain.name(),
            resolved_events: slots.collect(),
        }
    }

    fn formula(&self, place: PlaceKeys, formula: &Formula, metric: &Metric) -> records::Formula {
        let texts = [&formula.name, &formula.description, &formula.formula, &formula.unit];
        let padding = padding(&texts, 0x10, formula.length as usize);
        let [name_of, description, text, unit] = texts.map(Spelled::new);
        // The group's index counts from the first group of the domain that the events have.
        let first = metric.operands.iter().find_map(|operand| match operand.source {
            Source::Event(event) => self.catalog.events.get(event),
            _ => None,
        });
        let grouped = formula.flags & Formula::GROUPED != 0;
        let group = first.and_then(|event| self.links.group(event.domain, formula.group));
        records::Formula {
            place,
            length: formula.length,
            flags: formula.flags,
            group: formula.group,
            name_len: name_of.length,
            name: name_of.text,
            name_raw: name_of.raw,
            description_len: description.length,
            description: description.text,
            description_raw: description.raw,
            formula_len: text.length,
            formula: text.text,
            formula_raw: text.raw,
            unit_len: unit.length,
            unit: unit.text,
            unit_raw: unit.raw,
            padding,
            reserved: unless_zero(&formula.reserved.to_be_bytes()),
            reserved_end: unless_zero(&formula.reserved_end),
            rest: unless_zero(&formula.rest),
            resolved_grouped: grouped,
            resolved_group: group.filter(|_| grouped),
            resolved_operands: metric.operands.iter().map(operand).collect(),
        }
    }
}

/// A schema at an offset of a file.
pub fn schema(index: usize, offset: usize, schema: &Schema) -> records::Schema {
    let fields = schema.fields.iter();
    let names = schema.fields.iter().map(|field| field.kind.name());
    records::Schema {
        record: Section::Schema.name(),
        index,
        offset,
        length: schema.length,
        descriptor: schema.descriptor,
        version_id: schema.version_id,
        field_count: schema.field_count,
        fields: fields.map(|f| [f.kind.0, f.offset, f.length, f.flags]).collect(),
        resolved_fields: names.map(|name| name.map(|name| name.into_owned())).collect(),
        reserved: unless_zero(&schema.reserved.to_be_bytes()),
        reserved_end: unless_zero(&schema.reserved_end),
        rest: unless_zero(&schema.rest),
    }
}

/// A text of a record.
struct Spelled {
    /// In the file, with the number before it.
    length: Option<usize>,
    text: Option<String>,
    /// The bytes themselves if they do not follow from the text and its length.
    raw: Option<String>,
}

impl Spelled {
    fn new(text: &Option<Text>) -> Spelled {
        let is_plain = |text: &&Text| {
            text.as_str().is_some_and(|plain| {
                text.raw().get(plain.len()..).is_some_and(|nuls| nuls.iter().all(|byte| *byte == 0))
                    && plain == text.to_printable()
            })
        };
        let text = text.as_ref();
        Spelled {
            length: text.map(length),
            text: text.map(Text::to_printable),
            raw: text.filter(|text| !is_plain(text)).map(|text| hex(text.raw())),
        }
    }
}

fn length(text: &Text) -> usize {
    text.raw().len() + 2
}

/// The bytes of a record after its texts, which begin at `begin`; `None` if a text is missing.
fn padding(texts: &[&Option<Text>], begin: usize, whole: usize) -> Option<usize> {
    let lengths = texts.iter().map(|text| text.as_ref().map(length));
    whole.checked_sub(begin + lengths.sum::<Option<usize>>()?)
}

/// Bytes that should be zero, where they are not.
fn unless_zero(bytes: &[u8]) -> Option<String> {
    bytes.iter().any(|byte| *byte != 0).then(|| hex(bytes))
}

fn operand(operand: &counterpoint::catalog::Operand) -> Operand {
    let named = Operand {
        name: operand.name.clone(),
        event: None,
        formula: None,
        elapsed: false,
        symbol: false,
    };
    match operand.source {
        Source::Event(event) => Operand { event: Some(event), ..named },
        Source::Formula(formula) => Operand { formula: Some(formula), ..named },
        Source::Elapsed => Operand { elapsed: true, ..named },
        _ => Operand { symbol: true, ..named },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
