//! Files of descriptions, in the layouts of Intel and of Linux.

use counterpoint_pmu::descriptions::{DescriptionErrorKind, Descriptions, files, folder};
use counterpoint_pmu::{CpuId, find};

macro_rules! fixture {
    ($path:literal) => {
        include_str!(concat!("../../../../fixtures/pmu/descriptions/", $path))
    };
}

fn intel(model: u32, stepping: u32) -> CpuId {
    CpuId::X86 { vendor: "GenuineIntel".to_owned(), family: 6, model, stepping, architectural: 5 }
}

fn paths(map: &str, cpu: &CpuId) -> Vec<String> {
    let (entries, errors) = files(map, cpu);
    assert_eq!(errors, []);
    entries.iter().map(|entry| entry.path.to_owned()).collect()
}

fn read(file: &str) -> Descriptions {
    let mut descriptions = Descriptions::default();
    assert_eq!(descriptions.add(file, None), []);
    descriptions
}

fn brief<'a>(
    descriptions: &'a Descriptions,
    pmu: &str,
    event: &str,
    umask: Option<&str>,
) -> Option<&'a str> {
    let event = find(pmu)?.event(event)?;
    descriptions.of(&event, umask).map(|found| found.brief.as_str())
}

#[test]
fn maps_name_the_files_of_a_processor() {
    let perfmon = fixture!("perfmon/mapfile.csv");
    let spr = ["SPR/events/spr_core.json", "SPR/events/spr_uncore.json"];
    assert_eq!(paths(perfmon, &intel(0x8f, 8)), spr);
    assert_eq!(paths(perfmon, &intel(0x55, 4)), ["SKX/events/skx_core.json"]);
    assert_eq!(paths(perfmon, &intel(0x55, 11)), ["CLX/events/clx_core.json"]);
    assert!(paths(perfmon, &intel(0x1, 1)).is_empty());
    let units: Vec<_> = files(perfmon, &intel(0x97, 2)).0.iter().map(|entry| entry.unit).collect();
    assert_eq!(units, [Some("cpu_atom"), Some("cpu_core")]);

    let x86 = fixture!("kernel/x86/mapfile.csv");
    assert_eq!(paths(x86, &intel(0xcf, 2)), ["sapphirerapids"]);
    let zen4 = CpuId::from_cpuinfo("vendor_id: AuthenticAMD\ncpu family: 25\nmodel: 97\nflags: a");
    assert_eq!(paths(x86, &zen4.unwrap()), ["amdzen4"]);
    let n1 = CpuId::Arm { cores: vec![(0x41, 0xd0c)] };
    assert_eq!(paths(fixture!("kernel/arm64/mapfile.csv"), &n1), ["arm/neoverse-n1"]);
    let power10 = CpuId::Power { version: 0x80 };
    assert_eq!(paths(fixture!("kernel/powerpc/mapfile.csv"), &power10), ["power10"]);
    assert_eq!(folder(&power10), "powerpc");
}

#[test]
fn a_line_without_a_pattern_is_said() {
    let (entries, errors) =
        files("\u{feff}A,b,c,core\n([,1,x,core\nGenuineIntel-6-8F,1,y,core\n", &intel(0x8f, 0));
    assert_eq!((entries.len(), errors.len()), (1, 1));
    assert_eq!(
        (errors[0].span.clone(), errors[0].kind.clone()),
        (14..16, DescriptionErrorKind::NotAPattern)
    );
    let (_, errors) = files("\u{feff}(,1,x,core", &intel(0x8f, 0));
    assert_eq!(errors[0].span, 3..4);
}

#[test]
fn events_are_found_by_name_and_by_code() {
    let core = read(fixture!("perfmon/SPR/events/spr_core.json"));
    let of = |event, umask| brief(&core, "spr", event, Some(umask));
    assert_eq!(of("INST_RETIRED", "ANY_P"), Some("Instructions that have retired"));
    assert_eq!(
        of("INST_RETIRED", "ANY"),
        Some("Instructions that have retired, on the counter that is made for them")
    );
    // Only the code says it, with its counter mask and inversion.
    assert_eq!(of("UOPS_RETIRED", "STALLS"), Some("Cycles in which nothing retires"));
    // Of two names for one code the one that is not given up.
    assert_eq!(of("ARITH", "DIV_ACTIVE"), Some("Cycles in which the dividers work"));
    assert_eq!(of("XQ", "FULL_CYCLES"), None);
    assert_eq!(brief(&core, "spr_unc_cha0", "UNC_CHA_CLOCKTICKS", None), None);

    let uncore = read(fixture!("perfmon/SPR/events/spr_uncore.json"));
    let of = |pmu, event, umask| brief(&uncore, pmu, event, umask);
    assert_eq!(
        of("spr_unc_cha3", "UNC_CHA_TOR_INSERTS", Some("IA_MISS")),
        Some("Requests of cores that miss, as they enter the table of requests")
    );
    assert_eq!(
        of("spr_unc_cha0", "UNC_CHA_CLOCKTICKS", None),
        Some("Clock ticks of the caching agents")
    );
    assert_eq!(
        of("spr_unc_imc0", "UNC_M_CAS_COUNT", Some("RD")),
        Some("Column accesses that read")
    );
    assert_eq!(uncore.of_pmu(find("spr_unc_imc0").unwrap()).count(), 1);
}

#[test]
fn what_the_tables_lack_can_be_written_as_a_term() {
    let core = read(fixture!("perfmon/SPR/events/spr_core.json"));
    let extra = core.iter().find(|event| event.name == "OCR.ANYTHING_NEW").unwrap();
    assert_eq!(extra.term, "event=0x2a,umask=0x1,offcore_rsp=0x123456");
    assert_eq!((extra.counters, extra.is_deprecated), (Some(0xf), false));
    let any = core.iter().find(|event| event.name == "INST_RETIRED.ANY").unwrap();
    assert_eq!((any.counters, any.text.as_deref()), (Some(1 << 32), None));
    let any_p = core.iter().find(|event| event.name == "INST_RETIRED.ANY_P").unwrap();
    let text = "Instructions that have retired, on any counter. “Retired” means that their results are\nvisible.";
    assert_eq!(any_p.text.as_deref(), Some(text));
    assert!(core.iter().any(|event| event.is_deprecated));
    let uncore = read(fixture!("perfmon/SPR/events/spr_uncore.json"));
    let terms: Vec<&str> = uncore.iter().map(|event| event.term.as_str()).collect();
    assert_eq!(
        terms,
        [
            "event=0x1",
            "event=0x35,umask=0xc001fe01",
            "event=0x5,umask=0xcf",
            "event=0x83,umask=0x4,ch_mask=0x1,fc_mask=0x7"
        ]
    );
}

#[test]
fn cores_of_two_kinds_are_told_apart() {
    let mut descriptions = Descriptions::default();
    assert_eq!(
        descriptions.add(fixture!("perfmon/ADL/events/adl_atom_core.json"), Some("cpu_atom")),
        []
    );
    assert_eq!(
        descriptions.add(fixture!("perfmon/ADL/events/adl_core_core.json"), Some("cpu_core")),
        []
    );
    let of = |pmu| brief(&descriptions, pmu, "INST_RETIRED", Some("ANY_P"));
    assert_eq!(of("adl_grt"), Some("Instructions of the small cores"));
    assert_eq!(of("adl_glc"), Some("Instructions of the big cores"));
}

#[test]
fn the_layout_of_linux_is_read_for_every_architecture() {
    let spr = read(fixture!("kernel/x86/sapphirerapids/cache.json"));
    let miss = "Loads that retire after a miss of the first cache";
    assert_eq!(brief(&spr, "spr", "MEM_LOAD_RETIRED", Some("L1_MISS")), Some(miss));

    let zen4 = read(fixture!("kernel/x86/amdzen4/core.json"));
    let retired = brief(&zen4, "amd64_fam19h_zen4", "RETIRED_INSTRUCTIONS", None);
    assert_eq!(retired, Some("Instructions that have retired."));
    let hits = brief(&zen4, "amd64_fam19h_zen4", "OP_CACHE_HIT_MISS", Some("OC_HIT"));
    assert_eq!(hits, Some("Hits of the op cache."));
    let l3: Vec<&str> = zen4
        .of_pmu(find("amd64_fam19h_zen3_l3").unwrap())
        .map(|event| event.name.as_str())
        .collect();
    assert_eq!(l3, ["l3_lookup_state.l3_miss"]);

    let power10 = read(fixture!("kernel/powerpc/power10/pipeline.json"));
    assert_eq!(brief(&power10, "power10", "PM_CYC", None), Some("Cycles of the processor."));

    let mut n1 = Descriptions::default();
    assert_eq!(n1.add_standard(fixture!("kernel/arm64/common-and-microarch.json")), []);
    let file = fixture!("kernel/arm64/arm/neoverse-n1/cache.json");
    let errors = n1.add(file, None);
    assert_eq!(errors.len(), 1);
    assert_eq!(&file[errors[0].span.clone()], "\"NO_SUCH_EVENT\"");
    assert_eq!(n1.iter().count(), 2);
    let refill = find("arm_n1").unwrap().event("L1D_CACHE_REFILL").unwrap();
    let found = n1.of(&refill, None).unwrap();
    assert_eq!(found.text.as_deref(), Some("Refills of this core's first data cache"));
    assert_eq!(
        (found.term.as_str(), found.brief.as_str()),
        ("event=0x3", "Refills of the first data cache")
    );
}

#[test]
fn what_cannot_be_read_is_said_with_its_place_and_the_rest_kept() {
    let wrong = |file: &str| {
        let mut descriptions = Descriptions::default();
        let errors = descriptions.add(file, None);
        assert_eq!(errors.len(), 1, "{file}: {errors:?}");
        assert!(errors[0].span.end <= file.len() && !errors[0].to_string().is_empty());
        (errors[0].span.clone(), descriptions.iter().count())
    };
    let number =
        r#"[{"EventName": "A", "EventCode": "0xg"}, {"EventName": "B", "EventCode": "1"}]"#;
    assert_eq!(wrong(number), (33..38, 2));
    assert_eq!(wrong(r#"[{"EventName": "A"}, {"EventName": "B""#), (38..38, 1));
    assert_eq!(wrong(r#"[{"EventName": "A"} {"EventName": "B"}]"#), (20..21, 1));
    assert_eq!(wrong(""), (0..0, 0));
    assert_eq!(wrong("{\"Metrics\": [[[{}]]]}"), (0..1, 0));
    assert_eq!(wrong("[{\"a\": [}"), (9..9, 0));
    assert_eq!(wrong("[{\"a\": \"\\ud800\"}]"), (9..10, 0));
    assert_eq!(wrong("[{\"a\": \"é"), (7..8, 0));
    assert_eq!(wrong("[] é"), (3..5, 0));
    let deep = format!("[{{\"a\": {}", "[".repeat(1 << 20));
    assert_eq!(wrong(&deep).1, 0);
}

#[test]
fn metrics_are_no_events() {
    let metrics = fixture!("perfmon/SPR/metrics/spr_metrics.json");
    let mut descriptions = Descriptions::default();
    assert_eq!(descriptions.add(metrics, None)[0].kind, DescriptionErrorKind::NoEvents);
    assert_eq!(descriptions.add(r#"[{"MetricName": "IPC", "MetricExpr": "a / b"}]"#, None), []);
    assert_eq!(descriptions.iter().count(), 0);
}
