use counterpoint_pmu::syntax::{self, Source, SyntaxError, Term};
use counterpoint_pmu::sysfs::{Config, Format, Pmu, Register, TermError, TermErrorKind, boxes};
use std::error::Error;

/// Fields as the drivers publish them.
const INTEL: [(&str, &str); 9] = [
    ("event", "config:0-7\n"),
    ("umask", "config:8-15\n"),
    ("edge", "config:18\n"),
    ("pc", "config:19\n"),
    ("inv", "config:23\n"),
    ("cmask", "config:24-31\n"),
    ("offcore_rsp", "config1:0-63\n"),
    ("ldlat", "config1:0-15\n"),
    ("frontend", "config1:0-23\n"),
];
const AMD: [(&str, &str); 5] = [
    ("event", "config:0-7,32-35\n"),
    ("umask", "config:8-15\n"),
    ("edge", "config:18\n"),
    ("inv", "config:23\n"),
    ("cmask", "config:24-31\n"),
];
const ARM: [(&str, &str); 3] =
    [("event", "config:0-15\n"), ("long", "config1:0\n"), ("rdpmc", "config1:1\n")];
const HV_24X7: [(&str, &str); 5] = [
    ("domain", "config:0-3\n"),
    ("core", "config:16-31\n"),
    ("vcpu", "config:16-31\n"),
    ("offset", "config:32-63\n"),
    ("lpar", "config1:0-15\n"),
];

fn intel() -> Pmu {
    let events = [
        ("cpu-cycles", "event=0x3c\n"),
        ("instructions", "event=0xc0\n"),
        ("mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"),
    ];
    Pmu::from_files("cpu", 4, INTEL, events)
}

fn amd() -> Pmu {
    Pmu::from_files("cpu", 4, AMD, [("cpu-cycles", "event=0x76\n")])
}

fn arm() -> Pmu {
    Pmu::from_files("armv8_pmuv3_0", 8, ARM, [("l1d_cache", "event=0x0004\n")])
}

fn hv_24x7() -> Pmu {
    let events = [("PM_CYC__PHYS_CORE", "domain=0x2,offset=0xe0,core=?,lpar=0x0\n")];
    Pmu::from_files("hv_24x7", 6, HV_24X7, events)
}

fn terms(text: &str) -> Vec<Term> {
    let groups = syntax::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!("{text}") };
    terms.clone()
}

fn encode(pmu: &Pmu, text: &str) -> Result<Config, TermError> {
    pmu.encode(&terms(&format!("pmu/{text}/")))
}

#[test]
fn terms_become_config_words() {
    let cases = [
        (intel(), "", [0, 0]),
        (intel(), "event=0x3c,umask=0x1", [0x13c, 0]),
        (intel(), "event=60", [0x3c, 0]),
        (intel(), "event=0xc0,inv,cmask=1", [0x018000c0, 0]),
        (intel(), "event=0xc0,inv=0,edge=1", [0x000400c0, 0]),
        (intel(), "event=0xb7,umask=1,offcore_rsp=0xffffffffffffffff", [0x1b7, u64::MAX]),
        (intel(), "cpu-cycles", [0x3c, 0]),
        (intel(), "CPU-CYCLES,umask=2", [0x23c, 0]),
        (intel(), "event=cpu-cycles", [0x3c, 0]),
        (intel(), "cpu-cycles=1", [0x3c, 0]),
        (intel(), "event=0xff,event=0x3c", [0x3c, 0]),
        (intel(), "mem-loads,ldlat=30", [0x1cd, 30]),
        (intel(), "ldlat=30,mem-loads", [0x1cd, 30]),
        (intel(), "mem-loads,umask=0x80", [0x80cd, 3]),
        (intel(), "config=0x1a8,config1=7", [0x1a8, 7]),
        (intel(), "r1a8", [0x1a8, 0]),
        (amd(), "event=0x76", [0x76, 0]),
        (amd(), "event=0x1c2,umask=0xff,cmask=0xff", [0x1_ff00_ffc2, 0]),
        (amd(), "event=0xfff", [0xf_0000_00ff, 0]),
        (arm(), "event=0x4040,long", [0x4040, 1]),
        (arm(), "l1d_cache,rdpmc=1,long=1", [0x4, 3]),
        (hv_24x7(), "PM_CYC__PHYS_CORE,core=3", [0xe0_0003_0002, 0]),
        (hv_24x7(), "domain=0x2,offset=0xe0,core=1,lpar=0xffff", [0xe0_0001_0002, 0xffff]),
    ];
    for (pmu, text, words) in cases {
        let config = encode(&pmu, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!([config.config, config.config1], words, "{text}");
        assert_eq!([config.config2, config.config3, config.config4], [0; 3], "{text}");
    }
}

#[test]
fn sampling_terms_and_names() {
    let config = encode(&intel(), "event=0xc0,name='two words',period=1000").unwrap();
    assert_eq!((config.name.as_deref(), config.period), (Some("two words"), Some(1000)));
    let config = encode(&intel(), "mem-loads,freq=99").unwrap();
    assert_eq!((config.event.as_deref(), config.freq), (Some("mem-loads"), Some(99)));
}

#[test]
fn what_a_pmu_cannot_take() {
    use TermErrorKind::*;
    let name = || "core".to_owned();
    let unknown = |name: &str, similar: &[&str]| UnknownTerm {
        pmu: "armv8_pmuv3_0".to_owned(),
        name: name.to_owned(),
        similar: similar.iter().map(|&name| name.to_owned()).collect(),
        known: ["event", "long", "rdpmc"].map(str::to_owned).to_vec(),
    };
    let umask = || "umask".to_owned();
    let event = "PM_CYC__PHYS_CORE".to_owned();
    let cases = [
        (intel(), "event=1,umask=0x100", "0x100", TooBig { name: umask(), value: 256, max: 255 }),
        (intel(), "umask=all", "all", NotANumber { name: umask() }),
        (intel(), "config=x", "x", NotANumber { name: "config".to_owned() }),
        (intel(), "period", "period", MissingValue { name: "period".to_owned() }),
        (intel(), "freq=0", "0", Zero { name: "freq".to_owned() }),
        (intel(), "period=1,freq=2", "2", PeriodAndFrequency),
        (
            intel(),
            "cpu-cycles,instructions",
            "instructions",
            SecondEvent { first: "cpu-cycles".to_owned() },
        ),
        (arm(), "evnet=1", "evnet=1", unknown("evnet", &["event"])),
        (arm(), "l1d_cach", "l1d_cach", unknown("l1d_cach", &["l1d_cache"])),
        (arm(), "quux=1", "quux=1", unknown("quux", &[])),
        (hv_24x7(), "PM_CYC__PHYS_CORE", "PM_CYC__PHYS_CORE", Placeholder { event, name: name() }),
        (hv_24x7(), "PM_CYC__PHYS_CORE,core=?", "?", NotANumber { name: name() }),
    ];
    for (pmu, text, at, kind) in cases {
        let whole = format!("pmu/{text}/");
        let error = pmu.encode(&terms(&whole)).expect_err(text);
        assert_eq!((&whole[error.span.clone()], &error.kind), (at, &kind), "{text}");
        assert!(!error.help().is_empty());
    }
    let error = encode(&arm(), "l1d_cach").unwrap_err();
    assert_eq!(error.help(), "did you mean `l1d_cache`?");
}

#[test]
fn formats_name_a_word_and_its_bits() {
    let cases = [
        ("config:0-7", Register::Config, 0xff),
        ("config:0-7,32-35\n", Register::Config, 0xf_0000_00ff),
        ("config1:0-63", Register::Config1, u64::MAX),
        ("config2:63", Register::Config2, 1 << 63),
        ("config3:4-4", Register::Config3, 0x10),
    ];
    for (text, register, mask) in cases {
        let format = Format::parse("x", text).unwrap();
        assert_eq!((format.register, format.mask), (register, mask), "{text}");
    }
    for text in
        ["", "config", "config:", "config:7-0", "config:64", "config9:1", "attr:1", "config:-1"]
    {
        assert!(Format::parse("x", text).is_err(), "{text}");
    }
    let event = Format::parse("event", "config:0-7,32-35").unwrap();
    assert_eq!(
        (event.max(), event.scatter(0x1c2), event.gather(0x1_0000_ffc2)),
        (0xfff, 0x1_0000_00c2, 0x1c2)
    );
}

#[test]
fn files_beside_an_event_describe_it() {
    let events = [
        ("energy-pkg.scale", "2.3283064365386962890625e-10\n"),
        ("energy-pkg.unit", "Joules\n"),
        ("energy-pkg", "event=0x02\n"),
        ("energy-pkg.per-pkg", "1\n"),
        ("temperature", "event=0x03\n"),
        ("temperature.snapshot", "1\n"),
        ("dotted.name", "event=0x04\n"),
        ("orphan.unit", "MiB\n"),
    ];
    let power = Pmu::from_files("power", 9, [("event", "config:0-7\n")], events);
    assert_eq!(power.problems, []);
    assert_eq!(power.events.len(), 3);
    let energy = power.event("energy-pkg").unwrap();
    assert_eq!(energy.scale, Some(0.5f64.powi(32)));
    assert_eq!(energy.unit.as_deref(), Some("Joules"));
    assert!(energy.per_package && !energy.snapshot);
    assert!(power.event("temperature").unwrap().snapshot);
    assert_eq!(encode(&power, "dotted.name").unwrap().config, 4);
    let placeholders: Vec<String> =
        hv_24x7().events.iter().flat_map(|event| event.placeholders()).map(str::to_owned).collect();
    assert_eq!(placeholders, ["core"]);
}

#[test]
fn a_file_that_makes_no_sense_costs_only_its_event() {
    let events = [
        ("good", "event=1"),
        ("bad", "event=,"),
        ("empty", "\n"),
        ("scaled", "event=2"),
        ("scaled.scale", "x"),
    ];
    let pmu = Pmu::from_files("p", 1, [("event", "config:0-7"), ("odd", "hello")], events);
    let files: Vec<&str> = pmu.problems.iter().map(|problem| problem.file.as_str()).collect();
    assert_eq!(files, ["p/format/odd", "p/events/bad", "p/events/empty", "p/events/scaled.scale"]);
    assert_eq!(encode(&pmu, "good").unwrap().config, 1);
    // Without its scale its value would be another one.
    assert!(pmu.event("scaled").is_none());
}

#[test]
fn the_error_of_a_file_has_the_error_of_its_text_as_a_source() {
    let pmu = Pmu::from_files("p", 1, [("event", "config:0-7")], [("bad", "event=,")]);
    let kind = pmu.problems[0].source().unwrap();
    assert!(kind.source().unwrap().is::<SyntaxError>(), "{kind}");
}

#[test]
fn a_name_stands_for_its_boxes() {
    let names = [
        "cpu",
        "cpu_core",
        "uncore_cha_10",
        "uncore_cha_2",
        "uncore_cha_0",
        "uncore_imc_0",
        "uncore_imc_free_running_0",
        "uncore_upi",
        "uncore_upi_0",
    ];
    let cases: [(&str, &[&str]); 10] = [
        ("cpu", &["cpu"]),
        ("uncore_cha", &["uncore_cha_0", "uncore_cha_2", "uncore_cha_10"]),
        ("cha", &["uncore_cha_0", "uncore_cha_2", "uncore_cha_10"]),
        ("uncore_cha_2", &["uncore_cha_2"]),
        ("imc", &["uncore_imc_0"]),
        ("upi", &["uncore_upi"]),
        ("uncore_[ci]*_0", &["uncore_cha_0", "uncore_imc_0", "uncore_imc_free_running_0"]),
        ("cha_*", &["uncore_cha_0", "uncore_cha_2", "uncore_cha_10"]),
        ("cpu_????", &["cpu_core"]),
        ("gpu", &[]),
    ];
    for (wanted, expected) in cases {
        assert_eq!(boxes(names, wanted), expected, "{wanted}");
    }
    assert_eq!(boxes(["a1", "a2", "a-", "a"], "a[!0-1-]"), ["a2"]);
    assert_eq!(boxes(["a[b"], "a[b"), ["a[b"]);
}
