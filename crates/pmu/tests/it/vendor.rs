//! Vendors' files of events, in the layouts of Intel and of Linux.

use counterpoint_pmu::syntax::{self, Source};
use counterpoint_pmu::vendor::{ErrorKind, Events, files, folder, metric_files};
use counterpoint_pmu::{CpuId, find, sysfs};

macro_rules! fixture {
    ($path:literal) => {
        include_str!(concat!("../../../../fixtures/pmu/vendor/", $path))
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

fn read(file: &str) -> Events {
    let mut events = Events::default();
    assert_eq!(events.add(file, None), []);
    events
}

fn brief<'a>(events: &'a Events, pmu: &str, event: &str, umask: Option<&str>) -> Option<&'a str> {
    let event = find(pmu)?.event(event)?;
    events.of(&event, umask).map(|found| found.brief.as_str())
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
    let a64fx = CpuId::Arm { cores: vec![(0x46, 0x001)] };
    assert!(paths(fixture!("kernel/arm64/mapfile.csv"), &a64fx).is_empty());
    let z15 = CpuId::S390x { machine: Some(8561) };
    assert_eq!(paths("^IBM.856[12].*3\\.6.[[:xdigit:]]+$,3,cf_z15,core", &z15), ["cf_z15"]);
    let power9 = CpuId::Power { version: 0x4e };
    assert_eq!(paths("004e[[:xdigit:]]{4},1,power9,core", &power9), ["power9"]);
    let power10 = CpuId::Power { version: 0x80 };
    assert_eq!(paths(fixture!("kernel/powerpc/mapfile.csv"), &power10), ["power10"]);
    assert_eq!(folder(&power10), "powerpc");
}

#[test]
fn of_several_directories_the_first_is_the_processors() {
    let map = "AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]]),v1,amdzen3,core\n\
        AuthenticAMD-25-[[:xdigit:]]+,v1,amdzen4,core\n";
    let of = |model: u32| {
        let vendor = "AuthenticAMD".to_owned();
        let zen = CpuId::X86 { vendor, family: 25, model, stepping: 0, architectural: 0 };
        assert_eq!(metric_files(map, &zen).len(), 1);
        paths(map, &zen)
    };
    assert_eq!(of(0x21), ["amdzen3"]);
    assert_eq!(of(0x61), ["amdzen4"]);
}

#[test]
fn a_line_without_a_pattern_is_said() {
    let (entries, errors) =
        files("\u{feff}A,b,c,core\n([,1,x,core\nGenuineIntel-6-8F,1,y,core\n", &intel(0x8f, 0));
    assert_eq!((entries.len(), errors.len()), (1, 1));
    assert_eq!((errors[0].span.clone(), errors[0].kind.clone()), (14..16, ErrorKind::NotAPattern));
    let (_, errors) = files("\u{feff}(,1,x,core", &intel(0x8f, 0));
    assert_eq!(errors[0].span, 3..4);
}

/// Arm's files have a word before the number, Intel's a 0 where there is none.
#[test]
fn errata_are_numbers_between_commas() {
    let file = |written: &str| {
        format!(r#"[{{"EventName": "A.B", "EventCode": "0x1", "Errata": "{written}"}}]"#)
    };
    for (written, expected) in [
        ("HSD29, HSM30", Some("HSD29, HSM30")),
        ("BDE70,BDM100", Some("BDE70, BDM100")),
        ("Errata AC03_CPU_29", Some("AC03_CPU_29")),
        ("0", None),
        ("null", None),
        ("", None),
    ] {
        let events = read(&file(written));
        assert_eq!(events.errata("A", Some("B")).as_deref(), expected, "{written}");
        assert_eq!(events.errata("A", None), None);
    }
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
fn events_are_encoded_as_perf_does() {
    let core = read(fixture!("perfmon/SPR/events/spr_core.json"));
    let extra = core.iter().find(|event| event.name == "OCR.ANYTHING_NEW").unwrap();
    assert_eq!(extra.terms.as_str(), "event=0x2a,umask=0x1,offcore_rsp=0x123456");
    assert_eq!((extra.counters, extra.is_deprecated), (Some(0xf), false));
    let any = core.iter().find(|event| event.name == "INST_RETIRED.ANY").unwrap();
    // Linux finds the fixed counter, or another one, by the code of the architecture.
    assert_eq!((any.terms.as_str(), any.counters, any.text.as_deref()), ("event=0xc0", None, None));
    let any_p = core.iter().find(|event| event.name == "INST_RETIRED.ANY_P").unwrap();
    let text = "Instructions that have retired, on any counter. “Retired” means that their results are\nvisible.";
    assert_eq!(any_p.text.as_deref(), Some(text));
    assert!(core.iter().any(|event| event.is_deprecated));
    let uncore = read(fixture!("perfmon/SPR/events/spr_uncore.json"));
    let terms: Vec<String> = uncore.iter().map(|event| event.terms.clone()).collect();
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
    let mut events = Events::default();
    assert_eq!(events.add(fixture!("perfmon/ADL/events/adl_atom_core.json"), Some("cpu_atom")), []);
    assert_eq!(events.add(fixture!("perfmon/ADL/events/adl_core_core.json"), Some("cpu_core")), []);
    let of = |pmu| brief(&events, pmu, "INST_RETIRED", Some("ANY_P"));
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
    let l3: Vec<String> = zen4
        .of_pmu(find("amd64_fam19h_zen3_l3").unwrap())
        .map(|event| event.name.clone())
        .collect();
    assert_eq!(l3, ["l3_lookup_state.l3_miss"]);

    let power10 = read(fixture!("kernel/powerpc/power10/pipeline.json"));
    assert_eq!(brief(&power10, "power10", "PM_CYC", None), Some("Cycles of the processor."));

    let mut n1 = Events::default();
    assert_eq!(n1.add_standard(fixture!("kernel/arm64/common-and-microarch.json")), []);
    let file = fixture!("kernel/arm64/arm/neoverse-n1/cache.json");
    let errors = n1.add(file, None);
    assert_eq!(errors.len(), 1);
    assert_eq!(&file[errors[0].span.clone()], "\"NO_SUCH_EVENT\"");
    assert_eq!(n1.iter().count(), 3);
    let own = n1.named("own_code").next().unwrap();
    assert_eq!((own.terms.as_str(), own.brief.as_str()), ("event=0x77", "Cycles"));
    let refill = find("arm_n1").unwrap().event("L1D_CACHE_REFILL").unwrap();
    let found = n1.of(&refill, None).unwrap();
    assert_eq!(found.text.as_deref(), Some("Refills of this core's first data cache"));
    assert_eq!(
        (found.terms.as_str(), found.brief.as_str()),
        ("event=0x3", "Refills of the first data cache")
    );
}

#[test]
fn what_cannot_be_read_is_said_with_its_place_and_the_rest_kept() {
    let wrong = |file: &str| {
        let mut events = Events::default();
        let errors = events.add(file, None);
        assert_eq!(errors.len(), 1, "{file}: {errors:?}");
        assert!(errors[0].span.end <= file.len());
        (errors[0].to_string(), events.iter().count())
    };
    let of_member = |member: &str| {
        let file = format!("[{{\"EventName\": \"A\",\n  {member}}},\n {{\"EventName\": \"B\"}}]");
        let (error, kept) = wrong(&file);
        assert_eq!(kept, 1, "{member}");
        error
    };
    let hex = "line 2, column 16, object 0: `EventCode` takes a number, such as 0x3c";
    assert_eq!(of_member(r#""EventCode": "0xg""#), hex);
    assert_eq!(
        of_member(r#""UMask": [1, {"a": 2}]"#),
        "line 2, column 12, object 0: `UMask` takes a text or a number"
    );
    assert_eq!(
        of_member(r#""Unit": "CBO", "Filter": "a=b=c,,""#),
        "line 2, column 28, object 0: `Filter` takes terms of perf, such as filter_opc=0x182"
    );
    let other = r#"[{"EventName": "A"}, "B", {"EventName": "C"}]"#;
    assert_eq!(
        wrong(other),
        ("line 1, column 22, object 1: expected an object that describes an event".to_owned(), 2)
    );
    let starts = |file: &str, start: &str, kept| {
        let (error, count) = wrong(file);
        assert!(error.starts_with(start), "{file}: {error}");
        assert_eq!(count, kept, "{file}");
    };
    starts(
        r#"[{"EventName": "A"}, {"EventName": "B""#,
        "line 1, column 38: this is not JSON: EOF",
        1,
    );
    starts(r#"[{"EventName": "A"} {"EventName": "B"}]"#, "line 1, column 21: this is not JSON", 1);
    starts("", "line 1, column 1: this is not JSON", 0);
    starts("[] é", "line 1, column 4: this is not JSON: trailing", 0);
    starts("[{\"Unit\": \"\\ud800\"}]", "line 1, column 18: this is not JSON", 0);
    for other in ["{\"Metrics\": [[[{}]]]}", "7", "\"a\"", "null", "{\"Events\": 7}"] {
        starts(other, "line 1, column ", 0);
        assert!(wrong(other).0.contains("expected a list of events"), "{other}");
    }
    starts(&format!("[{{\"a\": {}", "[".repeat(1 << 20)), "line 1, column ", 0);
}

#[test]
fn a_file_of_which_all_is_wrong_is_not_read_for_each_error() {
    let file = format!("[{}1]", "1,".repeat(100_000));
    assert_eq!(Events::default().add(&file, None).len(), 20);
}

/// The words in which the only event of a file is opened on a PMU.
fn words_on(mut pmu: sysfs::Pmu, file: &str) -> [u64; 2] {
    let events = read(file);
    let event = events.iter().next().expect("an event");
    pmu.events.push(event.for_pmu(&pmu));
    let groups = syntax::parse(&format!("pmu/{}/", event.name)).expect("an event with terms");
    let Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!("no terms") };
    let config = pmu.encode(terms).expect("fields of the PMU");
    [config.config, config.config1]
}

/// The same on a PMU with these fields.
fn words(file: &str, formats: &[(&str, &str)]) -> [u64; 2] {
    words_on(sysfs::Pmu::from_files("pmu", 4, formats.iter().copied(), []), file)
}

#[test]
fn every_member_reaches_its_field() {
    let intel = CpuId::X86 {
        vendor: "GenuineIntel".to_owned(),
        family: 6,
        model: 0xad,
        stepping: 0,
        architectural: 6,
    };
    let core = |members: &str| {
        let file = format!("[{{\"EventName\": \"A\", {members}}}]");
        words_on(sysfs::standard_core(&intel, 0).expect("Intel's cores have fields"), &file)
    };
    let all = r#""EventCode": "0xd1", "UMask": "0x2", "CounterMask": "16", "Invert": "1", "EdgeDetect": "1", "AnyThread": "1""#;
    assert_eq!(core(all), [0x10a4_02d1, 0]);
    assert_eq!(
        core(r#""EventCode": 209, "UMask": "0x02", "UMaskExt": "0x01""#),
        [0x100_0000_02d1, 0]
    );
    let offcore = r#""EventCode": "0xB7, 0xBB", "UMask": "0x01", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x3F803C0004""#;
    assert_eq!(core(offcore), [0x1b7, 0x3f_803c_0004]);
    assert_eq!(
        core(r#""EventCode": "0xcd", "MSRIndex": "0x3F6", "MSRValue": "0x200""#),
        [0xcd, 0x200]
    );
    assert_eq!(
        core(r#""EventCode": "0xc6", "MSRIndex": "0x3F7", "MSRValue": "0x11""#),
        [0xc6, 0x11]
    );

    let umask = [("event", "config:0-7"), ("umask", "config:8-15,32-63")];
    let channels = [
        ("event", "config:0-7"),
        ("umask", "config:8-15"),
        ("ch_mask", "config:36-47"),
        ("fc_mask", "config:48-50"),
    ];
    let iio = r#"{"Header": {}, "Events": [{"EventName": "A", "Unit": "IIO", "EventCode": "0x83", "UMask": "0x04", "PortMask": "0x0F", "FCMask": "0x07", "UMaskExt": "0x000700F0"}]}"#;
    assert_eq!(words(iio, &channels), [0x0007_00f0_0000_0483, 0]);
    let cha = r#"[{"EventName": "A", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x01", "UMaskExt": "0x00C001FE"}]"#;
    assert_eq!(words(cha, &umask), [0x00c0_01fe_0000_0135, 0]);
    // Linux's files repeat the extension in the unit mask.
    let cha = r#"[{"EventName": "A", "Unit": "CHA", "EventCode": "0x35", "UMask": "0xC001FE01", "UMaskExt": "0x00C001FE"}]"#;
    assert_eq!(words(cha, &umask), [0x00c0_01fe_0000_0135, 0]);
    let filter = r#"[{"EventName": "A", "Unit": "CHA", "EventCode": "0x35", "Filter": "Filter1", "FILTER_VALUE": "0x40433"}]"#;
    assert_eq!(words(filter, &umask), [0x35, 0x40433]);
    let filter =
        r#"[{"EventName": "A", "Unit": "CBO", "EventCode": "0x35", "Filter": "filter_opc=0x182"}]"#;
    let opc = [("event", "config:0-7"), ("filter_opc", "config1:23-31")];
    assert_eq!(words(filter, &opc), [0x35, 0x182 << 23]);
    let power = r#"[{"EventName": "UNC_P_POWER_STATE_OCCUPANCY.CORES_C6", "Unit": "PCU", "EventCode": "0x80", "UMask": "0xC0"}]"#;
    let states = [("event", "config:0-7,21"), ("occ_sel", "config:14-15")];
    assert_eq!(words(power, &states), [0xc080, 0]);
    let config = r#"[{"EventName": "A", "Unit": "hisi_sccl,hha", "ConfigCode": "0x0"}]"#;
    assert_eq!(words(config, &[]), [0, 0]);
}

#[test]
fn counters_for_one_event_have_the_codes_of_their_drivers() {
    let file = r#"[
        {"EventName": "UNC_IIO_BANDWIDTH_OUT.PART3_FREERUN", "Unit": "IIO", "CounterType": "FREERUN", "Counter": "12"},
        {"EventName": "UNC_MC1_WRCAS_COUNT_FREERUN", "Unit": "iMC", "CounterType": "FREERUN", "Counter": "5"},
        {"EventName": "UNC_CLOCK.SOCKET", "Unit": "NCU", "EventCode": "0x00", "UMask": "0x01", "Counter": "FIXED"}
    ]"#;
    let events = read(file);
    let found: Vec<(String, Vec<String>)> =
        events.iter().map(|event| (event.terms.clone(), event.pmus())).collect();
    assert_eq!(found[0].0, "event=0xff,umask=0x33");
    assert_eq!(found[0].1[0], "uncore_iio_free_running");
    assert_eq!(found[1].0, "event=0xff,umask=0x30");
    assert_eq!(found[1].1[0], "uncore_imc_free_running_1");
    assert_eq!(found[2].0, "event=0xff");
    assert_eq!(found[2].1, ["uncore_clock", "uncore_cncu", "uncore_cbox_0"]);
}

#[test]
fn units_are_the_names_of_pmus() {
    let file = |unit: &str| {
        format!("[{{\"EventName\": \"A\", \"Unit\": \"{unit}\", \"EventCode\": \"1\"}}]")
    };
    let is_on =
        |unit: &str, device: &str| read(&file(unit)).iter().next().unwrap().is_on(device, false);
    assert!(is_on("iMC", "uncore_imc_0") && is_on("iMC", "uncore_imc"));
    assert!(!is_on("iMC", "uncore_imc_free_running_0"));
    assert!(is_on("CBO", "uncore_cbox_12") && is_on("UPI LL", "uncore_upi_1"));
    assert!(is_on("QPI LL", "uncore_qpi_0") && is_on("IRP", "uncore_irp_3"));
    assert!(is_on("M2M", "uncore_m2m_0") && !is_on("M2M", "uncore_m2mx"));
    assert!(is_on("DFPMC", "amd_df") && is_on("L3PMC", "amd_l3") && is_on("cpu_atom", "cpu_atom"));
    assert!(
        is_on("hisi_sccl,ddrc", "hisi_sccl3_ddrc2") && !is_on("hisi_sccl,ddrc", "hisi_sccl3_hha2")
    );
    let core = read(r#"[{"EventName": "A", "EventCode": "1"}]"#);
    assert!(
        core.iter().all(|event| event.is_on("armv8_cortex_a72", true) && !event.is_on("a", false))
    );
}

#[test]
fn names_are_found_in_any_spelling() {
    let events = read(
        r#"[{"EventName": "A.B_C", "EventCode": "1"}, {"EventName": "A_B.C", "EventCode": "2"}, {"EventName": "a.b_c", "EventCode": "3"}]"#,
    );
    let named =
        |name: &str| events.named(name).map(|event| event.terms.clone()).collect::<Vec<_>>();
    assert_eq!(named("A_B.C"), ["event=0x2"]);
    assert_eq!(named("a.b_c"), ["event=0x3"]);
    assert_eq!(named("A:B-C").len(), 3);
    assert!(named("A.B").is_empty() && named("").is_empty());
    let long = "X".repeat(300);
    assert!(named(&long).is_empty());
}

#[test]
fn metrics_are_no_events() {
    let metrics = fixture!("perfmon/SPR/metrics/spr_metrics.json");
    let mut events = Events::default();
    assert_eq!(events.add(metrics, None)[0].kind, ErrorKind::NoEvents);
    assert_eq!(events.add(r#"[{"MetricName": "IPC", "MetricExpr": "a / b"}]"#, None), []);
    assert_eq!(events.iter().count(), 0);
}
