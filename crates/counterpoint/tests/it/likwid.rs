//! likwid's names of events and boxes.

use crate::world::ms;
use counterpoint::events::{CandidateEvent, Native, PmuBox};
use counterpoint::metrics::likwid_folder;
use counterpoint::perf::Host;
use counterpoint::pmu::{PmuKind, all, find};
use counterpoint::{EventSet, Machine, Note, Target, read_definitions};
use counterpoint_fixtures::FakeKernel;
use proptest::prelude::*;

const NAMES: &str = include_str!("../../tables/likwid/names.txt");
const DEVICES: &str = "/sys/bus/event_source/devices";

fn on(pmu: &str) -> EventSet {
    EventSet::with_machine(Machine::of_pmu(find(pmu).unwrap()), Target::ThisThread)
}

fn natives(set: &EventSet, name: &str) -> Vec<Native> {
    let candidates = set.candidates(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    candidates[0].natives().unwrap_or_else(|error| panic!("{name}: {error}")).to_vec()
}

fn boxes(set: &EventSet, name: &str) -> Vec<Vec<PmuBox>> {
    natives(set, name).into_iter().map(|native| native.boxes).collect()
}

/// The kind of the first candidate, and the event for which it is likwid's name.
fn first(set: &EventSet, name: &str) -> (&'static str, String) {
    let candidates = set.candidates(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    match &candidates[0].events[..] {
        [event @ CandidateEvent::Likwid { event: named, .. }] => (event.kind(), named.clone()),
        [event, ..] => (event.kind(), String::new()),
        [] => ("", String::new()),
    }
}

#[test]
fn names_of_core_events_stand_for_the_vendors() {
    let cases = [
        ("skx", "L1D_REPLACEMENT", "L1D:REPLACEMENT"),
        ("skx", "BR_INST_RETIRED_ALL_BRANCHES", "BR_INST_RETIRED:ALL_BRANCHES"),
        ("skx", "INSTR_RETIRED_ANY", "instructions"),
        ("skx", "CPU_CLK_UNHALTED_REF", "ref-cycles"),
        ("skx", "CPU_CLOCK_UNHALTED_TOTAL_CYCLES", "CPU_CLK_THREAD_UNHALTED:THREAD_P:c=2:i=1"),
        ("skx", "CYCLE_ACTIVITY_CYCLES_LDM_PENDING", "CYCLE_ACTIVITY:CYCLES_MEM_ANY"),
        ("skx", "UOPS_ISSUED_ANY:c=1", "UOPS_ISSUED:ANY:c=1"),
        ("spr", "TOPDOWN_SLOTS", "TOPDOWN:SLOTS"),
        ("snb", "ARITH_FPU_DIV_ACTIVE:e=1", "ARITH:FPU_DIV_ACTIVE:e=1:c=1"),
        ("nhm", "L2_LINES_IN_ANY", "L2_LINES_IN:ANY"),
        ("amd64_fam19h_zen4", "CPU_CLOCKS_UNHALTED", "CYCLES_NOT_IN_HALT"),
        (
            "amd64_fam16h",
            "DATA_CACHE_REFILLS_ALL",
            "DATA_CACHE_REFILLS:SHARED:EXCLUSIVE:OWNED:MODIFIED",
        ),
    ];
    for (pmu, name, event) in cases {
        let set = on(pmu);
        assert_eq!(first(&set, name), ("likwid", event.to_string()), "{pmu}");
        assert_eq!(boxes(&set, name), boxes(&set, event), "{pmu} {name}");
    }
    // Arm's own name, which likwid has too.
    let set = on("arm_ac57");
    assert_eq!(first(&set, "BR_PRED").0, "vendor");
    assert_eq!(boxes(&set, "BR_PRED"), boxes(&set, "BRANCH_PRED"));
}

#[test]
fn other_names_keep_their_meaning_or_are_unknown() {
    // The tables and the kernel have these.
    for (pmu, name, kind) in [
        ("arm_n1", "INST_RETIRED", "table"),
        ("power9", "PM_RUN_CYC", "table"),
        ("amd64_fam19h_zen4", "RETIRED_INSTRUCTIONS", "table"),
        ("skx", "cycles", "kernel"),
        ("skx", "L1D:REPLACEMENT", "table"),
    ] {
        assert_eq!(first(&on(pmu), name).0, kind, "{pmu} {name}");
    }
    // Fixed counters of Intel's processors are not those of others.
    for (pmu, name) in [
        ("power9", "INSTR_RETIRED_ANY"),
        ("amd64_fam19h_zen4", "CPU_CLK_UNHALTED_CORE"),
        ("skx", "L1D_"),
        ("skx", "_REPLACEMENT"),
        ("skx", "L1D_REPLACEMENT_REPLACEMENT"),
        ("skx", "ACTUAL_CPU_CLOCK"),
        ("skx", "L1D_M_EVICT"),
        ("skx", "INSTR_RETIRED_ANY:c=1"),
    ] {
        assert!(on(pmu).candidates(name).is_err(), "{pmu} {name}");
    }
    let error = on("skx").candidates("L1D_REPLACEMENTS").unwrap_err();
    assert!(error.similar().contains(&"L1D:REPLACEMENT".to_string()), "{:?}", error.similar());
}

/// Every line of the table, on every PMU to which it applies.
#[test]
fn the_table_of_names_has_events_of_the_tables() {
    let mut pmus = Vec::new();
    let mut checked = 0;
    for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
        if let Some(patterns) = line.strip_prefix('[') {
            pmus.clear();
            for pattern in patterns.trim_end_matches(']').split(' ') {
                let is_of = |name: &str| match pattern.strip_suffix('*') {
                    Some(start) => name.starts_with(start),
                    None => name == pattern,
                };
                let cores = all().filter(|pmu| pmu.kind == PmuKind::Core && is_of(pmu.name));
                let before = pmus.len();
                pmus.extend(cores.map(|pmu| (pmu.name, on(pmu.name))));
                assert!(pmus.len() > before, "{pattern} is no PMU");
            }
            continue;
        }
        let (name, event) = line.split_once(' ').unwrap();
        // The kernel's and the vendor's events, and those of uncore PMUs, are not events of these PMUs.
        if event.starts_with(|c: char| c.is_ascii_lowercase()) || event.starts_with("UNC_") {
            continue;
        }
        for (pmu, set) in &pmus {
            if set.machine().tables().pmus.iter().all(|own| own.is_architectural()) {
                continue;
            }
            assert_eq!(boxes(set, name), boxes(set, event), "{pmu} {name}");
            assert_ne!(first(set, event).0, "likwid", "{pmu} {event}");
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked}");
}

/// A Skylake server of two memory controllers, with a gap between its home agents.
fn server() -> FakeKernel {
    let mut kernel = FakeKernel::new()
        .file("/proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\nstepping : 4\nflags : arch_perfmon\n")
        .file("/sys/devices/system/cpu/online", "0-3\n")
        .file(format!("{DEVICES}/cpu/type"), "4\n");
    let pmus = ["uncore_imc_0", "uncore_imc_1", "uncore_cha_0", "uncore_cha_2", "uncore_ubox"];
    for (number, pmu) in pmus.into_iter().chain(["power"]).enumerate() {
        kernel = kernel
            .file(format!("{DEVICES}/{pmu}/type"), format!("{}\n", 20 + number))
            .file(format!("{DEVICES}/{pmu}/cpumask"), "0\n")
            .file(format!("{DEVICES}/{pmu}/format/event"), "config:0-7\n")
            .file(format!("{DEVICES}/{pmu}/format/umask"), "config:8-15\n")
            .file(format!("{DEVICES}/{pmu}/format/edge"), "config:18\n");
    }
    kernel
        .file(format!("{DEVICES}/uncore_imc_0/events/cas_count_read"), "event=0x04,umask=0x03\n")
        .file(format!("{DEVICES}/uncore_imc_0/events/cas_count_read.scale"), "6.103515625e-5\n")
        .file(format!("{DEVICES}/power/events/energy-pkg"), "event=0x02\n")
        .file(format!("{DEVICES}/power/events/energy-pkg.scale"), "2.5e-10\n")
        .file(format!("{DEVICES}/power/events/energy-pkg.unit"), "Joules\n")
}

fn on_server() -> EventSet {
    EventSet::on(Host::with_kernel(server()), "0-3".parse().map(Target::Cpus).unwrap())
}

#[test]
fn events_of_a_box_are_counted_on_that_box() {
    let set = on_server();
    let cases = [
        ("mbox1/CAS_COUNT_WR/", "uncore_imc_1/UNC_M_CAS_COUNT:WR/", 0xc04),
        ("mbox0/CAS_COUNT_RD:e=1/", "uncore_imc_0/UNC_M_CAS_COUNT:RD,edge=0x1/", 0x40304),
        ("ubox/UNCORE_CLOCK/", "uncore_ubox/event=0xff/", 0xff),
        ("pwr/PWR_PKG_ENERGY/", "power/energy-pkg/", 0x2),
    ];
    for (name, event, config) in cases {
        assert_eq!(first(&set, name), ("likwid", event.to_string()));
        let [native] = &natives(&set, name)[..] else { panic!("{name} is several events") };
        let configs: Vec<u64> = native.boxes.iter().map(|b| b.attr.config).collect();
        assert_eq!(configs, [config], "{name}");
        // likwid's formulas multiply counts themselves, but take energies in J.
        assert_eq!(native.scale.is_some(), name.starts_with("pwr"), "{name}");
    }
}

#[test]
fn what_a_machine_lacks_is_a_reason() {
    let set = on_server();
    for (name, words) in [
        ("mbox2/CAS_COUNT_RD/", "this machine has 2 memory controllers"),
        ("cbox1/LLC_LOOKUP_DATA_READ/", "this machine has 2 parts of the last-level cache"),
        ("hbm0/CAS_COUNT_RD/", "sysfs has no uncore_mchbm or uncore_hbm"),
        ("mbox0/CAS_COUNT_RF/", "uncore_imc_0 has no event CAS_COUNT_RF"),
        ("mbox0/CAS_COUNT_RD:OPCODE=0x1/", "has no option OPCODE"),
        ("tmp/TEMP_CORE/", "temperatures"),
        ("gpu0/ACTIVE_CYCLES/", "graphics processors"),
    ] {
        let candidates = set.candidates(name).unwrap();
        let error = candidates[0].natives().unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
    // Names that are not likwid's have the errors of their PMUs.
    let candidates = set.candidates("mbox0/reads/").unwrap();
    let error = candidates[0].natives().unwrap_err().to_string();
    assert!(error.contains("no PMU is called `mbox0`"), "{error}");
}

const GROUP: &str = "SHORT Reads\n\nEVENTSET\nMBOX0C0 CAS_COUNT_RD\nMBOX1C0 CAS_COUNT_RD\nMBOX2C0 CAS_COUNT_RD\nCBOX0C0 LLC_LOOKUP_DATA_READ\nCBOX1C0 LLC_LOOKUP_DATA_READ\n\nMETRICS\nAll MBOX0C0+MBOX1C0+MBOX2C0\nTwo MBOX0C0+MBOX1C0\nLookups CBOX0C0+CBOX1C0\n";

/// A group names as many boxes as the largest processor has. A box that is missing below the last one may be hidden.
#[test]
fn boxes_above_the_last_one_count_0_and_the_row_says_so() {
    let kernel = server().counts(|_, _| 5);
    let host = Host::with_kernel(kernel.clone());
    let set = EventSet::on(host, Target::Cpus("0-3".parse().unwrap()));
    let mut counters =
        set.define(read_definitions("READS.txt", GROUP)).metric("READS").open().unwrap();
    kernel.run(ms(10));
    let report = counters.read().unwrap();
    let [all, two, lookups] = &report.rows[..] else { panic!("{:?}", report.rows) };
    assert_eq!(all.value.as_f64(), two.value.as_f64());
    assert!(all.value.as_f64().is_some());
    assert!(all.notes.contains(&Note::MissingBoxes), "{:?}", all.notes);
    assert!(!two.notes.contains(&Note::MissingBoxes), "{:?}", two.notes);
    assert_eq!(lookups.value.as_f64(), None, "{:?}", lookups.value);
}

#[test]
fn folders_are_those_of_the_processors() {
    for (pmu, folder) in [
        ("skl", Some("skylake")),
        ("skx", Some("skylakeX")),
        ("hsw_ep", Some("haswellEP")),
        ("knc", Some("phi")),
        ("amd64_k8_revg", Some("k8")),
        ("amd64_fam10h_istanbul", Some("k10")),
        ("amd64_fam17h_zen2", Some("zen2")),
        ("arm_v2", Some("nvidia_grace")),
        ("power9", Some("power9")),
        ("power4", None),
        ("sk", None),
        ("", None),
    ] {
        assert_eq!(likwid_folder(pmu), folder, "{pmu}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Whatever the tables have is found there, with likwid's names or without.
    #[test]
    fn events_of_the_tables_are_never_likwids(
        pmu in any::<proptest::sample::Index>(),
        event in any::<proptest::sample::Index>(),
        mask in any::<proptest::sample::Index>(),
        has_mask: bool,
    ) {
        let cores: Vec<_> = all().filter(|pmu| pmu.kind == PmuKind::Core).collect();
        let pmu = cores[pmu.index(cores.len())];
        let events: Vec<_> = pmu.events().collect();
        let event = events[event.index(events.len())];
        let set = on(pmu.name);
        let masks = event.attributes(counterpoint::pmu::Layer::Raw, set.machine().tables());
        let text = if has_mask && !masks.is_empty() { format!("{}:{}", event.name, masks[mask.index(masks.len())].name) } else { event.name.to_string() };
        for candidate in set.candidates(&text).into_iter().flatten() {
            for event in &candidate.events {
                prop_assert_ne!(event.kind(), "likwid", "{}", text);
            }
        }
    }
}
