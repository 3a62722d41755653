use counterpoint_pmu::{
    Attribute, AttributeKind, Controller, Layer, Machine, Speculative, all, find,
};

use super::encode::{context, rows};

const ATTRIBUTES: &str = include_str!("../../../../fixtures/pmu/perf-attributes.tsv");

/// In the form of the fixture.
fn listed(attributes: &[Attribute]) -> String {
    let one = |(index, attribute): (usize, &Attribute)| {
        assert_eq!(attribute.index, index);
        let kind = match attribute.kind {
            AttributeKind::Umask => "umask",
            AttributeKind::Bool => "bool",
            AttributeKind::Integer => "int",
            _ => panic!("{attribute:?}"),
        };
        let controller = match attribute.controller {
            Controller::Pmu => "pmu",
            Controller::PerfEvent => "perf_event",
            _ => panic!("{attribute:?}"),
        };
        format!("{}/{kind}/{:#x}/{controller}", attribute.name, attribute.code)
    };
    attributes.iter().enumerate().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_layer_lists_what_libpfm_lists() {
    for (name, layer) in [
        ("NONE", Layer::Raw),
        ("PERF_EVENT", Layer::PerfEvent),
        ("PERF_EVENT_EXT", Layer::PerfEventExt),
    ] {
        let machine = context(layer).machine;
        let mut with_attributes = 0;
        for row in rows(ATTRIBUTES).filter(|row| row("layer") == name) {
            let event = match row("pmu") {
                "perf_raw" => find("perf_raw").unwrap().events().next(),
                pmu => find(pmu).unwrap().event(row("event")),
            };
            let event = event.unwrap_or_else(|| panic!("{} is not found", row("event")));
            assert_eq!(
                listed(&event.attributes(layer, &machine)),
                row("attributes"),
                "{}",
                event.name
            );
            with_attributes += 1;
        }
        let events = all().flat_map(|pmu| pmu.events());
        let ours = events.filter(|event| !event.attributes(layer, &machine).is_empty()).count();
        assert_eq!(ours, with_attributes, "{name}");
    }
}

#[test]
fn a_unit_mask_says_what_it_is() {
    let event = find("perf").unwrap().event("PERF_COUNT_HW_CACHE_L1D").unwrap();
    let attributes = event.attributes(Layer::PerfEventExt, &Machine::default());
    let miss = attributes.iter().find(|attribute| attribute.name == "MISS").unwrap();
    assert_eq!((miss.code, miss.default, miss.is_default), (0x10000, 0x10000, true));
    assert_eq!(
        (miss.equiv, miss.is_precise, miss.speculative),
        (None, false, Speculative::Unknown)
    );
    let precise = attributes.iter().find(|attribute| attribute.name == "precise").unwrap();
    assert_eq!((precise.range.clone(), precise.default), (Some(0..=3), 0));
    // A machine without a known PMU has the hypervisor's level.
    assert!(attributes.iter().any(|attribute| attribute.name == "h"));
    assert!(attributes.iter().all(|attribute| !attribute.description().is_empty()));
}

#[test]
fn an_alias_says_what_it_stands_for() {
    let perf = find("perf").unwrap();
    let event = perf.event("l1-dcache-load-misses").unwrap();
    assert_eq!(event.equiv, Some("PERF_COUNT_HW_CACHE_L1D:READ:MISS"));
    assert_eq!(perf.events().count(), 82);
    let precise: Vec<&str> = perf.events().filter(|e| e.is_precise).map(|e| e.name).collect();
    assert_eq!(precise, ["PERF_COUNT_HW_CPU_CYCLES"]);
}
