use counterpoint_pmu::{
    Context, EncodeErrorKind, Encoding, Layer, Machine, PerfEncoding, Privilege, all, encode, find,
};

const ENCODINGS: &str = include_str!("../../../../fixtures/pmu/perf-encodings.tsv");
const STRINGS: &str = include_str!("../../../../fixtures/pmu/perf-strings.tsv");

/// A machine whose core PMU tells user and kernel apart.
pub(crate) fn context(layer: Layer) -> Context {
    let mut context = Context::new(layer);
    context.machine.privilege = Privilege::USER | Privilege::KERNEL;
    context
}

/// The rows of a table, each with a way to get a column by name.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = impl Fn(&str) -> &'static str> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    lines.map(move |line| {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), header.len(), "{line}");
        let header = header.clone();
        move |name: &str| fields[header.iter().position(|known| *known == name).expect(name)]
    })
}

fn result(event: &str, context: &Context) -> (&'static str, Option<Encoding>) {
    match encode(event, context) {
        Ok(encoding) => ("SUCCESS", Some(encoding)),
        Err(error) => (error.code(), None),
    }
}

fn hex(values: &[u64]) -> String {
    values.iter().map(|value| format!("{value:#x}")).collect::<Vec<_>>().join(",")
}

/// A line in the form of the fixtures: type, config words, exclude digits.
fn words(perf: &PerfEncoding) -> String {
    let excluded = [
        perf.exclude_user,
        perf.exclude_kernel,
        perf.exclude_hv,
        perf.exclude_host,
        perf.exclude_guest,
    ];
    let excluded: String = excluded.map(|bit| if bit { '1' } else { '0' }).iter().collect();
    let words =
        [perf.config, perf.config1, perf.config2].map(|word| format!("{word:#x}")).join(" ");
    format!("{} {words} {excluded}", perf.kind)
}

fn sampling(perf: &PerfEncoding) -> String {
    let cpu = perf.cpu.map_or(-1, i64::from);
    let flags = [perf.freq, perf.exclusive, perf.pinned].map(u8::from);
    format!("{} {} {} {} {} {cpu}", perf.period, flags[0], perf.precise_ip, flags[1], flags[2])
}

#[test]
fn every_event_and_unit_mask_is_encoded_as_libpfm_does() {
    let mut seen = 0;
    for row in rows(ENCODINGS) {
        let event = row("event_string");
        let (code, raw) = result(event, &context(Layer::Raw));
        let raw = raw.map(|raw| (raw.fully_qualified, hex(&raw.codes)));
        let expected = (row("raw_string").to_owned(), row("codes").to_owned());
        assert_eq!((code, raw), (row("raw"), Some(expected)), "{event}");
        let (code, perf) = result(event, &context(Layer::PerfEvent));
        let perf = perf.map(|e| (e.fully_qualified, words(&e.perf.unwrap())));
        let columns = ["type", "config", "config1", "config2", "exclude_ukhHG"].map(&row);
        let expected = (row("perf_string").to_owned(), columns.join(" "));
        assert_eq!((code, perf), (row("perf"), Some(expected)), "{event}");
        seen += 1;
    }
    assert_eq!(seen, 113);
}

#[test]
fn strings_are_encoded_and_refused_as_libpfm_does() {
    let mut seen = 0;
    for row in rows(STRINGS) {
        let event = row("event_string");
        let at = |layer| {
            let mut context = context(layer);
            context.privilege = Privilege::from_bits(row("plm").parse().unwrap()).unwrap();
            context
        };
        let (code, raw) = result(event, &at(Layer::Raw));
        assert_eq!(code, row("raw"), "{event}");
        if let Some(raw) = raw {
            assert_eq!(raw.fully_qualified, row("raw_string"), "{event}");
            assert_eq!(hex(&raw.codes), row("codes"), "{event}");
        }
        let (code, ext) = result(event, &at(Layer::PerfEventExt));
        assert_eq!(code, row("ext"), "{event}");
        if let Some(ext) = ext {
            let perf = ext.perf.unwrap();
            assert_eq!(ext.fully_qualified, row("ext_string"), "{event}");
            let columns = ["type", "config", "config1", "config2", "exclude_ukhHG"].map(&row);
            assert_eq!(words(&perf), columns.join(" "), "{event}");
            let columns = ["period", "freq", "precise_ip", "exclusive", "pinned", "cpu"].map(&row);
            assert_eq!(sampling(&perf), columns.join(" "), "{event}");
        }
        seen += 1;
    }
    assert_eq!(seen, 13);
}

/// By the rules of the perf layers: `period freq precise exclusive pinned cpu` of what is accepted.
#[test]
fn attributes_of_perf_events() {
    let cases: [(&str, Result<&str, &str>); 41] = [
        ("perf::cycles:period=1000", Ok("1000 0 0 0 0 -1")),
        ("perf::cycles:period=0x10", Ok("16 0 0 0 0 -1")),
        ("perf::cycles:period=010", Ok("8 0 0 0 0 -1")),
        ("perf::cycles:period=-1", Ok("18446744073709551615 0 0 0 0 -1")),
        ("perf::cycles:period=+7", Ok("7 0 0 0 0 -1")),
        ("perf::cycles:freq=99", Ok("99 1 0 0 0 -1")),
        ("perf::cycles:period=0", Err("ATTR_VAL")),
        ("perf::cycles:freq=0", Err("ATTR_VAL")),
        ("perf::cycles:period=1:freq=1", Err("ATTR_VAL")),
        ("perf::cycles:freq=1:period=1", Err("ATTR_VAL")),
        ("perf::cycles:period=1:period=1", Ok("1 0 0 0 0 -1")),
        ("perf::cycles:period=1:period=1:period=1", Ok("1 0 0 0 0 -1")),
        ("perf::cycles:freq=1:freq=1:freq=1", Err("ATTR_VAL")),
        ("perf::cycles:period=1:period=2", Err("ATTR_SET")),
        ("perf::cycles:period", Err("ATTR_VAL")),
        ("perf::cycles:period=", Err("ATTR_VAL")),
        ("perf::cycles:period=1k", Err("ATTR_VAL")),
        ("perf::cycles:period=08", Err("ATTR_VAL")),
        ("perf::cycles:period=0x", Err("ATTR_VAL")),
        ("perf::cycles:period=99999999999999999999", Ok("18446744073709551615 0 0 0 0 -1")),
        ("perf::cycles:precise=3", Ok("0 0 3 0 0 -1")),
        ("perf::cycles:precise=4", Err("ATTR_VAL")),
        ("perf::task-clock:precise=1", Err("ATTR")),
        ("perf::cycles:excl:pinned", Ok("0 0 0 1 1 -1")),
        ("perf::cycles:excl=0:pinned=n", Ok("0 0 0 0 0 -1")),
        ("perf::cycles:excl=y:pinned=t", Ok("0 0 0 1 1 -1")),
        ("perf::cycles:excl=f:pinned=1", Ok("0 0 0 0 1 -1")),
        ("perf::cycles:excl=yes", Err("ATTR_VAL")),
        ("perf::cycles:cpu=0", Ok("0 0 0 0 0 0")),
        ("perf::cycles:cpu=2147483646", Ok("0 0 0 0 0 2147483646")),
        ("perf::cycles:cpu=2147483647", Err("ATTR_VAL")),
        ("perf::cycles:hw_smpl", Err("ATTR")),
        ("perf::cycles:u=1=1", Err("ATTR_VAL")),
        ("perf::cycles:u==1", Err("ATTR_VAL")),
        ("perf::cycles:u=1:u=0", Err("ATTR_SET")),
        ("perf::cycles:uk", Err("ATTR")),
        ("perf::cycles:", Err("ATTR")),
        ("perf::cycles:READ", Err("ATTR")),
        ("perf_raw::r1:hw_smpl:precise=3", Ok("0 0 3 0 0 -1")),
        ("perf_raw::r1:precise=3:hw_smpl", Ok("0 0 1 0 0 -1")),
        ("perf_raw::r1:h=1.excl", Ok("0 0 0 1 0 -1")),
    ];
    for (event, expected) in cases {
        let found = encode(event, &context(Layer::PerfEventExt));
        let found = found.map(|encoding| sampling(&encoding.perf.unwrap()));
        let found = found.as_deref().map_err(|error| error.code());
        assert_eq!(found, expected, "{event}");
    }
}

/// Of three values that contradict each other after two equal ones, libpfm4 drops one: registers have the last value, and
/// perf_events counts at a level that any of them names.
#[test]
fn contradictions_after_an_equal_pair_are_as_in_libpfm() {
    for (event, registers, exclude_user) in [
        ("slm::MACHINE_CLEARS:SMC:u:u=1:u=0", &[0x50_01c3][..], false),
        ("slm::MACHINE_CLEARS:SMC:u=0:u=0:u=1", &[0x51_01c3], false),
        ("netburst::TC_DELIVER_MODE:DD:u:u=1:u=0", &[0x200_0200, 0x3_3000], false),
        ("amd64_fam15h_interlagos::CPU_CLK_UNHALTED:u:u=1:u=0", &[0x50_0076], false),
        ("slm::MACHINE_CLEARS:SMC:c=1:c=1:c=2", &[0x253_01c3], false),
        ("slm::MACHINE_CLEARS:SMC:u=0:u=0", &[0x50_01c3], true),
    ] {
        let mut context = Context::new(Layer::Raw);
        context.privilege = Privilege::USER | Privilege::KERNEL;
        assert_eq!(encode(event, &context).unwrap().codes.to_vec(), registers, "{event}");
        context.layer = Layer::PerfEvent;
        let perf = encode(event, &context).unwrap().perf.unwrap();
        assert_eq!(perf.exclude_user, exclude_user, "{event}");
    }
    let error = encode("slm::MACHINE_CLEARS:SMC:u=1:u=0", &Context::new(Layer::Raw)).unwrap_err();
    assert_eq!(error.code(), "ATTR_SET");
}

#[test]
fn levels_and_worlds() {
    let every = Privilege::USER | Privilege::KERNEL | Privilege::HYPERVISOR;
    // Exclude digits: user, kernel, hypervisor, host, guest.
    let cases = [
        ("perf::cycles", Privilege::NONE, every, "11101"),
        ("perf::cycles", every, every, "00001"),
        ("perf::cycles:u", every, every, "01101"),
        ("perf::cycles:u:h=1", every, every, "01001"),
        ("perf::cycles:u=0", every, every, "11101"),
        ("perf::task-clock:k", every, every, "10101"),
        ("perf::cycles:mg", every, every, "00010"),
        ("perf::cycles:mg=0", every, every, "00010"),
        ("perf::cycles:mg:mh", every, every, "00000"),
        ("perf::cycles:u", Privilege::NONE, Privilege::NONE, "ATTR"),
        ("perf::cycles", Privilege::NONE, Privilege::NONE, "00000"),
        ("perf::cycles:h", every, Privilege::USER | Privilege::KERNEL, "ATTR"),
    ];
    for (event, privilege, machine, expected) in cases {
        let mut context = Context::new(Layer::PerfEvent);
        context.privilege = privilege;
        context.machine.privilege = machine;
        let found = match encode(event, &context) {
            Ok(encoding) => words(&encoding.perf.unwrap()),
            Err(error) => error.code().to_owned(),
        };
        assert_eq!(found.rsplit(' ').next(), Some(expected), "{event}");
    }
    assert_eq!(Privilege::from_bits(32), None);
    assert_eq!(Privilege::from_bits(31), Some(Privilege::ALL));
    assert_eq!((!Privilege::USER).bits(), 23);
}

#[test]
fn spellings_of_one_event() {
    let cases = [
        ("perf::cycles", "perf::PERF_COUNT_HW_CPU_CYCLES", "0x0"),
        ("perf::instructions", "perf::PERF_COUNT_HW_INSTRUCTIONS", "0x1"),
        ("perf::branches", "perf::PERF_COUNT_HW_BRANCH_INSTRUCTIONS", "0x4"),
        ("Perf::Task-Clock", "perf::PERF_COUNT_SW_TASK_CLOCK", "0x1"),
        ("faults", "perf::PERF_COUNT_SW_PAGE_FAULTS", "0x2"),
        ("l1-dcache-loads:access", "perf::PERF_COUNT_HW_CACHE_L1D:READ:ACCESS", "0x0"),
        ("PERF_COUNT_HW_CACHE_LL.write", "perf::PERF_COUNT_HW_CACHE_LL:WRITE:MISS", "0x10102"),
        ("PERF_COUNT_HW_CACHE_LL:MISS:WRITE", "perf::PERF_COUNT_HW_CACHE_LL:WRITE:MISS", "0x10102"),
        ("perf_raw::r00001a8", "perf_raw::r1a8", "0x1a8"),
        ("rABC", "perf_raw::rabc", "0xabc"),
        ("perf_raw::r0x1a8", "perf_raw::r1a8", "0x1a8"),
    ];
    for (event, fully_qualified, codes) in cases {
        let encoding = encode(event, &context(Layer::Raw)).unwrap();
        assert_eq!(
            (encoding.fully_qualified.as_str(), hex(&encoding.codes).as_str()),
            (fully_qualified, codes)
        );
        assert_eq!((encoding.canonical.as_str(), encoding.perf), (fully_qualified, None));
    }
}

#[test]
fn every_refusal_says_where_and_what_would_have_been_right() {
    let long = format!("perf::cycles{}", ":excl".repeat(65));
    let cases: [(&str, &str, std::ops::Range<usize>, &[&str]); 19] = [
        ("", "NOTFOUND", 0..0, &[]),
        ("perf::cycles,x", "INVAL", 12..13, &[]),
        ("perf:: cycles", "INVAL", 6..7, &[]),
        ("perff::cycles", "NOTFOUND", 0..5, &["perf"]),
        ("cycles::u", "NOTFOUND", 0..6, &[]),
        ("perf::cylces", "NOTFOUND", 6..12, &["cycles"]),
        ("perf::alignment-faults", "NOTFOUND", 6..22, &[]),
        ("perf::slots", "NOTFOUND", 6..11, &[]),
        ("perf_raw::R1", "NOTFOUND", 10..12, &[]),
        ("perf_raw::r", "NOTFOUND", 10..11, &[]),
        ("perf_raw::r0x", "NOTFOUND", 10..13, &[]),
        ("perf_raw::r-1", "NOTFOUND", 10..13, &[]),
        ("PERF_COUNT_HW_CACHE_L1D:RAED", "ATTR", 24..28, &["READ"]),
        ("PERF_COUNT_HW_CACHE_L1D:READ=1", "ATTR", 24..30, &[]),
        ("PERF_COUNT_HW_CACHE_L1D:0x10", "ATTR", 24..28, &[]),
        ("PERF_COUNT_HW_CACHE_L1D:READ:READ", "SUCCESS", 0..0, &[]),
        ("PERF_COUNT_HW_CACHE_L1D:READ:READ:READ", "UMASK", 34..38, &[]),
        ("cycles:precise=9", "ATTR_VAL", 15..16, &[]),
        (&long, "TOOMANY", 333..337, &[]),
    ];
    for (event, code, span, similar) in cases {
        match encode(event, &context(Layer::PerfEventExt)) {
            Ok(_) => assert_eq!(code, "SUCCESS", "{event}"),
            Err(error) => {
                assert_eq!((error.code(), error.span.clone()), (code, span), "{event}");
                assert_eq!(error.similar().first().copied(), similar.first().copied());
                assert!(!error.help().is_empty() && !error.to_string().ends_with('.'));
            }
        }
    }
    let error = encode("cycles:precise=9", &context(Layer::PerfEventExt)).unwrap_err();
    let EncodeErrorKind::OutOfRange { range, .. } = error.kind else { panic!("{error}") };
    assert_eq!(range, 0..=3);
    // Numbers are named as they are written.
    let cases = [
        ("spr::L1D:c=-1", "`c` cannot be -1"),
        ("spr::L1D:c=0x100", "`c` cannot be 0x100"),
        ("spr::L1D:c=0400", "`c` cannot be 0400"),
        ("amd64_fam19h_zen4::RETIRED_INSTRUCTIONS:c=-0x10", "`c` cannot be -0x10"),
        ("cycles:cpu=99999999999999999999", "`cpu` cannot be 99999999999999999999"),
        ("cycles:precise=-1", "`precise` cannot be -1"),
        ("spr::L1D:0XABCDE", "`0XABCDE` is not possible: the register has no room for it"),
    ];
    for (event, expected) in cases {
        let error = encode(event, &context(Layer::PerfEventExt)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{event}");
    }
}

#[test]
fn a_machine_decides_what_exists() {
    let mut context = context(Layer::PerfEvent);
    context.machine.core_events = vec!["slots".to_owned()];
    let slots = encode("perf::SLOTS", &context).unwrap();
    assert_eq!(words(&slots.perf.unwrap()), "4 0x400 0x0 0x0 00001");
    assert_eq!(encode("perf::topdown-retiring", &context).unwrap_err().code(), "NOTFOUND");
    context.machine.pmus.clear();
    assert_eq!(encode("cycles", &context).unwrap_err().code(), "NOTFOUND");
    assert!(encode("perf::cycles", &context).is_ok());
    context.machine.perf_events = false;
    assert_eq!(encode("perf::cycles", &context).unwrap_err().code(), "NOTSUPP");
    context.layer = Layer::Raw;
    assert!(encode("perf::cycles", &context).is_ok());
    let default: Vec<&str> = Machine::default().pmus.iter().map(|pmu| pmu.name).collect();
    assert_eq!(default, ["perf", "perf_raw"]);
    assert_eq!(find("nosuch"), None);
}

#[test]
fn events_of_tables_are_refused_with_a_place_and_a_way_out() {
    let cases: [(&str, &str, std::ops::Range<usize>, &str); 21] = [
        ("spr::INST_RETRIED", "NOTFOUND", 5..17, "INST_RETIRED"),
        ("spr2::INST_RETIRED", "NOTFOUND", 0..4, "spr"),
        ("spr::INST_RETIRED:ANY_PP", "ATTR", 18..24, "ANY_P"),
        ("spr::INST_RETIRED:ANY_P:c=256", "ATTR_VAL", 26..29, "0 to 255"),
        ("spr::INST_RETIRED:ANY_P:c", "ATTR_VAL", 24..25, "c="),
        ("spr::INST_RETIRED:ANY_P:e=2", "ATTR_VAL", 26..27, "e=1"),
        ("spr::INST_RETIRED:ANY_P:e", "ATTR", 5..17, "leave `e` out"),
        ("spr::INST_RETIRED:ANY_P:0x10", "ATTR", 24..28, "by name"),
        ("spr::INST_RETIRED:0x100", "ATTR", 18..23, "by name"),
        ("spr::INST_RETIRED:0xg", "ATTR", 18..21, "by name"),
        ("spr::INST_RETIRED:0x1=1", "ATTR_VAL", 22..23, "0x1"),
        ("spr::INST_RETIRED:", "ATTR", 18..18, "attributes are"),
        ("spr::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=0", "ATTR_VAL", 42..43, "1 to 65535"),
        ("spr::BR_INST_RETIRED:COND:NEAR_CALL", "FEATCOMB", 26..35, "leave one"),
        ("skl::L2_RQSTS", "SUCCESS", 0..0, ""),
        ("hsw::OFFCORE_RESPONSE_0:0", "ATTR", 24..25, "attributes are"),
        ("hsw::TX_MEM", "UMASK", 5..11, "write one of"),
        ("netburst_p::TC_deliver_mode", "ATTR", 12..27, "write one of"),
        ("spr::L1D.é", "ATTR", 9..11, "attributes are"),
        ("spr::L1D:REPLACEMENT:k=1:k=0", "ATTR_SET", 27..28, "once"),
        ("arm_n1::L1D_CACHE:period=1", "ATTR", 18..26, "attributes are"),
    ];
    for (event, code, span, help) in cases {
        match encode(event, &context(Layer::Raw)) {
            Ok(_) => assert_eq!(code, "SUCCESS", "{event}"),
            Err(error) => {
                assert_eq!((error.code(), error.span.clone()), (code, span), "{event}: {error}");
                assert!(error.help().contains(help), "{event}: {}", error.help());
            }
        }
    }
}

#[test]
fn no_string_is_too_long_or_too_odd() {
    let raw = context(Layer::Raw);
    let many = format!("spr::L1D_PEND_MISS{}", ":PENDING".repeat(65));
    assert_eq!(encode(&many, &raw).unwrap_err().code(), "TOOMANY");
    let most = format!("spr::L1D_PEND_MISS{}", ":PENDING".repeat(2));
    assert!(encode(&most, &raw).is_ok());
    let megabyte = "x".repeat(1 << 20);
    for event in [
        megabyte.clone(),
        format!("{megabyte}::L1D"),
        format!("spr::{megabyte}"),
        format!("spr::L1D:{megabyte}"),
        format!("spr::L1D:REPLACEMENT:c={}", "9".repeat(1 << 20)),
        format!("spr::L1D:0x{}", "f".repeat(1 << 20)),
        ":".repeat(1 << 20),
        "spr::L1D:".to_owned() + &":".repeat(1 << 20),
        "\0".to_owned(),
        "spr::L1D\u{7f}\u{feff}".to_owned(),
    ] {
        let error = encode(&event, &raw).unwrap_err();
        assert!(event.get(error.span.clone()).is_some(), "{:?}", error.span);
    }
}

/// The event that is printed in full is the one that was encoded, on every PMU.
#[test]
fn an_event_with_defaults_is_the_one_that_its_full_string_names() {
    let mut context = Context::new(Layer::Raw);
    let mut compared = 0;
    let mut wrong = Vec::new();
    for pmu in all() {
        context.machine = Machine::with(vec![pmu]);
        for event in pmu.events() {
            let masks = event.attributes(Layer::Raw, &context.machine);
            let has_defaults = masks.iter().any(|mask| mask.is_default);
            let name = format!("{}::{}", pmu.name, event.name);
            let Ok(found) = encode(&name, &context) else { continue };
            if !has_defaults || found.fully_qualified.is_empty() {
                continue;
            }
            compared += 1;
            for default in masks.iter().filter(|mask| mask.is_default && mask.equiv.is_none()) {
                let is_named = found.fully_qualified.split(':').any(|part| part == default.name);
                if !is_named && event.equiv.is_none() {
                    wrong.push(format!("{name}: {} in {}", default.name, found.fully_qualified));
                }
            }
            // Without the modifiers, some of which have an effect by being written.
            let parts = found.fully_qualified.split(':').filter(|part| !part.contains('='));
            let full = parts.collect::<Vec<_>>().join(":");
            match encode(&full, &context) {
                Ok(full) if full.codes == found.codes => {}
                full => wrong.push(format!("{name} {:x?} {full:x?}", found.codes)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}: {wrong:#?}", wrong.len());
    assert!(compared > 3_000, "{compared}");
}

#[test]
fn what_is_on_stays_on_after_two_equal_values() {
    let mut context = Context::new(Layer::PerfEventExt);
    context.privilege = Privilege::USER | Privilege::KERNEL;
    // As libpfm 4.13 answers.
    for (values, exclusive, pinned) in [
        ("excl:excl=1:excl=0", true, false),
        ("excl=0:excl=0:excl", true, false),
        ("pinned:pinned:pinned=0", false, false),
        ("pinned=0:pinned=0:pinned", false, true),
    ] {
        let perf = encode(&format!("skl::INST_RETIRED:{values}"), &context).unwrap().perf.unwrap();
        assert_eq!((perf.exclusive, perf.pinned), (exclusive, pinned), "{values}");
    }
}
