//! Statements of the document that are about each field, each text, or several records.

use crate::base;
use crate::packer::{file, record, text};
use counterpoint_catalog24x7::data::{Counters, Request, ResultBuffer};
use counterpoint_catalog24x7::{
    Catalog, CatalogBuilder, Code, Domain, Event, Field, FieldKind, Group, Links, Schema, Section,
    Severity, Text, Variant, check,
};

const SCHEMA: usize = 0x1000;
const EVENT: usize = 0x2000;
const GROUP: usize = 0x3000;
const FORMULA: usize = 0x4000;

/// The base with these bytes at this place.
fn patched(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut base = base();
    base[at..at + bytes.len()].copy_from_slice(bytes);
    base
}

fn decoded(bytes: &[u8]) -> Catalog {
    Catalog::decode(bytes).catalog.unwrap()
}

/// All findings but notes, of reading and of checking.
fn found(bytes: &[u8]) -> Vec<(Code, Option<usize>, usize)> {
    let decoded = Catalog::decode(bytes);
    let checked = decoded.catalog.iter().flat_map(check);
    let findings = decoded.diagnostics.iter().cloned().chain(checked);
    let told = findings.filter(|found| found.severity != Severity::Info);
    told.map(|found| (found.code, found.index, found.offset)).collect()
}

/// The byte offsets of the document's tables; many of these fields are 0 in the base.
#[test]
fn every_field_is_at_its_byte_offset() {
    type Get = fn(&Catalog) -> u64;
    let fields: [(usize, usize, Get); 29] = [
        (0x08, 8, |c| c.page0.version),
        (EVENT + 0x02, 2, |c| c.events[0].formula_index.into()),
        (EVENT + 0x04, 1, |c| c.events[0].domain.0.into()),
        (EVENT + 0x05, 1, |c| c.events[0].reserved.into()),
        (EVENT + 0x06, 2, |c| c.events[0].group_record_offset.into()),
        (EVENT + 0x08, 2, |c| c.events[0].group_record_length.into()),
        (EVENT + 0x0a, 2, |c| c.events[0].counter_offset.into()),
        (EVENT + 0x0c, 4, |c| c.events[0].flags.into()),
        (EVENT + 0x10, 2, |c| c.events[0].primary_group_index.into()),
        (EVENT + 0x12, 2, |c| c.events[0].group_count.into()),
        (GROUP + 0x02, 2, |c| c.groups[0].reserved.into()),
        (GROUP + 0x04, 4, |c| c.groups[0].flags.into()),
        (GROUP + 0x08, 1, |c| c.groups[0].domain.0.into()),
        (GROUP + 0x09, 1, |c| c.groups[0].reserved_end.into()),
        (GROUP + 0x0a, 2, |c| c.groups[0].group_record_offset.into()),
        (GROUP + 0x0c, 2, |c| c.groups[0].group_record_length.into()),
        (GROUP + 0x0e, 1, |c| c.groups[0].schema_index.into()),
        (GROUP + 0x0f, 1, |c| c.groups[0].event_count.into()),
        (GROUP + 0x10, 2, |c| c.groups[0].event_indexes[0].into()),
        (GROUP + 0x2e, 2, |c| c.groups[0].event_indexes[15].into()),
        (SCHEMA + 0x02, 2, |c| c.schemas[0].reserved.into()),
        (SCHEMA + 0x04, 2, |c| c.schemas[0].descriptor.into()),
        (SCHEMA + 0x06, 2, |c| c.schemas[0].version_id.into()),
        (SCHEMA + 0x10, 2, |c| c.schemas[0].fields[0].kind.0.into()),
        (SCHEMA + 0x12, 2, |c| c.schemas[0].fields[0].offset.into()),
        (SCHEMA + 0x14, 2, |c| c.schemas[0].fields[0].length.into()),
        (SCHEMA + 0x16, 2, |c| c.schemas[0].fields[0].flags.into()),
        (FORMULA + 0x04, 4, |c| c.formulas[0].flags.into()),
        (FORMULA + 0x08, 2, |c| c.formulas[0].group.into()),
    ];
    for (at, width, get) in fields {
        let bytes = &[0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0x17, 0x28][..width];
        let written = bytes.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
        let bytes = patched(at, bytes);
        let catalog = decoded(&bytes);
        assert_eq!(get(&catalog), written, "{at:#x}");
        assert_eq!(catalog.encode().unwrap(), bytes, "{at:#x}");
    }
}

#[test]
fn every_reserved_byte_is_kept_and_reported() {
    let page0 = [(0x20, 32), (0x46, 2), (0x4e, 2), (0x56, 2), (0x5e, 2), (0x78, 8)];
    let records = [
        (EVENT + 0x05, 1),
        (GROUP + 0x02, 2),
        (GROUP + 0x09, 1),
        (SCHEMA + 0x02, 2),
        (SCHEMA + 0x08, 6),
        (FORMULA + 0x02, 2),
        (FORMULA + 0x0a, 6),
    ];
    for (at, length) in page0.into_iter().chain(records) {
        let index = (at >= SCHEMA).then_some(0);
        for byte in at..at + length {
            let bytes = patched(byte, &[1]);
            assert_eq!(found(&bytes), [(Code::Reserved, index, at)], "{byte:#x}");
            assert_eq!(decoded(&bytes).encode().unwrap(), bytes, "{byte:#x}");
        }
    }
}

/// The first length of each record is that of the structure, the others are those of its texts.
#[test]
fn lengths_of_records_and_texts_are_checked_in_every_table() {
    for start in [SCHEMA, EVENT, GROUP, FORMULA] {
        let told = |length: u16| found(&patched(start, &length.to_be_bytes()));
        let length = |code| (code, Some(0), start);
        assert!(told(0).contains(&length(Code::RecordTooShort)), "{start:#x}");
        assert!(told(0xfff0).contains(&length(Code::RecordPastEnd)), "{start:#x}");
        let unaligned = u16::from_be_bytes([base()[start], base()[start + 1]]) + 2;
        assert!(told(unaligned).contains(&length(Code::UnalignedLength)), "{start:#x}");
    }
    for at in [EVENT + 0x14, GROUP + 0x30, FORMULA + 0x10] {
        for length in [0, 1] {
            let told = found(&patched(at, &[0, length]));
            assert!(told.contains(&(Code::TextLength, Some(0), at)), "{at:#x}: {told:?}");
        }
        let told = found(&patched(at, &[0xff, 0xff]));
        assert!(told.contains(&(Code::TextPastRecord, Some(0), at)), "{at:#x}: {told:?}");
    }
    // The fields before a text that cannot be read are kept.
    let catalog = decoded(&patched(EVENT + 0x14 + 14, &[0xff, 0xff]));
    let event = &catalog.events[0];
    assert_eq!((event.name(), event.group_record_length), (Some("CORE_ALPHA"), 64));
    assert_eq!((&event.description, &event.detailed_description), (&None, &None));
}

#[test]
fn a_text_of_length_2_is_empty_and_texts_are_written_as_given() {
    let fixed = [255, 255, 2, 0, 0, 0, 0, 64, 0, 24, 0, 0, 0, 0, 0, 0, 0, 1];
    let same = record(&[&fixed, &text("SAME"), &text("SAME"), &[0, 2]]);
    let bytes = file([&[], &[same], &[], &[]]);
    let read = Catalog::decode_strict(&bytes).unwrap();
    let event = &read.events[0];
    assert_eq!(event.description, Some(Text::new("SAME")));
    assert_eq!(event.detailed_description, Some(Text::default()));
    let built = CatalogBuilder::new(0).event(event.clone()).build().unwrap().encode().unwrap();
    assert_eq!(built[4096..], bytes[4096..], "a repeated text is not left out");
}

#[test]
fn a_group_has_1_to_16_events() {
    for (count, is_odd) in [(0, true), (1, false), (16, false), (17, true), (255, true)] {
        let told = found(&patched(GROUP + 0x0f, &[count]));
        let odd = told.contains(&(Code::EventCount, Some(0), GROUP + 0x0f));
        assert_eq!(odd, is_odd, "{count}: {told:?}");
    }
}

#[test]
fn the_group_count_of_an_event_is_not_compared() {
    for count in [0, 2, 0xffff_u16] {
        assert_eq!(found(&patched(EVENT + 0x12, &count.to_be_bytes())), [], "{count}");
    }
}

#[test]
fn domains_are_those_of_the_document() {
    for at in [EVENT + 0x04, GROUP + 0x08] {
        for domain in 0..=255 {
            let told = found(&patched(at, &[domain]));
            let is_unknown = told.contains(&(Code::UnknownDomain, Some(0), at));
            assert_eq!(is_unknown, !(1..=3).contains(&domain), "{at:#x}: {domain}");
        }
    }
    assert_eq!([Domain::CHIP, Domain::CORE, Domain::THREAD].map(|domain| domain.0), [1, 2, 3]);
}

#[test]
fn names_and_indexes_of_the_base_lead_to_its_records() {
    let catalog = decoded(&base());
    let links = Links::new(&catalog);
    for (at, event) in catalog.events.iter().enumerate() {
        assert_eq!(links.by_name(event.name().unwrap()), Some(at));
    }
    assert_eq!([links.by_name("CORE_ALPH"), links.by_name("core_alpha")], [None; 2]);
    let groups: Vec<Vec<_>> = (catalog.groups.iter())
        .map(|group| links.slots(group).map(|slot| slot.event).collect())
        .collect();
    // Slot 1 of two groups is free; the indexes of the chip's group count from the first event of chips.
    let of = |events: &[usize]| events.iter().copied().map(Some).collect::<Vec<_>>();
    assert_eq!(groups, [of(&[0, 1, 4, 5]), of(&[2, 4, 5]), of(&[3, 4, 5]), of(&[8, 9])]);
    let primary = |at: usize| links.primary_group(&catalog.events[at]);
    assert_eq!([primary(0), primary(2), primary(8)], [Some(0), Some(1), Some(3)]);
    assert_eq!(primary(6), None, "an event without a group record is in no group");
}

#[test]
fn variants_are_found_by_their_suffixes_in_the_same_domain() {
    let names = ["A", "A_USER", "A_KERNEL", "B", "B_SAMPLE", "C", "C_LAST_SAMPLE", "D"];
    let events = names.map(|name| Event::new(name, Domain::CHIP));
    let builder = events.into_iter().fold(CatalogBuilder::new(1), CatalogBuilder::event);
    let catalog = builder.event(Event::new("D_USER", Domain::CORE)).build().unwrap();
    let links = Links::new(&catalog);
    let variants = |event: usize| {
        [Variant::User, Variant::Kernel, Variant::LastSample].map(|of| links.variant(event, of))
    };
    assert_eq!(variants(0), [Some(1), Some(2), None]);
    assert_eq!(variants(3), [None, None, Some(4)], "the suffix of the document");
    assert_eq!(variants(5), [None, None, Some(6)], "the suffix of real catalogs");
    assert_eq!(variants(7), [None; 3], "an event of another domain is no variant");
}

/// The same bytes by two schemas, whose descriptor and version mean nothing.
#[test]
fn a_record_is_read_by_the_schema_of_its_group_alone() {
    let schema = |descriptor, version, fields: &[(u16, u16, u16)]| {
        let field =
            |&(kind, offset, length)| Field { kind: FieldKind(kind), offset, length, flags: 0 };
        Schema::new(descriptor, version, fields.iter().map(field).collect())
    };
    let group = |name, record, schema_index| Group {
        group_record_offset: record,
        group_record_length: 16,
        schema_index,
        ..Group::new(name, Domain::CHIP, &[])
    };
    let catalog = CatalogBuilder::new(0)
        .schema(schema(0xfffe, 0xffff, &[(1, 0, 8), (2, 8, 8)]))
        .schema(schema(0, 1, &[(1, 4, 4), (54, 8, 2), (49, 10, 6)]))
        .group(group("G0", 0, 0))
        .group(group("G1", 64, 1))
        .build()
        .unwrap();
    let mut bytes = vec![1, 2];
    bytes.resize(32, 0);
    for request in [0, 1] {
        bytes.extend([request, 1, 0, 1, 0, 16, 0, 0]);
        bytes.extend([0, 0, 0, 0, 255, 255, 255, 255]);
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 4]);
    }
    let decoded = ResultBuffer::decode(&bytes);
    assert_eq!(decoded.diagnostics, []);
    let requests = [&catalog.groups[0], &catalog.groups[1]].map(Request::of_group);
    let counters = Counters::read(&decoded.buffer.unwrap(), &requests, &catalog);
    let read: Vec<(u32, u8, u64)> =
        (counters.iter()).map(|counter| (counter.address, counter.width, counter.value)).collect();
    let wide = [(0, 8, (1 << 32) + 2), (8, 8, (3 << 48) + 4)];
    let narrow = [(64 + 4, 4, 2), (64 + 8, 2, 3), (64 + 10, 6, 4)];
    assert_eq!(read, [&wide[..], &narrow[..]].concat());
}

/// 55 and 56 are fields of real catalogs, and not of the document.
#[test]
fn fields_that_the_document_lacks_have_names_and_are_reported() {
    let kinds = [(55_u16, Some("TIME_OF_DAY")), (56, Some("TIME_OF_DAY_FENCE")), (57, None)];
    for (kind, name) in kinds {
        assert_eq!(FieldKind(kind).name().as_deref(), name);
        let at = SCHEMA + 0x10;
        let told = found(&patched(at, &kind.to_be_bytes()));
        assert!(told.contains(&(Code::UnknownField, Some(0), at)), "{kind}: {told:?}");
    }
}

#[test]
fn a_section_is_where_its_extent_says() {
    let catalog = decoded(&base());
    let extents = Section::OF_RECORDS.map(|section| catalog.page0.extent(section).bytes());
    assert_eq!(extents, [SCHEMA, EVENT, GROUP, FORMULA].map(|start| start..start + 4096));
    for (section, bytes) in Section::OF_RECORDS.into_iter().zip(extents) {
        assert_eq!(catalog.offsets(section)[0], bytes.start);
    }
}
