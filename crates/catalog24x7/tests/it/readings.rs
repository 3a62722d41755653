//! Indexes by each reading, and what does not fit together by either.

use counterpoint_catalog24x7::{
    Catalog, CatalogBuilder, Code, Domain, Event, Field, FieldKind, Formula, Group, Links, Reading,
    Schema, Text, check,
};

/// The offsets of the counters of a record.
const COUNTERS: [u16; 4] = [24, 32, 40, 48];

fn schema() -> Schema {
    let field =
        |(offset, number)| Field { kind: FieldKind::counter(number), offset, length: 8, flags: 0 };
    Schema::new(1, 1, COUNTERS.into_iter().zip(1..).map(field).collect())
}

fn event(name: &str, domain: Domain, record: u16, counter: usize, primary: u16) -> Event {
    Event {
        group_record_offset: record,
        group_record_length: 64,
        counter_offset: COUNTERS[counter],
        primary_group_index: primary,
        ..Event::new(name, domain)
    }
}

fn group(name: &str, domain: Domain, record: u16, events: &[u16]) -> Group {
    Group {
        group_record_offset: record,
        group_record_length: 64,
        ..Group::new(name, domain, events)
    }
}

fn built(events: Vec<Event>, groups: Vec<Group>) -> CatalogBuilder {
    let builder = CatalogBuilder::new(1).schema(schema());
    let builder = events.into_iter().fold(builder, CatalogBuilder::event);
    groups.into_iter().fold(builder, CatalogBuilder::group)
}

fn codes(catalog: &Catalog) -> Vec<Code> {
    check(catalog).iter().map(|found| found.code).collect()
}

/// One core group and two of chips, whose indexes are those of a reading.
fn of_two_domains(reading: Reading) -> Catalog {
    let base = if reading == Reading::Document { 1 } else { 0 };
    let events = vec![
        event("CORE", Domain::CORE, 0, 0, 0),
        event("ONE", Domain::CHIP, 128, 0, base),
        event("TWO", Domain::CHIP, 256, 0, base + 1),
    ];
    let groups = vec![
        group("G0", Domain::CORE, 0, &[0]),
        group("G1", Domain::CHIP, 128, &[base]),
        group("G2", Domain::CHIP, 256, &[base + 1]),
    ];
    built(events, groups).build().unwrap()
}

#[test]
fn the_reading_is_that_by_which_records_agree() {
    for reading in [Reading::Domain, Reading::Document] {
        let catalog = of_two_domains(reading);
        let links = Links::new(&catalog);
        assert_eq!(links.reading(), reading);
        for (at, event) in catalog.events.iter().enumerate() {
            assert_eq!(links.primary_group(event), Some(at), "{reading:?}");
        }
        for (at, group) in catalog.groups.iter().enumerate() {
            let listed: Vec<_> = links.slots(group).map(|slot| slot.event).collect();
            assert_eq!(listed, [Some(at)], "{reading:?}");
        }
        let codes = codes(&catalog);
        assert!(codes.iter().all(|code| *code == Code::ReadingsDiffer), "{reading:?}: {codes:?}");
    }
}

#[test]
fn a_reading_that_is_asked_for_is_used() {
    let mut catalog = of_two_domains(Reading::Document);
    catalog.reading = Some(Reading::Domain);
    let links = Links::new(&catalog);
    assert_eq!(links.primary_group(&catalog.events[1]), Some(2), "counted from the first of chips");
    assert!(codes(&catalog).contains(&Code::NoPrimaryGroup));
    catalog.reading = Some(Reading::Document);
    assert_eq!(codes(&catalog), []);
}

/// Records that are twice as long as the events say: the number of the hardware group does not reach them.
#[test]
fn core_groups_are_indexes_if_their_records_agree() {
    let events = vec![event("A", Domain::CORE, 0, 0, 0), event("B", Domain::CORE, 128, 0, 1)];
    let groups = vec![group("G0", Domain::CORE, 0, &[0]), group("G1", Domain::CORE, 128, &[1])];
    let catalog = built(events, groups).build().unwrap();
    let links = Links::new(&catalog);
    assert_eq!(links.primary_group(&catalog.events[1]), Some(1));
    assert!(!codes(&catalog).contains(&Code::NoPrimaryGroup));
}

#[test]
fn a_primary_group_of_the_core_must_exist() {
    for primary in [1, 77, u16::MAX] {
        let events = vec![event("A", Domain::CORE, 0, 0, primary)];
        let catalog = built(events, vec![group("G", Domain::CORE, 0, &[0])]).build().unwrap();
        assert_eq!(codes(&catalog), [Code::NoPrimaryGroup], "{primary}");
    }
}

#[test]
fn an_event_after_the_counted_slots_is_lost() {
    let events = || vec![event("A", Domain::CORE, 0, 0, 0), event("B", Domain::CORE, 0, 2, 0)];
    let mut hole = group("G", Domain::CORE, 0, &[0, Group::FREE, 1]);
    hole.event_count = 2;
    assert_eq!(codes(&built(events(), vec![hole.clone()]).build().unwrap()), [Code::LostSlot]);
    hole.event_count = 3;
    let catalog = built(events(), vec![hole]).build().unwrap();
    assert_eq!(codes(&catalog), []);
    let links = Links::new(&catalog);
    let used: Vec<_> = links.slots(&catalog.groups[0]).map(|s| (s.slot, s.event)).collect();
    assert_eq!(used, [(0, Some(0)), (2, Some(1))], "the free slot is left out");
}

#[test]
fn filtered_and_sampled_events_have_no_description() {
    for name in ["A_USER", "A_KERNEL", "A_SAMPLE", "A_LAST_SAMPLE"] {
        let described =
            Event { description: Some(Text::new("text")), ..event(name, Domain::CORE, 0, 0, 0) };
        let groups = || vec![group("G", Domain::CORE, 0, &[0])];
        let catalog = built(vec![described.clone()], groups()).build().unwrap();
        assert_eq!(codes(&catalog), [Code::VariantDescribed], "{name}");
        let detailed = Event {
            description: Some(Text::default()),
            detailed_description: Some(Text::new("text")),
            ..described
        };
        let catalog = built(vec![detailed], groups()).build().unwrap();
        assert_eq!(codes(&catalog), [Code::VariantDescribed], "{name}");
    }
    let plain = Event {
        description: Some(Text::new("text")),
        ..event("SUPER_USERS", Domain::CORE, 0, 0, 0)
    };
    let catalog = built(vec![plain], vec![group("G", Domain::CORE, 0, &[0])]).build().unwrap();
    assert_eq!(codes(&catalog), []);
}

#[test]
fn two_events_are_in_every_core_group() {
    let events = || {
        vec![
            event("A", Domain::CORE, 0, 0, 0),
            event("HPM_NON_IDLE_INST", Domain::CORE, 0, 2, 0),
            event("HPM_NON_IDLE_PCYC", Domain::CORE, 0, 3, 0),
        ]
    };
    let whole = || group("G", Domain::CORE, 0, &[0, Group::FREE, 1, 2]);
    assert_eq!(codes(&built(events(), vec![whole()]).build().unwrap()), []);
    let lacking = group("H", Domain::CORE, 64, &[0]);
    let catalog = built(events(), vec![whole(), lacking]).build().unwrap();
    assert_eq!(codes(&catalog), [Code::NotEverywhere, Code::NotEverywhere]);
    assert!(check(&catalog).iter().all(|found| found.index == Some(1)));
}

/// Slots have their counters in real catalogs; in the document, a counter is any field of the schema.
#[test]
fn a_counter_is_a_field_of_the_schema() {
    let mut of = event("A", Domain::CORE, 0, 3, 0);
    let codes_of = |of: &Event, reading| {
        let builder = built(vec![of.clone()], vec![group("G", Domain::CORE, 0, &[0])]);
        let mut catalog = builder.build().unwrap();
        catalog.reading = Some(reading);
        codes(&catalog)
    };
    assert_eq!(codes_of(&of, Reading::Document), []);
    assert_eq!(codes_of(&of, Reading::Domain), [Code::NotItsCounter]);
    of.name = Some(Text::new("A_SAMPLE"));
    assert_eq!(codes_of(&of, Reading::Domain), [], "increments are after all counters");
    of.counter_offset = 8;
    for reading in [Reading::Document, Reading::Domain] {
        assert_eq!(codes_of(&of, reading), [Code::NotItsCounter]);
    }
}

#[test]
fn a_single_formula_may_be_that_of_every_event() {
    let of = Event { formula_index: 0, ..event("A", Domain::CORE, 0, 0, 0) };
    let catalog = |formulas: usize| {
        let builder = built(vec![of.clone()], vec![group("G", Domain::CORE, 0, &[0])]);
        (0..formulas).fold(builder, |b, n| b.formula(Formula::new(&format!("F{n}"), "A 2 *")))
    };
    let formula = |catalog: &Catalog| Links::new(catalog).formula(&catalog.events[0]);
    assert_eq!(formula(&catalog(1).build().unwrap()), Some(0));
    assert_eq!(formula(&catalog(0).build().unwrap()), None, "the field was reserved");
}
