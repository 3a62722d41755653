//! The events of every processor that are built in, and the tables that are derived from them.

use counterpoint_pmu::syntax::{self, Source};
use counterpoint_pmu::vendor::{Event, Events, Metric};
use counterpoint_pmu::{Context, CpuId, Layer, Machine, PmuKind, all, encode, sysfs};

fn intel(model: u32, stepping: u32) -> CpuId {
    CpuId::X86 { vendor: "GenuineIntel".to_owned(), family: 6, model, stepping, architectural: 5 }
}

/// `config` and `config1` of a vendor's event on a PMU of the kernel.
fn words_on(event: &Event, kernel: &sysfs::Pmu) -> (u64, u64) {
    let groups = syntax::parse(&format!("cpu/{}/", event.terms)).expect("terms");
    let Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!("{event:?}") };
    let config = kernel.encode(terms).unwrap_or_else(|error| panic!("{event:?}: {error}"));
    (config.config, config.config1)
}

/// Of PMUs that libpfm does not have, by libpfm's spelling.
#[test]
fn derived_tables_encode_as_the_vendors_terms() {
    let (mut pmus, mut compared) = (0, 0);
    for pmu in
        all().filter(|pmu| pmu.number >= 900 && pmu.kind == PmuKind::Core && pmu.name != "power11")
    {
        let cpu = pmu.processor().unwrap();
        let kernel = sysfs::standard_core(&cpu, 0).unwrap();
        let events = Events::built_in(&cpu);
        let mut context = Context::new(Layer::PerfEvent);
        context.machine = Machine::with(vec![pmu])
            .showing(pmu.devices().map(|name| (name.to_owned(), 4)).collect());
        let mut own = 0;
        for event in events.of_pmu(pmu) {
            let name = match event.name.split_once('.') {
                Some((name, mask)) => format!("{name}:{}", mask.replace('.', "_")),
                None => event.name.clone(),
            };
            let encoding = encode(&format!("{}::{name}", pmu.name), &context);
            let perf = encoding.unwrap_or_else(|error| panic!("{name}: {error}")).perf.unwrap();
            assert_eq!((perf.config, perf.config1), words_on(&event, &kernel), "{name}");
            own += 1;
        }
        assert!(own > 20, "{} has {own} events", pmu.name);
        (pmus, compared) = (pmus + 1, compared + own);
    }
    assert!(pmus == 40 && compared > 5000, "{pmus} {compared}");
}

/// Every event that is built in can be programmed where its unit is a core.
#[test]
fn events_that_are_built_in_are_those_of_their_processor() {
    let of = |cpuinfo: &str| Events::built_in(&CpuId::from_cpuinfo(cpuinfo).unwrap());
    let amd = |model: u32, family: u32| {
        of(&format!(
            "vendor_id : AuthenticAMD\ncpu family : {family}\nmodel : {model}\nflags : x\n"
        ))
    };
    // The first line of the map that fits counts.
    let code = |events: &Events| {
        let found: Vec<String> = events
            .named("ls_dmnd_fills_from_sys.local_l2")
            .map(|event| event.terms.clone())
            .collect();
        found
    };
    assert_eq!(code(&amd(0x61, 25)), ["event=0x43,umask=0x1"]);
    // Zen 3 has it by another name.
    assert!(code(&amd(0x21, 25)).is_empty());
    assert_eq!(amd(0x21, 25).sources().collect::<Vec<_>>(), ["Linux 7.2, amdzen3"]);
    assert_eq!(amd(0x61, 25).sources().collect::<Vec<_>>(), ["Linux 7.2, amdzen4"]);
    let meteor = Events::built_in(&intel(0xaa, 4));
    let both: Vec<_> = meteor.named("arith:fpdiv_active").collect();
    assert_eq!(both.len(), 2);
    assert!(both.iter().any(|event| event.unit.as_deref() == Some("cpu_core")));
    let unknown = of("vendor_id : GenuineIntel\ncpu family : 6\nmodel : 1\nflags : x\n");
    assert!(unknown.is_empty() && unknown.named("INST_RETIRED.ANY").next().is_none());
    let skylake = Events::built_in(&intel(0x55, 4));
    for (name, terms) in [
        ("INST_RETIRED.ANY", "event=0xc0"),
        ("CPU_CLK_UNHALTED.THREAD", "event=0x3c"),
        ("CPU_CLK_UNHALTED.REF_TSC", "event=0x0,umask=0x3"),
        ("UNC_M_CAS_COUNT.RD", "event=0x4,umask=0x3"),
    ] {
        let found: Vec<_> = skylake.named(name).map(|event| event.terms.clone()).collect();
        assert_eq!(found, [terms], "{name}");
    }
    let old = skylake.named("BR_INST_RETIRED.CONDITIONAL").next().unwrap();
    assert!(!old.is_deprecated && old.counters == Some(0xf) && old.brief.is_empty());
    let haswell = Events::built_in(&intel(0x3c, 3));
    let errata = |event, umask| haswell.errata(event, umask);
    assert_eq!(errata("MEM_UOPS_RETIRED", Some("ALL_LOADS")).as_deref(), Some("HSD29, HSM30"));
    assert_eq!(errata("BR_INST_RETIRED", Some("NEAR_CALL")), None);
    let spr = Events::built_in(&intel(0x8f, 4));
    let replaced = spr.iter().filter(|event| event.successor.is_some()).count();
    assert!(replaced > 5, "{replaced}");
}

/// The words that metrics share are put together as they were.
#[test]
fn metrics_that_are_built_in_are_those_of_their_processor() {
    let (mut processors, mut metrics) = (0, 0);
    for pmu in all() {
        let Some(cpu) = pmu.processor() else { continue };
        let built_in = Metric::built_in(&cpu);
        for metric in &built_in {
            let texts = [&metric.formula, &metric.groups];
            let others = [&metric.unit, &metric.threshold, &metric.constraint, &metric.pmu];
            let texts = texts.into_iter().chain(others.into_iter().flatten());
            for text in texts {
                let is_printable = |c: char| c == ' ' || c.is_ascii_graphic();
                assert!(text.chars().all(is_printable), "{}: {text}", metric.name);
            }
            let opened = metric.formula.matches('(').count();
            assert_eq!(opened, metric.formula.matches(')').count(), "{}", metric.name);
            assert!(metric.source.starts_with("Linux "), "{}", metric.source);
        }
        metrics += built_in.len();
        processors += usize::from(!built_in.is_empty());
    }
    assert!(processors > 50 && metrics > 10_000, "{processors} {metrics}");
    let z16 = CpuId::S390x { machine: Some(3931) };
    let z16 = Metric::built_in(&z16);
    let l1mp = z16.iter().find(|metric| metric.name == "l1mp").unwrap();
    assert!(l1mp.formula.starts_with("((L1I_DIR_WRITES + L1D_DIR_WRITES)"), "{}", l1mp.formula);
}
