use counterpoint_pmu::{
    Attribute, AttributeKind, Context, Controller, Layer, Machine, Pmu, PmuKind, Privilege,
    Speculative, all, encode, find,
};

use super::columns::Columns;
use super::corrections::Corrections;

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
        let events = ["perf", "perf_raw"].into_iter().filter_map(find).flat_map(|pmu| pmu.events());
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
    assert!(attributes.iter().all(|attribute| attribute.description().is_some()));
}

/// Each group of unit masks has its own default.
#[test]
fn a_default_applies_in_each_group_without_a_unit_mask() {
    let event = find("perf").unwrap().event("PERF_COUNT_HW_CACHE_LL").unwrap();
    let attributes = event.attributes(Layer::Raw, &Machine::default());
    let defaults: Vec<(&str, Option<u8>)> = (attributes.iter())
        .filter(|attribute| attribute.is_default)
        .map(|attribute| (attribute.name, attribute.group))
        .collect();
    let [("READ", operation), ("MISS", result)] = defaults[..] else { panic!("{defaults:?}") };
    assert_ne!(operation, result);
    let context = context(Layer::Raw);
    let encoded = |text: &str| encode(text, &context).unwrap().fully_qualified;
    assert_eq!(encoded("PERF_COUNT_HW_CACHE_LL"), "perf::PERF_COUNT_HW_CACHE_LL:READ:MISS");
    assert_eq!(encoded("PERF_COUNT_HW_CACHE_LL:WRITE"), "perf::PERF_COUNT_HW_CACHE_LL:WRITE:MISS");
    assert_eq!(encode("hsw::TX_MEM", &context).unwrap_err().code(), "UMASK", "it has no default");
}

/// Unit masks of a group are combined, unless one of them is for itself.
#[test]
fn unit_masks_of_a_group_are_combined_unless_one_is_alone() {
    let event = find("spr").unwrap().event("BR_INST_RETIRED").unwrap();
    let attributes = event.attributes(Layer::Raw, &Machine::default());
    let is_alone = |name: &str| attributes.iter().find(|a| a.name == name).unwrap().is_alone;
    assert!(is_alone("COND"));
    let context = context(Layer::Raw);
    let code = |text: &str| encode(text, &context).map(|encoding| encoding.codes[0]);
    let refused = code("spr::BR_INST_RETIRED:COND:NEAR_CALL").unwrap_err();
    assert_eq!(refused.code(), "FEATCOMB");
    let mut combined = 0;
    for event in find("snb").unwrap().events() {
        let attributes = event.attributes(Layer::Raw, &Machine::default());
        let masks: Vec<_> = (attributes.iter())
            .filter(|a| a.kind == AttributeKind::Umask && !a.is_alone && a.equiv.is_none())
            .collect();
        let encoded = |masks: &str| code(&format!("snb::{}:{masks}", event.name));
        for pair in masks.windows(2).filter(|pair| pair[0].group == pair[1].group) {
            let [a, b] = [pair[0].name, pair[1].name];
            let (Ok(both), Ok(first), Ok(second)) =
                (encoded(&format!("{a}:{b}")), encoded(a), encoded(b))
            else {
                continue;
            };
            assert_eq!(both, first | second, "{}:{a}:{b}", event.name);
            combined += 1;
        }
    }
    assert!(combined > 10, "{combined}");
}

#[test]
fn an_alias_says_what_it_stands_for() {
    let perf = find("perf").unwrap();
    let event = perf.event("l1-dcache-load-misses").unwrap();
    assert_eq!(event.equiv, Some("PERF_COUNT_HW_CACHE_L1D:READ:MISS"));
    assert_eq!(event.name, "L1-dcache-load-misses", "as perf prints it");
    assert_eq!(perf.events().count(), 82);
    let precise: Vec<&str> = perf.events().filter(|e| e.is_precise()).map(|e| e.name).collect();
    assert_eq!(precise, ["PERF_COUNT_HW_CPU_CYCLES"]);
}

#[test]
fn defaults_are_the_codes_of_unit_masks_and_0_of_modifiers() {
    let machine = Machine::default();
    let (mut masks, mut modifiers) = (0, 0);
    for event in all().flat_map(Pmu::events) {
        for attribute in event.attributes(Layer::PerfEventExt, &machine) {
            let (count, default) = match attribute.kind {
                AttributeKind::Umask => (&mut masks, attribute.code),
                AttributeKind::Bool | AttributeKind::Integer => (&mut modifiers, 0),
                kind => panic!("{kind:?} may have text as its value"),
            };
            *count += 1;
            assert_eq!(attribute.default, default, "{} {}", event.name, attribute.name);
        }
    }
    assert!(masks > 100_000 && modifiers > 100_000, "{masks} {modifiers}");
}

#[test]
fn an_attribute_encodes_as_its_equivalent() {
    let mut same = 0;
    for layer in [Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt] {
        let context = Context::new(layer);
        let encoded = |text: &str| match encode(text, &context) {
            Ok(encoding) => {
                let strings = [encoding.canonical, encoding.fully_qualified];
                Ok((encoding.codes, encoding.perf, strings))
            }
            Err(error) => Err(error.code()),
        };
        for event in all().flat_map(Pmu::events) {
            for attribute in event.attributes(layer, &context.machine) {
                let Some(equiv) = attribute.equiv else { continue };
                let name = format!("{}::{}", event.pmu.name, event.name);
                let short = format!("{name}:{}", attribute.name);
                let encoding = encoded(&short);
                same += usize::from(encoding.is_ok());
                assert_eq!(encoding, encoded(&format!("{name}:{equiv}")), "{short} {layer:?}");
            }
        }
    }
    assert!(same > 1000, "{same}");
}

/// An event that `encode` refuses on a machine without perf_events can still be listed.
#[test]
fn attributes_are_listed_for_a_machine_without_perf_events() {
    let mut context = Context::new(Layer::PerfEvent);
    context.machine.perf_events = false;
    let event = find("spr").unwrap().event("L1D").unwrap();
    let names: Vec<_> =
        event.attributes(context.layer, &context.machine).iter().map(|a| a.name).collect();
    assert!(names.contains(&"REPLACEMENT") && names.contains(&"u"), "{names:?}");
    assert_eq!(encode("spr::L1D:REPLACEMENT:u", &context).unwrap_err().code(), "NOTSUPP");
}

/// Libpfm4's columns for one attribute.
fn facts(attribute: &Attribute) -> [String; 9] {
    let kind = match attribute.kind {
        AttributeKind::Umask => "umask",
        AttributeKind::Bool => "bool",
        _ => "int",
    };
    let controller = if attribute.controller == Controller::Pmu { "pmu" } else { "perf_event" };
    let bit = |bit: bool| u8::from(bit).to_string();
    [
        attribute.name.to_owned(),
        kind.to_owned(),
        format!("{:#x}", attribute.code),
        bit(attribute.is_precise),
        attribute.equiv.unwrap_or("-").to_owned(),
        controller.to_owned(),
        (attribute.speculative as u8).to_string(),
        bit(attribute.hardware_sampling),
        bit(attribute.no_modifiers),
    ]
}

#[test]
fn every_attribute_of_33_pmus_is_as_libpfm_lists_it() {
    let columns = Columns::read(include_bytes!("../../../../fixtures/pmu/attributes.gz"));
    let names = ["attr", "type", "code", "is_precise", "equiv", "ctrl", "is_speculative"];
    let more = ["support_hw_smpl", "support_no_mods"];
    let corrections = Corrections::read();
    let (mut row, mut events, mut corrected, mut wrong) = (0, 0, 0, Vec::new());
    while row < columns.len() {
        let get = |row: usize, name: &str| columns.get(row, name).to_owned();
        let key = |row: usize| ["layer", "pmu", "event"].map(|name| get(row, name));
        let [layer, pmu, event] = key(row);
        let layer = match layer.as_str() {
            "NONE" => Layer::Raw,
            "PERF_EVENT" => Layer::PerfEvent,
            _ => Layer::PerfEventExt,
        };
        let mut machine = Machine::default();
        if matches!(columns.get(row, "arch"), "x86" | "generic") {
            machine.privilege = Privilege::USER | Privilege::KERNEL;
        }
        let found = find(&pmu).and_then(|pmu| match pmu.name {
            "perf_raw" => pmu.events().next(),
            _ => pmu.event(&event),
        });
        let start = row;
        while row < columns.len() && key(row) == key(start) {
            row += 1;
        }
        events += 1;
        let expected: Vec<Vec<String>> = (start..row)
            .map(|row| names.iter().chain(&more).map(|name| get(row, name)).collect())
            .collect();
        let defaults: Vec<bool> =
            (start..row).map(|row| columns.get(row, "is_dfl") == "1").collect();
        let attributes = found.map(|event| event.attributes(layer, &machine)).unwrap_or_default();
        let ours: Vec<Vec<String>> = attributes.iter().map(|a| facts(a).to_vec()).collect();
        let is_default: Vec<bool> = attributes.iter().map(|a| a.is_default).collect();
        // libpfm reports no defaults for `perf`.
        if expected == ours && (pmu == "perf" || defaults == is_default) {
            continue;
        }
        // A corrected unit mask has another code; it may be a default, or stand for others, no more.
        let full = format!("{pmu}::{event}");
        let is_corrected =
            |attribute: &str| corrections.of(&format!("{full}:{attribute}"), "").is_some();
        let plain = |list: &[Vec<String>], defaults: &[bool]| -> Vec<(Vec<String>, bool)> {
            let each = list.iter().zip(defaults).map(|(facts, is_default)| {
                let mut facts = facts.clone();
                if !is_corrected(&facts[0]) {
                    return (facts, *is_default);
                }
                (facts[2], facts[4]) = Default::default();
                (facts, false)
            });
            each.collect()
        };
        // `second-default` of the list of differences.
        let has_second_default = expected == ours && event == "UNC_QMC_WRITES";
        if has_second_default || plain(&expected, &defaults) == plain(&ours, &is_default) {
            corrected += 1;
        } else {
            wrong.push(format!("{layer:?} {pmu}::{event}\n  {expected:?}\n  {ours:?}"));
        }
    }
    let some: Vec<&String> = wrong.iter().step_by(wrong.len() / 8 + 1).collect();
    assert!(wrong.is_empty(), "{} of {events}: {some:#?}", wrong.len());
    assert_eq!((events, corrected), (8_119, 36));
}

#[test]
fn every_pmu_has_all_its_events_and_unit_masks() {
    let (mut pmus, mut events, mut masks) = (0, 0, 0);
    let machine = Machine::default();
    for pmu in all() {
        pmus += 1;
        for event in pmu.events() {
            events += 1;
            let found = pmu.event(event.name).unwrap().name;
            assert!(found.eq_ignore_ascii_case(event.name), "{}: {}", pmu.name, event.name);
            let attributes = event.attributes(Layer::Raw, &machine);
            masks += attributes.iter().filter(|a| a.kind == AttributeKind::Umask).count();
            assert!(event.name.is_ascii() && !event.name.contains([':', '.', '=']), "{event:?}");
            // So begin codes of unit masks.
            let mut names = attributes.iter().map(|attribute| attribute.name.to_ascii_lowercase());
            assert!(!names.any(|name| name.starts_with("0x")), "{event:?}");
        }
    }
    assert_eq!((pmus, events, masks), (719, 45_958, 199_254));
    assert_eq!(all().filter(|pmu| pmu.kind == PmuKind::Uncore).count(), 571);
}

#[test]
fn descriptions_are_known_or_absent() {
    let described = |pmu: &str, text: &str| {
        let event = find(pmu).unwrap().event(text.split(':').next().unwrap()).unwrap();
        let Some((_, mask)) = text.split_once(':') else { return event.description() };
        let attributes = event.attributes(Layer::Raw, &Machine::default());
        attributes.iter().find(|attribute| attribute.name == mask).unwrap().description()
    };
    let request = "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C";
    assert_eq!(
        described("amd64_fam19h_zen3", request),
        Some("L1 data cache requests that missed the L2 cache")
    );
    assert_eq!(described("skl", "L1D:REPLACEMENT"), described("spr", "L1D:REPLACEMENT"));
    // An unknown description is not made up from the name.
    assert_eq!(described("power_torrent", "PM_CAU_CYCLES_WAITING_ON_A_CREDIT"), None);
    // The table's code is not the event that the name promises.
    assert_eq!(described("glm", "CPU_CLK_UNHALTED:CORE_P"), None);
    for pmu in ["skl", "spr", "adl_glc"] {
        assert!(described(pmu, "BR_INST_RETIRED").unwrap().contains("ranch"), "{pmu}");
    }
    assert_eq!(described("perf", "PERF_COUNT_HW_INSTRUCTIONS"), Some("Instructions retired"));
}

/// A description says more than the name does, except where the name is plain English.
#[test]
fn few_descriptions_are_their_names() {
    let machine = Machine::default();
    let words = |text: &str| -> Vec<String> {
        let words =
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_ascii_lowercase).collect()
    };
    let (mut described, mut repeated) = (0, 0);
    let mut count = |name: &str, text: Option<&str>| {
        let Some(text) = text else { return };
        assert!(!text.is_empty() && text.trim() == text, "{name}: {text:?}");
        assert!(!text.contains('\n'), "{name}: {text:?}");
        described += 1;
        repeated += u32::from(words(text) == words(name));
    };
    for event in all().flat_map(Pmu::events) {
        count(event.name, event.description());
        for attribute in event.attributes(Layer::Raw, &machine) {
            if attribute.kind == AttributeKind::Umask {
                count(attribute.name, attribute.description());
            }
        }
    }
    assert!(described > 40_000, "{described} events and unit masks are described");
    assert!(repeated * 100 < described, "{repeated} of {described} repeat their names");
}
