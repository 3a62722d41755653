use counterpoint_pmu::Privilege;
use counterpoint_pmu::syntax::{
    self, Breakpoint, EventSpec, Modifiers, Probe, Source, SyntaxErrorKind, Term, Value,
    split_modifiers,
};

fn one(text: &str) -> EventSpec {
    let mut groups = syntax::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(groups.len(), 1, "{text}");
    assert_eq!(groups[0].events.len(), 1, "{text}");
    groups.remove(0).events.remove(0)
}

fn letters(modifiers: Modifiers) -> String {
    let flags = [
        ('u', modifiers.user),
        ('k', modifiers.kernel),
        ('h', modifiers.hypervisor),
        ('H', modifiers.host),
        ('G', modifiers.guest),
        ('I', modifiers.exclude_idle),
        ('P', modifiers.precise_max),
        ('D', modifiers.pinned),
        ('e', modifiers.exclusive),
        ('W', modifiers.weak),
    ];
    let set = flags.into_iter().filter(|flag| flag.1).map(|flag| flag.0);
    set.chain(std::iter::repeat_n('p', modifiers.precise.into())).collect()
}

/// Groups as `{a b}:mods`, to compare in one line.
fn shape(list: &str) -> String {
    let groups = syntax::parse(list).unwrap_or_else(|error| panic!("{list}: {error}"));
    let event = |event: &EventSpec| match letters(event.modifiers) {
        letters if letters.is_empty() => event.text.clone(),
        letters => format!("{}~{letters}", event.text),
    };
    let group = |group: &syntax::Group| {
        let events: Vec<String> = group.events.iter().map(event).collect();
        if group.braces { format!("{{{}}}", events.join(" & ")) } else { events.join(" & ") }
    };
    groups.iter().map(group).collect::<Vec<_>>().join(" | ")
}

#[test]
fn lists_and_groups() {
    let cases = [
        ("cycles", "cycles"),
        ("cycles,instructions", "cycles | instructions"),
        (" cycles , instructions\n", "cycles | instructions"),
        ("{cycles,instructions}", "{cycles & instructions}"),
        ("{cycles,instructions}:u", "{cycles~u & instructions~u}"),
        ("{a,b}:ukD,c", "{a~ukD & b~uk} | c"),
        ("{a, b},{c}:k", "{a & b} | {c~k}"),
        ("{r1a:k,cpu/x=1/p}:u", "{r1a:k~uk & cpu/x=1/p~up}"),
        ("cpu/event=0x3c,umask=0x1/,cycles", "cpu/event=0x3c,umask=0x1/ | cycles"),
        ("cpu/event=0x3c/uk", "cpu/event=0x3c/uk~uk"),
        ("cpu/event=0x3c/:ppp", "cpu/event=0x3c/:ppp~ppp"),
        ("PERF_COUNT_HW_CACHE_L1D:READ:MISS:u=1", "PERF_COUNT_HW_CACHE_L1D:READ:MISS:u=1"),
        ("spr::L1D.REPLACEMENT:u", "spr::L1D.REPLACEMENT:u"),
        ("sched:sched_switch", "sched:sched_switch"),
        ("Useful cycles per instruction,b", "Useful cycles per instruction | b"),
        ("r1a8", "r1a8"),
        ("mem:0x1000/8:rw:u,cycles", "mem:0x1000/8:rw:u~u | cycles"),
        ("cpu//", "cpu//"),
        ("größe,zähler", "größe | zähler"),
    ];
    for (list, expected) in cases {
        assert_eq!(shape(list), expected, "{list}");
    }
}

#[test]
fn the_spans_are_those_of_the_texts() {
    let list = " {cycles , cpu/event=0x3c , name='a,b/c'/u}:k, mem:0x10 ,größe";
    for group in syntax::parse(list).unwrap() {
        for event in group.events {
            assert_eq!(&list[event.span.clone()], event.text);
            let Source::Pmu { pmu, pmu_span, terms } = event.source else { continue };
            assert_eq!(&list[pmu_span], pmu);
            let written: Vec<&str> = terms.iter().map(|term| &list[term.span.clone()]).collect();
            assert_eq!(written, ["event=0x3c", "name='a,b/c'"]);
            assert_eq!(&list[terms[1].value_span.clone()], "'a,b/c'");
            assert_eq!(terms[1].value, Value::Text("a,b/c".to_owned()));
        }
    }
}

#[test]
fn the_forms_of_an_event() {
    assert_eq!(one("cycles:u").source, Source::Name("cycles:u".to_owned()));
    assert_eq!(one("r1A8").source, Source::Raw(0x1a8));
    assert_eq!(one("r0x1a8:u").source, Source::Raw(0x1a8));
    assert!(one("r1a8:u").modifiers.user);
    assert_eq!(one("r1a8:u").modifiers.levels(), Some(Privilege::USER));
    let levels = Privilege::KERNEL | Privilege::HYPERVISOR;
    assert_eq!(one("r1a8:kh").modifiers.levels(), Some(levels));
    assert_eq!(one("r1a8:p").modifiers.levels(), None);
    // Not a code: no digits, an attribute of libpfm's, more than 64 bits, a capital letter.
    for name in ["r", "rg", "r1a8:k=1", "r11112222333344445", "R1a8"] {
        assert_eq!(one(name).source, Source::Name(name.to_owned()));
    }
    // Three words with slashes are the name of a number of an instance.
    for name in ["net/eth0.1/rx_bytes/", "powercap/intel-rapl:0:1/energy/"] {
        assert_eq!(one(name).source, Source::Name(name.to_owned()));
    }
    for text in ["net/eth0/rx_bytes", "net/eth0//", "net/eth0,a/rx_bytes/", "net/eth0/a/b/"] {
        assert!(syntax::parse(text).is_err(), "{text}");
    }
    let Source::Pmu { pmu, terms, .. } = one("hv_24x7/CPM_PCYC,core=?,lpar=12,inv/").source else {
        panic!("not a PMU event");
    };
    let values: Vec<(&str, &Value)> =
        terms.iter().map(|Term { name, value, .. }| (name.as_str(), value)).collect();
    assert_eq!(pmu, "hv_24x7");
    let question = Value::Text("?".to_owned());
    assert_eq!(
        values,
        [
            ("CPM_PCYC", &Value::Flag),
            ("core", &question),
            ("lpar", &Value::Number(12)),
            ("inv", &Value::Flag),
        ]
    );
}

#[test]
fn breakpoints() {
    let point = |address, length, access: &str| Breakpoint {
        address,
        length,
        read: access.contains('r'),
        write: access.contains('w'),
        execute: access.contains('x'),
    };
    let cases = [
        ("mem:0x1000", point(0x1000, None, "rw"), ""),
        ("mem:4096", point(4096, None, "rw"), ""),
        ("mem:0x1000/8", point(0x1000, Some(8), "rw"), ""),
        ("mem:0x1000/4:w", point(0x1000, Some(4), "w"), ""),
        ("mem:0x1000:x", point(0x1000, None, "x"), ""),
        ("mem:0x1000:rw:uk", point(0x1000, None, "rw"), "uk"),
        ("mem:0x1000:u", point(0x1000, None, "rw"), "u"),
    ];
    for (text, expected, modifiers) in cases {
        let event = one(text);
        assert_eq!(event.source, Source::Breakpoint(expected), "{text}");
        assert_eq!(letters(event.modifiers), modifiers, "{text}");
    }
}

#[test]
fn probes() {
    let cases = [
        ("uprobe:./solve:lookup", "./solve", "lookup", 0, false),
        ("uretprobe:libc.so.6:malloc", "libc.so.6", "malloc", 0, true),
        ("uprobe:/a b/solve:ns::Type::add+0x10", "/a b/solve", "ns::Type::add", 16, false),
        ("uprobe:a:operator+", "a", "operator+", 0, false),
        ("uprobe:a:ns::u", "a", "ns::u", 0, false),
        ("uprobe:'a:b,{c':d", "a:b,{c", "d", 0, false),
        ("uprobe:\"it's\":d", "it's", "d", 0, false),
        ("uprobe:a:f(int, g{1})", "a", "f(int, g{1})", 0, false),
        ("uprobe:a:0x1139", "a", "0x1139", 0, false),
    ];
    for (text, file, function, offset, at_return) in cases {
        let event = one(text);
        let (file, function) = (file.to_string(), function.to_string());
        let expected = Probe { file, function, offset, at_return };
        assert_eq!(
            one(&expected.to_string()).source,
            Source::Probe(expected.clone()),
            "{expected}"
        );
        assert_eq!((event.source, event.text.as_str()), (Source::Probe(expected), text));
    }
    let of_user = one("uprobe:a:ns::f+2:u");
    assert!(
        of_user.modifiers.user && matches!(of_user.source, Source::Probe(of) if of.offset == 2)
    );
    let groups = syntax::parse("uprobe:a:f(int,cycles,uprobe:'b,c").unwrap_err();
    assert_eq!(groups.kind, SyntaxErrorKind::UnclosedQuote);
    let groups = syntax::parse("{uprobe:./a/b:c,uretprobe:./a/b:c}:u,cpu/event=1/").unwrap();
    assert_eq!((groups.len(), groups[0].events.len()), (2, 2));
}

#[test]
fn every_error_says_where() {
    use SyntaxErrorKind::*;
    let cases = [
        ("", 0..0, MissingEvent),
        ("a,", 2..2, MissingEvent),
        ("a,,b", 2..3, MissingEvent),
        ("{}", 1..2, MissingEvent),
        ("{a,}", 3..4, MissingEvent),
        ("{a,b", 0..1, UnclosedGroup),
        ("x,{", 2..3, UnclosedGroup),
        ("a,b}", 3..4, UnopenedGroup),
        ("{a,{b}}", 3..4, NestedGroup),
        ("{a{b}}", 2..3, NestedGroup),
        ("a{b}", 1..2, MissingComma),
        ("{a}b", 3..4, AfterGroup),
        ("{a}:uq", 5..6, UnknownModifier('q')),
        ("{a}:uu", 5..6, RepeatedModifier('u')),
        ("cpu/event=1", 3..4, UnclosedTerms),
        ("/event=1/", 0..1, MissingPmu),
        ("cpu/event=1/x", 12..13, UnknownModifier('x')),
        ("cpu/cycles/x", 11..12, UnknownModifier('x')),
        ("net/lo/rx_bytes", 7..15, UnclosedField("rx_bytes".to_string())),
        ("net/'a,b/rx_bytes/", 4..5, UnclosedQuote),
        ("net/'a'b/rx_bytes/", 7..8, AfterQuote),
        ("cpu/event=1/pppp", 15..16, TooPrecise),
        ("cpu/=1/", 4..5, MissingTerm),
        ("cpu/a,,b/", 6..7, MissingTerm),
        ("cpu/a=/", 5..6, MissingValue),
        ("cpu/name='x/", 9..10, UnclosedQuote),
        ("cpu/name='x'y/", 12..13, AfterQuote),
        ("cpu/a=0x10000000000000000/", 6..25, NumberTooBig),
        ("mem:", 4..4, BadAddress),
        ("mem:main", 4..8, BadAddress),
        ("mem:0x10/9", 9..10, BadLength),
        ("mem:0x10/", 9..9, BadLength),
        ("mem:0x10:rw:q", 12..13, UnknownModifier('q')),
        ("mem:0x10:u:k", 10..11, UnknownModifier(':')),
        ("cycles,uprobe:", 7..14, BadProbe),
        ("uprobe:solve", 0..12, BadProbe),
        ("uprobe::main", 0..12, BadProbe),
        ("uprobe:solve:", 0..13, BadProbe),
        ("uprobe:solve:main+9z", 13..20, BadOffset),
        ("uretprobe:solve:main+1", 16..22, BadOffset),
    ];
    for (list, span, kind) in cases {
        let error = syntax::parse(list).expect_err(list);
        assert_eq!((error.span.clone(), &error.kind), (span, &kind), "{list}");
        assert!(!error.help().is_empty() && !error.to_string().ends_with('.'));
    }
}

#[test]
fn modifiers_are_split_off_names() {
    let cases = [
        ("cycles", "cycles", None),
        ("cycles:u", "cycles", Some("u")),
        ("cycles:ukhHGI", "cycles", Some("ukhHGI")),
        ("cycles:ppp", "cycles", Some("ppp")),
        ("cycles:PDeW", "cycles", Some("PDeW")),
        ("L1D:READ:k", "L1D:READ", Some("k")),
        ("cpu/event=0x3c/u", "cpu/event=0x3c/", Some("u")),
        ("cpu/event=0x3c/:u", "cpu/event=0x3c/", Some("u")),
        ("cpu/event=0x3c/", "cpu/event=0x3c/", None),
        ("L1/D", "L1/D", None),
        ("cycles:", "cycles:", None),
        ("cycles:uu", "cycles:uu", None),
        ("cycles:pppp", "cycles:pppp", None),
        ("cycles:u=1", "cycles:u=1", None),
        ("", "", None),
        (":u", "", Some("u")),
    ];
    for (text, name, modifiers) in cases {
        let (found, parsed) = split_modifiers(text);
        assert_eq!((found, parsed.map(letters).as_deref()), (name, modifiers), "{text}");
    }
}

/// As a `main` prints the error that it returns; no sentence speaks of a place, because a library has none.
#[test]
fn errors_show_their_sentences_and_help() {
    use counterpoint_pmu::libpfm3::{Model, Request, dispatch};
    use counterpoint_pmu::{Context, Layer, encode};
    let list = syntax::parse("cycles,").unwrap_err();
    let string = encode("perf::CYCLSE", &Context::new(Layer::PerfEvent)).unwrap_err();
    let request = dispatch(Model::find("gen_ia32_v2").unwrap(), &Request::new(Privilege::NONE));
    let request = request.unwrap_err();
    for (shown, sentence, help, fields) in [
        (format!("{list:?}"), list.to_string(), list.help().to_string(), format!("{list:#?}")),
        (format!("{string:?}"), string.to_string(), string.help(), format!("{string:#?}")),
    ] {
        assert_eq!(shown, format!("{sentence}\n  help: {help}"));
        assert!(!shown.split(' ').any(|word| word == "here"), "{shown}");
        assert!(fields.contains("span: "), "{fields}");
    }
    assert_eq!(format!("{request:?}"), request.to_string());
    assert!(format!("{request:#?}").contains("libpfm3: "));
}
