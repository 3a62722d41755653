//! One test for each table of the document, named after it.

use crate::packer::{file, record, text};
use crate::{base, fixture};
use counterpoint_catalog24x7::{
    Catalog, Code, Domain, Event, FieldKind, FormatVersion, Formula, Group, Links, Schema, Section,
    Text, View, check,
};
use serde_json::{Value, json};

fn expected(kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(fixture("base.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["record"] == kind).collect()
}

fn catalog() -> Catalog {
    Catalog::decode_strict(&base()).unwrap()
}

fn string(text: &Option<Text>) -> &str {
    text.as_ref().unwrap().as_str().unwrap()
}

#[test]
fn catalog_page_0() {
    let (page0, row) = (catalog().page0, &expected("page0")[0]);
    assert_eq!(page0.descriptor, *b"24x7");
    assert_eq!(
        json!([page0.length, page0.version, page0.build_date()]),
        json!([row["length_pages"], row["version"], row["build_date"]])
    );
    for section in Section::OF_RECORDS {
        let (extent, name) = (page0.extent(section), section.name());
        let of = |field: &str| row[format!("{name}_{field}")].clone();
        assert_eq!(
            json!([extent.offset, extent.length, extent.count]),
            json!([of("offset_pages"), of("length_pages"), of("count")])
        );
    }
    let [core, thread, chip] = page0.domain_events;
    assert_eq!(
        json!([core, thread, chip]),
        json!([row["off_core_events"], row["off_thread_events"], row["off_chip_events"]])
    );
    assert_eq!(page0.domain_groups[1], u32::MAX, "no groups of threads");
    let [core, thread, chip] = page0.domain_groups;
    assert_eq!(
        json!([core, thread, chip]),
        json!([row["off_core_groups"], row["off_thread_groups"], row["off_chip_groups"]])
    );
    let mut other = base();
    other[..4].copy_from_slice(b"7x42");
    other[0x10..0x14].copy_from_slice(b"year");
    let read = Catalog::decode(&other);
    assert_eq!(read.diagnostics[0].code, Code::Descriptor);
    let read = read.catalog.unwrap();
    assert_eq!((read.events, read.page0.build_date()), (catalog().events, None));
}

#[test]
fn event_data() {
    let (catalog, rows) = (catalog(), expected("event"));
    let offsets = catalog.offsets(Section::Event);
    assert_eq!(catalog.events.len(), rows.len());
    for (index, (event, row)) in catalog.events.iter().zip(&rows).enumerate() {
        let read = json!({
            "record": "event", "index": index, "offset": offsets[index], "rel_offset": offsets[index] - offsets[0],
            "length": event.length, "formula_index": event.formula_index, "domain": event.domain.0,
            "group_record_offset": event.group_record_offset, "group_record_length": event.group_record_length,
            "counter_offset": event.counter_offset, "flags": event.flags,
            "primary_group_index": event.primary_group_index, "group_count": event.group_count,
            "name_len": event.name.as_ref().unwrap().raw().len() + 2, "name": string(&event.name),
            "description_len": event.description.as_ref().unwrap().raw().len() + 2, "description": string(&event.description),
            "detailed_description_len": event.detailed_description.as_ref().unwrap().raw().len() + 2,
            "detailed_description": string(&event.detailed_description),
            "padding": row["padding"],
        });
        assert_eq!(read, *row);
    }
}

#[test]
fn group_data() {
    let (catalog, rows) = (catalog(), expected("group"));
    assert_eq!(catalog.groups.len(), rows.len());
    for (group, row) in catalog.groups.iter().zip(&rows) {
        let read = json!([
            group.length,
            group.flags,
            group.domain.0,
            group.group_record_offset,
            group.group_record_length,
            group.schema_index,
            group.event_count,
            group.event_indexes,
            string(&group.name),
            string(&group.description)
        ]);
        let fields = [
            "length",
            "flags",
            "domain",
            "group_record_offset",
            "group_record_length",
            "schema_index",
            "event_count",
            "event_indexes",
            "name",
            "description",
        ];
        assert_eq!(read, json!(fields.map(|field| row[field].clone())));
    }
}

#[test]
fn group_record_schema_and_field() {
    let (catalog, rows) = (catalog(), expected("schema"));
    assert_eq!(catalog.schemas.len(), rows.len());
    for (schema, row) in catalog.schemas.iter().zip(&rows) {
        let fields: Vec<[u16; 4]> =
            schema.fields.iter().map(|f| [f.kind.0, f.offset, f.length, f.flags]).collect();
        let read = json!([
            schema.length,
            schema.descriptor,
            schema.version_id,
            schema.field_count,
            fields
        ]);
        let names = ["length", "descriptor", "version_id", "field_count", "fields"];
        assert_eq!(read, json!(names.map(|field| row[field].clone())));
    }
}

#[test]
fn group_record_schema_field_content_enums() {
    let named: Vec<u16> = (0..=100).filter(|n| FieldKind(*n).is_documented()).collect();
    assert_eq!(named, (1..=31).chain(48..=54).collect::<Vec<u16>>());
    assert_eq!(FieldKind::counter(31).name().unwrap(), "GRS_COUNTER_31");
    let names = [
        (FieldKind::TIMEBASE_UPDATE, 48, "GRS_TIMEBASE_UPDATE"),
        (FieldKind::TIMEBASE_FENCE, 49, "GRS_TIMEBASE_FENCE"),
        (FieldKind::UPDATE_COUNT, 50, "GRS_UPDATE_COUNT"),
        (FieldKind::MEASUREMENT_PERIOD, 51, "GRS_MEASUREMENT_PERIOD"),
        (FieldKind::ACCUMULATED_MEASUREMENT_PERIOD, 52, "GRS_ACCUMULATED_MEASUREMENT_PERIOD"),
        (FieldKind::LAST_UPDATE_PERIOD, 53, "GRS_LAST_UPDATE_PERIOD"),
        (FieldKind::STATUS_FLAGS, 54, "GRS_STATUS_FLAGS"),
    ];
    for (kind, number, name) in names {
        assert_eq!((kind.0, kind.name().as_deref()), (number, Some(name)));
    }
}

#[test]
fn formula_data() {
    let (catalog, rows) = (catalog(), expected("formula"));
    assert_eq!(catalog.formulas.len(), rows.len());
    for (formula, row) in catalog.formulas.iter().zip(&rows) {
        let read = json!([
            formula.length,
            formula.flags,
            formula.group,
            string(&formula.name),
            string(&formula.description),
            string(&formula.formula),
            string(&formula.unit)
        ]);
        let fields = ["length", "flags", "group", "name", "description", "formula", "unit"];
        assert_eq!(read, json!(fields.map(|field| row[field].clone())));
    }
}

#[test]
fn group_record_schema_enums() {
    assert_eq!(Schema::CORE_INDEX, 0);
    let catalog = catalog();
    let core = catalog.groups.iter().filter(|group| group.domain == Domain::CORE);
    assert!(core.into_iter().all(|group| group.schema_index == Schema::CORE_INDEX));
}

/// The table "Change History": catalogs of version 0.15 have neither the offsets of the domains in page 0, nor formula indexes.
#[test]
fn change_history() {
    let mut bytes = base();
    bytes[0x60..0x78].fill(0);
    let mut at = 2 * 4096;
    for _ in 0..10 {
        bytes[at + 2..at + 4].fill(0);
        at += usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    }
    let old = Catalog::decode_strict(&bytes).unwrap();
    assert!(!old.page0.has_domain_offsets() && catalog().page0.has_domain_offsets());
    let formula = |catalog: &Catalog| Links::new(catalog).formula(&catalog.events[9]);
    assert_eq!((formula(&old), formula(&catalog())), (None, Some(0)));
    assert!(check(&old).iter().all(|found| found.code == Code::ReadingsDiffer));
}

#[test]
fn formulas_of_older_versions() {
    let fixed = [0; 14];
    let texts = [text("RATIO"), text(""), text("A B /")].concat();
    let old = record(&[&fixed, &texts]);
    let mut wide = old.clone();
    wide.swap(0, 2);
    wide.swap(1, 3);
    for (record, format) in [(old, FormatVersion::V0_16), (wide, FormatVersion::V0_12)] {
        let bytes = file([&[], &[], &[], &[record]]);
        assert!(Catalog::decode(&bytes).has_errors(), "it is not of version 0.17");
        let decoded = Catalog::decode_as(&bytes, format);
        assert!(!decoded.has_errors(), "{:?}", decoded.diagnostics);
        let catalog = decoded.catalog.unwrap();
        assert_eq!(
            (string(&catalog.formulas[0].formula), &catalog.formulas[0].unit),
            ("A B /", &None)
        );
        assert_eq!(catalog.encode().unwrap(), bytes);
    }
}

#[test]
fn the_view_sees_what_is_decoded() {
    let (bytes, catalog) = (base(), catalog());
    let view = View::new(&bytes).unwrap();
    assert_eq!(view.page0(), &catalog.page0);
    for (seen, event) in view.events().zip(&catalog.events) {
        let seen = seen.unwrap();
        assert_eq!(
            [seen.name(), seen.description(), seen.detailed_description()],
            [&event.name, &event.description, &event.detailed_description]
                .map(|text| text.as_ref().unwrap().as_ref())
        );
        assert_eq!(
            (
                seen.domain(),
                seen.group_record_offset(),
                seen.group_record_length(),
                seen.counter_offset(),
                seen.primary_group_index(),
                seen.group_count(),
            ),
            (
                event.domain,
                event.group_record_offset,
                event.group_record_length,
                event.counter_offset,
                event.primary_group_index,
                event.group_count,
            )
        );
    }
    for (seen, group) in view.groups().zip(&catalog.groups) {
        let seen = seen.unwrap();
        assert!(
            seen.event_indexes().eq(group.event_indexes.into_iter().take(group.event_count.into()))
        );
        assert_eq!(
            (seen.domain(), seen.group_record_offset(), seen.flags(), seen.schema_index()),
            (group.domain, group.group_record_offset, group.flags, group.schema_index)
        );
    }
    for (seen, schema) in view.schemas().zip(&catalog.schemas) {
        assert!(seen.unwrap().fields().eq(schema.fields.iter().copied()));
    }
    for (seen, formula) in view.formulas().zip(&catalog.formulas) {
        let seen = seen.unwrap();
        assert_eq!(seen.formula().as_bytes(), formula.formula.as_ref().unwrap().as_bytes());
        assert_eq!((seen.flags(), seen.group()), (formula.flags, formula.group));
    }
    let counts = [
        view.events().count(),
        view.groups().count(),
        view.schemas().count(),
        view.formulas().count(),
    ];
    assert_eq!(counts, [10, 4, 2, 4]);
}

#[test]
fn special_values() {
    assert_eq!((Event::NO_FORMULA, Group::FREE, Formula::GROUPED), (0xffff, 0xffff, 4));
    assert_eq!([Domain::CHIP, Domain::CORE, Domain::THREAD].map(|domain| domain.0), [1, 2, 3]);
}
