use counterpoint_pmu::syntax::{self, Source};
use counterpoint_pmu::sysfs::{Format, Pmu, boxes};
use counterpoint_pmu::{
    Attribute, AttributeKind, Context, Event, Layer, Machine, Privilege, all, encode, find, kernel,
    program, similar,
};
use proptest::prelude::*;

/// Texts made of what the syntax is made of.
fn event_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("cycles".to_owned()),
        Just("cpu/".to_owned()),
        Just("mem:0x10".to_owned()),
        Just("r1a8".to_owned()),
        Just(":ukpp".to_owned()),
        Just("event=0x3c".to_owned()),
        "[a-zé{}/,:=' rwx0-9?]{0,6}",
        any::<char>().prop_map(|c| c.to_string()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Strings of libpfm's grammar, most of them accepted.
fn libpfm_string() -> impl Strategy<Value = String> {
    let os = ["perf", "perf_raw"].into_iter().filter_map(find);
    let names: Vec<&str> = os.flat_map(|pmu| pmu.events()).map(|event| event.name).collect();
    let event = prop_oneof![
        8 => proptest::sample::select(names).prop_map(str::to_owned),
        1 => "r[0-9a-f]{1,17}",
        1 => "[a-z:.]{0,5}",
    ];
    let attribute = prop_oneof![
        proptest::sample::select(vec![
            "READ", "WRITE", "ACCESS", "MISS", "u", "k", "h", "mg", "mh", "excl", "pinned",
            "hw_smpl",
        ])
        .prop_map(str::to_owned),
        ("u|k|h|mg|mh|excl|pinned|period|freq|precise|cpu", 0u64..5)
            .prop_map(|(name, value)| format!("{name}={value}")),
    ];
    (event, proptest::collection::vec(attribute, 0..6), any::<bool>()).prop_map(
        |(event, attributes, dots)| {
            let separator = if dots { "." } else { ":" };
            std::iter::once(event).chain(attributes).collect::<Vec<_>>().join(separator)
        },
    )
}

/// Strings for events of tables, with attributes that they have, by name or by code.
fn table_string() -> impl Strategy<Value = String> {
    let events: Vec<Event> = all().step_by(7).flat_map(|pmu| pmu.events()).collect();
    proptest::sample::select(events).prop_flat_map(|event| {
        let attributes = event.attributes(Layer::PerfEventExt, &Machine::default());
        let raw = event.attributes(Layer::Raw, &Machine::default());
        let attribute = |attribute: &Attribute| match attribute.kind {
            AttributeKind::Umask => attribute.name.to_owned(),
            _ => format!("{}=1", attribute.name),
        };
        let mut names: Vec<String> = attributes.iter().chain(&raw).map(attribute).collect();
        names.extend(["0x1", "t=2", "c=1", "e=0", "ldlat=4", "nf=2", "k=0"].map(str::to_owned));
        let name = format!("{}::{}", event.pmu.name, event.name);
        proptest::collection::vec(proptest::sample::select(names), 0..5)
            .prop_map(move |names| [vec![name.clone()], names].concat().join(":"))
    })
}

fn any_context() -> impl Strategy<Value = Context> {
    let layers = vec![Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt];
    (proptest::sample::select(layers), 0u32..32, 0u32..32).prop_map(|(layer, default, known)| {
        let mut context = Context::new(layer);
        context.privilege = Privilege::from_bits(default).expect("five bits");
        context.machine.privilege = Privilege::from_bits(known).expect("five bits");
        context
    })
}

/// An attribute three times, of which libpfm takes any last value after two equal ones: of one event of each PMU each modifier.
#[test]
fn repeated_attributes_have_a_canonical_string_of_the_same() {
    let values = ["", "=0", "=1"];
    let mut checked = 0;
    for layer in [Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt] {
        for default in [0, 1, 31].map(|bits| Privilege::from_bits(bits).expect("five bits")) {
            let mut context = Context::new(layer);
            context.privilege = default;
            for pmu in all() {
                let Some(event) = pmu.events().next() else { continue };
                let attributes = event.attributes(layer, &context.machine);
                let is_switch = |attribute: &&Attribute| attribute.kind != AttributeKind::Umask;
                for attribute in attributes.iter().filter(is_switch) {
                    for number in 0..27 {
                        let written = [number / 9, number / 3 % 3, number % 3];
                        let written =
                            written.map(|at| format!(":{}{}", attribute.name, values[at]));
                        let string = format!("{}::{}{}", pmu.name, event.name, written.concat());
                        let Ok(encoding) = encode(&string, &context) else { continue };
                        let again = encode(&encoding.canonical, &context);
                        assert_eq!(Ok(&encoding), again.as_ref(), "{string} {layer:?}");
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

proptest! {
    #[test]
    fn the_canonical_string_encodes_to_the_same(string in libpfm_string(), context in any_context()) {
        match encode(&string, &context) {
            Ok(encoding) => {
                let again = encode(&encoding.canonical, &context);
                prop_assert_eq!(Ok(&encoding), again.as_ref(), "{}", encoding.canonical);
            }
            Err(error) => prop_assert!(string.get(error.span.clone()).is_some(), "{error:?}"),
        }
    }

    #[test]
    fn canonical_strings_of_tables_encode_to_the_same(string in table_string(), context in any_context()) {
        match encode(&string, &context) {
            Ok(encoding) => {
                let again = encode(&encoding.canonical, &context);
                prop_assert_eq!(Ok(&encoding), again.as_ref(), "{}", encoding.canonical);
                let program = program(&string, &context).unwrap();
                prop_assert_eq!((program.codes, program.perf), (encoding.codes, encoding.perf));
            }
            Err(error) => prop_assert!(string.get(error.span.clone()).is_some(), "{error:?}"),
        }
    }

    #[test]
    fn no_string_makes_encode_panic(string in event_text(), text: String, context in any_context()) {
        for string in [string.as_str(), text.as_str()] {
            if let Err(error) = encode(string, &context) {
                prop_assert!(string.get(error.span.clone()).is_some(), "{error:?}");
            }
        }
    }

    #[test]
    fn no_text_makes_the_syntax_panic_and_spans_lie_inside(text in event_text()) {
        match syntax::parse(&text) {
            Ok(groups) => for event in groups.iter().flat_map(|group| &group.events) {
                prop_assert_eq!(&text[event.span.clone()], event.text.as_str());
                if let Source::Pmu { terms, .. } = &event.source {
                    for term in terms {
                        prop_assert!(text.get(term.span.clone()).is_some());
                        prop_assert!(text.get(term.value_span.clone()).is_some());
                    }
                }
            },
            Err(error) => prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}"),
        }
    }

    #[test]
    fn splitting_modifiers_loses_nothing(text in event_text()) {
        let (name, modifiers) = syntax::split_modifiers(&text);
        prop_assert!(text.starts_with(name));
        prop_assert_eq!(modifiers.is_none(), name.len() == text.len());
    }

    #[test]
    fn terms_print_as_they_are_read(
        terms in proptest::collection::vec(("[a-z]{1,5}", prop::option::of(any::<u64>())), 1..5),
    ) {
        let written: Vec<String> = terms
            .iter()
            .map(|(name, value)| value.map_or(name.clone(), |value| format!("{name}={value:#x}")))
            .collect();
        let text = format!("cpu/{}/u", written.join(","));
        let groups = syntax::parse(&text).unwrap();
        let Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!("{text}") };
        let printed: Vec<String> = terms.iter().map(ToString::to_string).collect();
        prop_assert_eq!(printed, written);
    }

    #[test]
    fn gather_undoes_scatter(mask: u64, value: u64, word: u64) {
        let bits: Vec<String> =
            (0..64).filter(|bit| mask >> bit & 1 != 0).map(|bit| bit.to_string()).collect();
        prop_assume!(!bits.is_empty());
        let format = Format::parse("f", &format!("config:{}", bits.join(","))).unwrap();
        prop_assert_eq!(format.mask, mask);
        let value = value & format.max();
        prop_assert_eq!(format.scatter(value) & !mask, 0);
        prop_assert_eq!(format.gather(format.scatter(value)), value);
        prop_assert_eq!(format.scatter(format.gather(word)), word & mask);
    }

    #[test]
    fn a_value_is_taken_exactly_when_it_fits(width in 1u32..=64, value: u64) {
        let text = format!("config1:0-{}", width - 1);
        let pmu = Pmu::from_files("p", 1, [("f", text.as_str())], []);
        let list = format!("p/f={value}/");
        let groups = syntax::parse(&list).unwrap();
        let Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!("{list}") };
        let fits = width == 64 || value >> width == 0;
        prop_assert_eq!(pmu.encode(terms).ok().map(|c| c.config1), fits.then_some(value));
    }

    #[test]
    fn sysfs_texts_never_panic(name in "[a-z.]{0,8}", format in event_text(), event in event_text()) {
        let pmu = Pmu::from_files(&name, 0, [(name.as_str(), format.as_str())], [(name.as_str(), event.as_str())]);
        prop_assert!(pmu.formats.len() + pmu.events.len() + pmu.problems.len() <= 3);
        for event in &pmu.events {
            // The text of a file may not fit the formats, but it is an error then.
            let _ = pmu.encode(&event.terms).is_ok();
        }
    }

    #[test]
    fn a_glob_with_a_star_in_place_of_a_part_matches(name in "[a-z_0-9]{1,12}", from in 0usize..12, to in 0usize..12) {
        let (from, to) = (from.min(name.len()), to.min(name.len()));
        let (from, to) = (from.min(to), from.max(to));
        let glob = format!("{}*{}", &name[..from], &name[to..]);
        prop_assert_eq!(boxes([name.as_str()], &glob), [name.as_str()]);
    }

    #[test]
    fn similar_and_find_take_any_text(text: String) {
        let names: Vec<&str> = kernel::all().flat_map(|event| event.names()).collect();
        prop_assert!(similar(&text, names.iter().copied()).len() <= 3);
        let known = names.iter().any(|name| name.eq_ignore_ascii_case(&text));
        prop_assert!(kernel::find(&text).is_some() == known || text.contains("PERF"));
    }
}
