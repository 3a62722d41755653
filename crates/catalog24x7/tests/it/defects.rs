//! One defect each: the base catalog with a few bytes changed, the only new finding, and its place.

use crate::base;
use counterpoint_catalog24x7::{Catalog, Code, Severity, check};

fn found(bytes: &[u8]) -> Vec<(Code, Option<usize>, usize)> {
    let decoded = Catalog::decode(bytes);
    assert!(decoded.diagnostics.is_empty(), "{:?}", decoded.diagnostics);
    let findings = check(&decoded.catalog.unwrap()).into_iter();
    findings
        .filter(|found| found.severity != Severity::Info)
        .map(|found| (found.code, found.index, found.offset))
        .collect()
}

/// The base with these bytes at this place.
fn patched(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut base = base();
    base[at..at + bytes.len()].copy_from_slice(bytes);
    base
}

const SCHEMAS: usize = 0x1000;
const EVENTS: usize = 0x2000;
const GROUPS: usize = 0x3000;

#[test]
fn the_base_has_no_defect() {
    assert_eq!(found(&base()), []);
}

#[test]
fn every_defect_is_found_at_its_place() {
    let name = EVENTS + 0x16;
    for (what, bytes, expected) in [
        ("a byte of page 0 after its fields", patched(0x80, &[1]), (Code::Reserved, None, 0x80)),
        ("the last byte of page 0", patched(0xfff, &[1]), (Code::Reserved, None, 0xfff)),
        ("month 13", patched(0x14, b"13"), (Code::BuildDate, None, 0x10)),
        ("hour 24", patched(0x18, b"24"), (Code::BuildDate, None, 0x10)),
        (
            "a control character in a name",
            patched(name + 2, &[7]),
            (Code::ControlCharacter, Some(0), name + 2),
        ),
        (
            "DEL in a description",
            patched(EVENTS + 0x16 + 12 + 2, &[0x7f]),
            (Code::ControlCharacter, Some(0), EVENTS + 0x16 + 12 + 2),
        ),
        ("a slash in a name", patched(name + 4, b"/"), (Code::EventName, Some(0), name + 4)),
        ("a blank in a name", patched(name + 4, b" "), (Code::EventName, Some(0), name + 4)),
        ("a comma in a name", patched(name + 4, b","), (Code::EventName, Some(0), name + 4)),
        (
            "two fields of one kind",
            patched(SCHEMAS + 16 + 8, &48_u16.to_be_bytes()),
            (Code::RepeatedField, Some(0), SCHEMAS + 16 + 8),
        ),
    ] {
        assert_eq!(found(&bytes), [expected], "{what}");
    }
}

#[test]
fn a_schema_without_fields_is_reported() {
    let mut catalog = Catalog::decode(&base()).catalog.unwrap();
    catalog.schemas[1].fields.clear();
    catalog.schemas[1].field_count = 0;
    let found = check(&catalog);
    assert!(found.iter().any(|f| (f.code, f.index) == (Code::NoFields, Some(1))), "{found:?}");
}

#[test]
fn two_groups_of_one_name_are_reported() {
    let mut catalog = Catalog::decode(&base()).catalog.unwrap();
    catalog.groups[1].name = catalog.groups[0].name.clone();
    let mut found = check(&catalog);
    found.retain(|found| found.severity != Severity::Info);
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((only.code, only.index), (Code::DuplicateName, Some(1)));
    assert_eq!(only.message, "group 0 is also called `CORE_ALPHA`");
    assert!(only.offset > GROUPS);
}

#[test]
fn a_slot_of_an_event_without_a_record_is_reported() {
    // Event 1 is in slot 1 of group 0.
    let mut catalog = Catalog::decode(&base()).catalog.unwrap();
    catalog.events[1].group_record_length = 0;
    let mut found = check(&catalog);
    found.retain(|found| found.severity != Severity::Info);
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((only.code, only.index, only.offset), (Code::NoRecord, Some(0), GROUPS + 0x12));
    assert_eq!(only.message, "slot 1: the event `CORE_BETA` has no group record");
}

/// The kernel calls the second event `X` `X__1`.
#[test]
fn a_name_that_the_kernel_gives_to_a_duplicate_is_reported() {
    let named = |names: [(usize, &str); 3]| {
        let mut catalog = Catalog::decode(&base()).catalog.unwrap();
        for (index, name) in names {
            catalog.events[index].name = Some(name.into());
        }
        let found = check(&catalog).into_iter().filter(|found| found.code == Code::DuplicateName);
        found.map(|found| (found.index.unwrap(), found.message)).collect::<Vec<_>>()
    };
    let found = named([(2, "SAME"), (3, "SAME"), (4, "SAME__1")]);
    let told: Vec<_> = found.iter().map(|(index, message)| (*index, message.as_str())).collect();
    assert_eq!(
        told,
        [
            (3, "event 2, in the same domain, is also called `SAME`"),
            (4, "the kernel calls duplicate 1 of `SAME` so, too"),
        ]
    );
    assert_eq!(named([(2, "SAME"), (3, "OTHER"), (4, "SAME__1")]), []);
    assert_eq!(named([(2, "SAME"), (3, "SAME"), (4, "SAME__2")]).len(), 1);
}

/// The driver reads as many pages as page 0 states, and rejects a catalog whose events lie past them.
#[test]
fn sections_past_the_stated_length_are_errors() {
    for (pages, sections) in [(0_u32, 4), (1, 4), (2, 3), (4, 1)] {
        let found = found(&patched(4, &pages.to_be_bytes()));
        let past = found.iter().filter(|found| found.0 == Code::PastStatedLength);
        assert_eq!(past.count(), sections, "{pages} pages: {found:?}");
        assert_eq!(found[0], (Code::FileLength, None, 4));
        assert_eq!(found.len(), sections + 1);
    }
    assert_eq!(Code::PastStatedLength.severity(), Severity::Error);
}
