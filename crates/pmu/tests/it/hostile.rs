//! Input that nobody would write, for every PMU: each refusal says where, why, and what to write instead.

use std::collections::BTreeSet;

use counterpoint_pmu::{
    AttributeKind, Context, EncodeError, EncodeErrorKind, Event, Layer, all, encode,
};

/// An event of each PMU, one with unit masks if there is such a one, as it is written.
fn events() -> impl Iterator<Item = (Event, String)> {
    all().map(|pmu| {
        let machine = Context::new(Layer::Raw).machine;
        let with_masks = pmu.events().find(|event| {
            let attributes = event.attributes(Layer::Raw, &machine);
            attributes.first().is_some_and(|first| first.kind == AttributeKind::Umask)
        });
        let event = with_masks.or_else(|| pmu.events().next());
        let event = event.unwrap_or_else(|| panic!("{pmu:?} has no event"));
        let name = if pmu.name == "perf_raw" { "r1a8" } else { event.name };
        (event, format!("{}::{name}", pmu.name))
    })
}

const LAYERS: [Layer; 3] = [Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt];

/// The refusal of a string, which stands in it and helps.
fn refusal(string: &str, context: &Context) -> EncodeError {
    let error = match encode(string, context) {
        Ok(encoding) => panic!("{string:.80} is {encoding:?}"),
        Err(error) => error,
    };
    assert!(string.get(error.span.clone()).is_some(), "{string:.80}: {:?}", error.span);
    assert!(!error.to_string().is_empty() && !error.help().is_empty(), "{string:.80}");
    error
}

#[test]
fn attributes_that_are_empty_or_no_words_are_unknown() {
    for (event, name) in events() {
        for context in LAYERS.map(Context::new) {
            for attribute in ["", "é", "☃=1", "\0", "u\0", "k\0=1", "=", "=1", "u:", "nonsense"]
            {
                let error = refusal(&format!("{name}:{attribute}"), &context);
                assert_eq!(error.code(), "ATTR", "{name}:{attribute} {error:?}");
                if ["", "=", "=1"].contains(&attribute) {
                    assert_eq!(error.to_string(), "an attribute has no name", "{name}");
                }
                let EncodeErrorKind::UnknownAttribute { known, .. } = &error.kind else { continue };
                let attributes = event.attributes(context.layer, &context.machine);
                let names: Vec<&str> = attributes.iter().map(|one| one.name).collect();
                assert_eq!(*known, names, "{name}");
            }
        }
    }
}

#[test]
fn numbers_beyond_every_range_are_refused_where_they_stand() {
    let mut families = BTreeSet::new();
    let large = ["18446744073709551615", "99999999999999999999999", "-1", "0xffffffffffffffffffff"];
    for (event, name) in events() {
        for context in LAYERS.map(Context::new) {
            for attribute in event.attributes(context.layer, &context.machine) {
                let Some(range) = attribute.range.clone() else { continue };
                let wide = *range.end() == u64::MAX;
                for number in large.into_iter().chain([""; 1]).filter(|n| n.is_empty() || !wide) {
                    let string = format!("{name}:{}={number}", attribute.name);
                    let error = refusal(&string, &context);
                    let code = error.code();
                    // Without its unit mask an event may be refused before its modifiers are.
                    if code == "ATTR_VAL" && !number.is_empty() {
                        assert_eq!(&string[error.span.clone()], number, "{string}");
                        let named = error.to_string().ends_with(&format!("cannot be {number}"));
                        assert!(named || !error.to_string().contains("cannot be"), "{error}");
                        families.insert(attribute.name);
                    }
                    let expected = ["ATTR_VAL", "UMASK", "ATTR"].contains(&code);
                    // So may one whose device the machine lacks.
                    let lacks = event.pmu.devices().next().is_some() && code.starts_with("NOT");
                    assert!(expected || lacks, "{string}: {code}");
                }
            }
        }
    }
    assert!(
        families.is_superset(&BTreeSet::from(["c", "t", "cpu", "precise", "thr"])),
        "{families:?}"
    );
}

#[test]
fn more_than_64_attributes_are_too_many() {
    let context = Context::new(Layer::Raw);
    let mut refused = 0;
    for (event, name) in events() {
        let attributes = event.attributes(Layer::Raw, &context.machine);
        let Some(first) = attributes.first().filter(|first| first.equiv.is_none()) else {
            continue;
        };
        let value = if first.range.is_some() { "=1" } else { "" };
        for count in [65, 66, 1000] {
            let string = format!("{name}{}", format!(":{}{value}", first.name).repeat(count));
            let error = refusal(&string, &context);
            assert_eq!(error.code(), "TOOMANY", "{name}: {error:?}");
            assert_eq!(&string[error.span], format!("{}{value}", first.name));
            refused += 1;
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn megabytes_are_refused_as_fast_as_they_are_read() {
    let context = Context::new(Layer::PerfEventExt);
    let long = "x".repeat(1 << 20);
    let colons = ":".repeat(1 << 20);
    let names = [
        "spr::L1D",
        "amd64_fam19h_zen4::RETIRED_INSTRUCTIONS",
        "arm_n1::CPU_CYCLES",
        "perf::CYCLES",
    ];
    for name in names {
        let cases = [
            (format!("{name}:{long}"), "ATTR"),
            (format!("{name}:{long}=1"), "ATTR"),
            (format!("{name}:u={long}"), "ATTR_VAL"),
            (format!("{name}:cpu={}", "9".repeat(1 << 20)), "ATTR_VAL"),
            (format!("{name}{colons}"), "ATTR"),
            (format!("{name}:0x{}", "f".repeat(1 << 20)), "ATTR"),
            (format!("{name}{long}"), "NOTFOUND"),
            (format!("{long}::{name}"), "NOTFOUND"),
            (format!("{}::{name}", "é".repeat(1 << 19)), "NOTFOUND"),
            (format!("{name}:{}", "é.".repeat(1 << 18)), "ATTR"),
            (format!("{name},{long}"), "INVAL"),
        ];
        for (string, code) in cases {
            let error = refusal(&string, &context);
            assert_eq!(error.code(), code, "{string:.40}");
        }
    }
}
