//! The records of a catalog as JSON: numbers as they stand in the file, what they mean in keys that begin with `resolved_`; bytes that should be zero only where they are not.

use crate::commands::catalog::words::{build_date, name};
use counterpoint::catalog::{
    Catalog, Event, Formula, Group, Links, Metric, Metrics, Operand, Schema, Section, Source, Text,
    Variant,
};
use serde_json::{Map, Value, json};

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

    /// Every record, page 0 first.
    pub fn each(&self) -> impl Iterator<Item = Value> + '_ {
        let catalog = self.catalog;
        let page0 = std::iter::once_with(|| self.page0());
        let schemas = self.placed(Section::Schema).zip(&catalog.schemas);
        let events = self.placed(Section::Event).zip(&catalog.events);
        let groups = self.placed(Section::Group).zip(&catalog.groups);
        let formulas =
            self.placed(Section::Formula).zip(&catalog.formulas).zip(self.metrics.iter());
        page0
            .chain(schemas.map(|(place, of)| schema(place.index, place.offset, of)))
            .chain(events.map(|(place, event)| self.event(place, event)))
            .chain(groups.map(|(place, group)| self.group(place, group)))
            .chain(formulas.map(|((place, formula), metric)| self.formula(place, formula, metric)))
    }

    /// Where each record of a section is: its index, its byte of the file, and that within the section.
    fn placed(&self, section: Section) -> impl Iterator<Item = Place> + use<> {
        let offsets = self.catalog.offsets(section);
        let begin = offsets.first().copied().unwrap_or_default();
        offsets.into_iter().enumerate().map(move |(index, offset)| Place {
            section,
            index,
            offset,
            relative: offset - begin,
        })
    }

    fn page0(&self) -> Value {
        let page0 = &self.catalog.page0;
        let mut object = object(json!({
            "record": "page0",
            "descriptor": page0.descriptor.escape_ascii().to_string(),
            "length_pages": page0.length,
            "version": page0.version,
            "build_date_raw": hex(&page0.build_date),
            "build_date": build_date(page0),
        }));
        for section in Section::OF_RECORDS {
            let (extent, name) = (page0.extent(section), section.name());
            object.insert(format!("{name}_offset_pages"), json!(extent.offset));
            object.insert(format!("{name}_length_pages"), json!(extent.length));
            object.insert(format!("{name}_count"), json!(extent.count));
            add_reserved(&mut object, &format!("{name}_reserved"), &extent.reserved.to_be_bytes());
        }
        for (kind, offsets) in [("events", page0.domain_events), ("groups", page0.domain_groups)] {
            for (domain, offset) in ["core", "thread", "chip"].into_iter().zip(offsets) {
                object.insert(format!("off_{domain}_{kind}"), json!(offset));
            }
        }
        add_reserved(&mut object, "reserved", &page0.reserved);
        add_reserved(&mut object, "reserved_end", &page0.reserved_end);
        object.insert("resolved_bytes".to_string(), json!(self.catalog.size()));
        let sections = Section::OF_RECORDS.map(|section| self.section(section));
        object.insert("resolved_sections".to_string(), json!(sections));
        let there = page0.has_domain_offsets();
        object.insert("resolved_has_domain_offsets".to_string(), json!(there));
        Value::Object(object)
    }

    fn section(&self, section: Section) -> Value {
        let bytes = self.catalog.page0.extent(section).bytes();
        let used = self.catalog.offsets(section).last().copied().filter(|used| *used > 0);
        let used_end = used.unwrap_or(bytes.start);
        json!({
            "name": section.name(),
            "start": bytes.start,
            "end": bytes.end,
            "used_end": used_end,
            "tail": bytes.end.saturating_sub(used_end),
            "full": bytes.end <= self.catalog.size(),
            "entries": self.catalog.len(section),
        })
    }

    fn event(&self, place: Place, event: &Event) -> Value {
        let mut object = place.object();
        extend(
            &mut object,
            json!({
                "length": event.length,
                "formula_index": event.formula_index,
                "domain": event.domain.0,
                "group_record_offset": event.group_record_offset,
                "group_record_length": event.group_record_length,
                "counter_offset": event.counter_offset,
                "flags": event.flags,
                "primary_group_index": event.primary_group_index,
                "group_count": event.group_count,
            }),
        );
        let texts = [
            ("name", &event.name),
            ("description", &event.description),
            ("detailed_description", &event.detailed_description),
        ];
        add_texts(&mut object, &texts, 0x14, event.length.into());
        add_reserved(&mut object, "reserved", &[event.reserved]);
        add_reserved(&mut object, "rest", &event.rest);
        let group = self.links.primary_group(event);
        let formula = self.links.formula(event);
        let variant = |variant| self.links.variant(place.index, variant);
        extend(
            &mut object,
            json!({
                "resolved_domain": event.domain.name(),
                "resolved_address": event.counter_address(),
                "resolved_formula": formula,
                "resolved_formula_name": formula.and_then(|index| name(self.catalog.formulas.get(usize::from(index))?.name.as_ref())),
                "resolved_primary_group": group,
                "resolved_primary_group_name": group.and_then(|index| name(self.catalog.groups.get(index)?.name.as_ref())),
                "resolved_user": variant(Variant::User),
                "resolved_kernel": variant(Variant::Kernel),
                "resolved_last_sample": variant(Variant::LastSample),
            }),
        );
        Value::Object(object)
    }

    fn group(&self, place: Place, group: &'c Group) -> Value {
        let mut object = place.object();
        extend(
            &mut object,
            json!({
                "length": group.length,
                "flags": group.flags,
                "domain": group.domain.0,
                "group_record_offset": group.group_record_offset,
                "group_record_length": group.group_record_length,
                "schema_index": group.schema_index,
                "event_count": group.event_count,
                "event_indexes": group.event_indexes,
            }),
        );
        let texts = [("name", &group.name), ("description", &group.description)];
        add_texts(&mut object, &texts, 0x30, group.length.into());
        add_reserved(&mut object, "reserved", &group.reserved.to_be_bytes());
        add_reserved(&mut object, "reserved_end", &[group.reserved_end]);
        add_reserved(&mut object, "rest", &group.rest);
        let slots: Vec<Value> = self
            .links
            .slots(group)
            .map(|slot| {
                let event = slot.event.and_then(|event| self.catalog.events.get(event));
                json!({
                    "slot": slot.slot,
                    "event": slot.event,
                    "name": event.and_then(|event| name(event.name.as_ref())),
                    "counter_offset": slot.counter.map(|field| field.offset),
                })
            })
            .collect();
        extend(
            &mut object,
            json!({
                "resolved_domain": group.domain.name(),
                "resolved_events": slots,
            }),
        );
        Value::Object(object)
    }

    fn formula(&self, place: Place, formula: &Formula, metric: &Metric) -> Value {
        let mut object = place.object();
        extend(
            &mut object,
            json!({"length": formula.length, "flags": formula.flags, "group": formula.group}),
        );
        let texts = [
            ("name", &formula.name),
            ("description", &formula.description),
            ("formula", &formula.formula),
            ("unit", &formula.unit),
        ];
        add_texts(&mut object, &texts, 0x10, formula.length as usize);
        add_reserved(&mut object, "reserved", &formula.reserved.to_be_bytes());
        add_reserved(&mut object, "reserved_end", &formula.reserved_end);
        add_reserved(&mut object, "rest", &formula.rest);
        // The group's index counts from the first group of the domain that the events have.
        let first = metric.operands.iter().find_map(|operand| match operand.source {
            Source::Event(event) => self.catalog.events.get(event),
            _ => None,
        });
        let grouped = formula.flags & Formula::GROUPED != 0;
        let group = first.and_then(|event| self.links.group(event.domain, formula.group));
        let operands: Vec<Value> = metric.operands.iter().map(operand).collect();
        extend(
            &mut object,
            json!({
                "resolved_grouped": grouped,
                "resolved_group": group.filter(|_| grouped),
                "resolved_operands": operands,
            }),
        );
        Value::Object(object)
    }
}

/// A schema at an offset of a file.
pub fn schema(index: usize, offset: usize, schema: &Schema) -> Value {
    let place = Place { section: Section::Schema, index, offset, relative: 0 };
    let mut object = place.object();
    let fields: Vec<[u16; 4]> =
        schema.fields.iter().map(|f| [f.kind.0, f.offset, f.length, f.flags]).collect();
    let names: Vec<_> = schema.fields.iter().map(|field| field.kind.name()).collect();
    // A schema is not addressed by its offset in the section.
    object.remove("rel_offset");
    extend(
        &mut object,
        json!({
            "length": schema.length,
            "descriptor": schema.descriptor,
            "version_id": schema.version_id,
            "field_count": schema.field_count,
            "fields": fields,
            "resolved_fields": names,
        }),
    );
    add_reserved(&mut object, "reserved", &schema.reserved.to_be_bytes());
    add_reserved(&mut object, "reserved_end", &schema.reserved_end);
    add_reserved(&mut object, "rest", &schema.rest);
    Value::Object(object)
}

/// Where a record is.
#[derive(Clone, Copy)]
struct Place {
    section: Section,
    index: usize,
    offset: usize,
    relative: usize,
}

impl Place {
    fn object(self) -> Map<String, Value> {
        object(json!({
            "record": self.section.name(),
            "index": self.index,
            "offset": self.offset,
            "rel_offset": self.relative,
        }))
    }
}

/// The texts of a record with their lengths, from `begin` on, and what follows them.
fn add_texts(
    object: &mut Map<String, Value>,
    texts: &[(&str, &Option<Text>)],
    begin: usize,
    length: usize,
) {
    let mut end = Some(begin);
    for (field, text) in texts {
        let raw = text.as_ref().map(Text::raw);
        let length = raw.map(|raw| raw.len() + 2);
        end = end.zip(length).map(|(end, length)| end + length);
        object.insert(format!("{field}_len"), json!(length));
        object.insert((*field).to_string(), json!(text.as_ref().map(Text::to_printable)));
        // The bytes themselves if they do not follow from the text and its length.
        let plain = text.as_ref().is_none_or(|text| {
            text.as_str().is_some_and(|plain| {
                text.raw().get(plain.len()..).is_some_and(|nuls| nuls.iter().all(|byte| *byte == 0))
                    && plain == text.to_printable()
            })
        });
        if !plain {
            object.insert(format!("{field}_raw"), json!(raw.map(hex)));
        }
    }
    object.insert("padding".to_string(), json!(end.and_then(|end| length.checked_sub(end))));
}

/// Bytes that should be zero, where they are not.
fn add_reserved(object: &mut Map<String, Value>, key: &str, bytes: &[u8]) {
    if bytes.iter().any(|byte| *byte != 0) {
        object.insert(key.to_string(), json!(hex(bytes)));
    }
}

fn operand(operand: &Operand) -> Value {
    match operand.source {
        Source::Event(event) => json!({"name": operand.name, "event": event}),
        Source::Formula(formula) => json!({"name": operand.name, "formula": formula}),
        Source::Elapsed => json!({"name": operand.name, "elapsed": true}),
        _ => json!({"name": operand.name, "symbol": true}),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn extend(to: &mut Map<String, Value>, with: Value) {
    to.extend(object(with));
}
