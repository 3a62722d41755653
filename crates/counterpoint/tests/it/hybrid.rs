//! Machines with several kinds of cores.

use crate::world::{asked, cpu_of, cpus, hold, holds, kernel, recorded, row, rows, set};
use counterpoint::formula::Number;
use counterpoint::perf::{Attr, Host, pmu_type};
use counterpoint::pmu::PmuKind;
use counterpoint::pmu::vendor::Events;
use counterpoint::{EventSet, Machine, Reason, Split, Target, Value};
use counterpoint_fixtures::{FakeKernel, machine};
use std::collections::BTreeSet;

const CORE: u64 = 4 << 32;
const ATOM: u64 = 10 << 32;

fn attrs(events: &str) -> Vec<Attr> {
    let asked = asked(&kernel("intel-hybrid"), Target::ThisThread, events);
    asked.into_iter().map(|opening| opening.attr).collect()
}

#[test]
fn a_generic_event_is_one_event_on_each_core_pmu_which_its_config_names() {
    // The kinds are in the order of the PMUs' names: cpu_atom, cpu_core.
    let generic =
        |kind, config| vec![Attr::new(kind, ATOM | config), Attr::new(kind, CORE | config)];
    assert_eq!(attrs("cycles"), generic(pmu_type::HARDWARE, 0));
    assert_eq!(attrs("PERF_COUNT_HW_INSTRUCTIONS"), generic(pmu_type::HARDWARE, 1));
    assert_eq!(attrs("perf::BRANCHES"), generic(pmu_type::HARDWARE, 4));
    assert_eq!(attrs("L1-dcache-loads"), generic(pmu_type::HW_CACHE, 0));
    assert_eq!(
        attrs("r1a8"),
        [Attr::new(10, 0x1a8), Attr::new(4, 0x1a8)],
        "a raw code goes by the type"
    );
    assert_eq!(attrs("cpu_core/cycles/"), [Attr::new(pmu_type::HARDWARE, CORE)]);
    assert_eq!(attrs("cpu_atom/L1-dcache-loads/"), [Attr::new(pmu_type::HW_CACHE, ATOM)]);
    assert_eq!(attrs("task-clock"), [Attr::new(pmu_type::SOFTWARE, 1)]);
}

#[test]
fn a_bare_name_is_counted_on_the_pmus_that_have_it() {
    assert_eq!(attrs("mem-stores").iter().map(|attr| attr.kind).collect::<Vec<_>>(), [10, 4]);
    assert_eq!(attrs("slots").iter().map(|attr| attr.kind).collect::<Vec<_>>(), [4]);
}

#[test]
fn an_event_has_a_row_for_each_core_pmu_and_counts_on_its_cpus_only() {
    let kernel = kernel("intel-hybrid");
    let mut counters = set(&kernel, Target::AllCpus).event("cycles").open().unwrap();
    let on = |kind: u64| -> BTreeSet<u32> {
        let opened = kernel.opened();
        opened.iter().filter(|o| o.attr.config == kind).map(|o| cpu_of(o).unwrap()).collect()
    };
    assert_eq!((on(CORE), on(ATOM)), ((0..8).collect(), (8..12).collect()));
    hold(&kernel, holds(100, 1, 1), |o| o.attr.config == CORE);
    hold(&kernel, holds(10, 1, 1), |o| o.attr.config == ATOM);
    let report = counters.read().unwrap();
    let found: Vec<_> =
        rows(report, "cycles").iter().map(|row| (row.id.to_string(), row.value.clone())).collect();
    let counted = |n| Value::Counted(Number::Int(n));
    assert_eq!(
        found,
        [("cpu_atom/cycles/".into(), counted(40)), ("cpu_core/cycles/".into(), counted(800))]
    );
    let snapshot = counters.snapshot().unwrap();
    assert_eq!(counters.report(&snapshot, &Split::Cpu).rows.len(), 12, "one row a CPU, not two");
}

#[test]
fn cpus_of_one_kind_leave_the_other_kind_without_a_number() {
    let kernel = kernel("intel-hybrid");
    let target = Target::Cpus(cpus("8-9"));
    let mut counters = set(&kernel, target).event("instructions").open().unwrap();
    hold(&kernel, holds(5, 1, 1), |_| true);
    let report = counters.read().unwrap();
    let status = |pmu: &str| {
        report.row(&format!("{pmu}/instructions/")).map(|row| row.value.status().name()).unwrap()
    };
    assert_eq!((status("cpu_atom"), status("cpu_core")), ("counted", "not-counted"));
    let reason = report.row("cpu_core/instructions/").unwrap().value.reason().cloned();
    assert_eq!(reason, Some(Reason::OtherCores { cpus: cpus("0-7") }));
}

#[test]
fn an_event_of_one_kind_of_core_is_not_counted_on_the_others() {
    for event in ["cpu_core/instructions/", "cpu_core/mem-stores/", "adl_glc::L1D:REPLACEMENT"] {
        let kernel = kernel("intel-hybrid");
        let Err(error) = set(&kernel, Target::Cpus(cpus("8-9"))).event(event).open() else {
            panic!("{event} opens")
        };
        assert_eq!(error.to_string(), format!("`{event}` counts on the CPUs 0-7 only"));
        set(&kernel, Target::Cpus(cpus("7-8"))).event(event).open().unwrap();
        set(&kernel, Target::ThisThread).event(event).open().unwrap();
    }
}

#[test]
fn a_group_is_a_group_on_each_kind_of_core() {
    for (target, places) in [(Target::ThisThread, 1), (Target::AllCpus, 12)] {
        let kernel = kernel("intel-hybrid");
        let mut counters =
            set(&kernel, target.clone()).event("{cycles,instructions}").open().unwrap();
        let opened = kernel.opened();
        for opening in opened.iter().filter(|o| o.leader.is_some()) {
            // The kernel takes no group with events of two core PMUs.
            let leader = &opened[opening.leader.unwrap()];
            assert_eq!(leader.attr.config >> 32, opening.attr.config >> 32, "{target:?}");
        }
        let leaders = opened.iter().filter(|o| o.leader.is_none()).count();
        assert_eq!(leaders, if places == 1 { 2 } else { 12 }, "{target:?}");
        hold(&kernel, holds(7, 1, 1), |_| true);
        let report = counters.read().unwrap();
        assert_eq!(report.rows.len(), 4);
        for row in &report.rows {
            assert_eq!(row.value.status().name(), "counted", "{target:?}: {row:?}");
            assert_eq!(row.notes, []);
        }
    }
}

#[test]
fn a_derived_event_has_a_value_for_each_core_pmu() {
    let kernel = kernel("intel-hybrid");
    let mut counters = set(&kernel, Target::AllCpus)
        .define("EVENT,IPC,DERIVED_INFIX,N0/N1,instructions,cycles\n")
        .event("IPC")
        .open()
        .unwrap();
    hold(&kernel, holds(300, 1, 1), |o| o.attr.config == (CORE | 1));
    hold(&kernel, holds(100, 1, 1), |o| o.attr.config == CORE);
    hold(&kernel, holds(50, 1, 1), |o| o.attr.config == (ATOM | 1));
    hold(&kernel, holds(100, 1, 1), |o| o.attr.config == ATOM);
    let report = counters.read().unwrap();
    let found: Vec<_> =
        rows(report, "IPC").iter().map(|row| (row.id.to_string(), row.value.as_f64())).collect();
    let wanted = [("cpu_atom/IPC/", Some(0.5)), ("cpu_core/IPC/", Some(3.0))];
    assert_eq!(found, wanted.map(|(id, value)| (id.to_string(), value)));
}

#[test]
fn a_derived_event_of_software_has_one_value() {
    let kernel = kernel("intel-hybrid");
    let mut counters = set(&kernel, Target::ThisThread)
        .define("EVENT,RATE,DERIVED_INFIX,N0/N1,page-faults,task-clock\n")
        .event("RATE")
        .open()
        .unwrap();
    hold(&kernel, holds(6, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "RATE").id.to_string(), "RATE");
    assert_eq!(row(report, "RATE").value.as_f64(), Some(1.0));
    assert_eq!(kernel.asked().len(), 2);
}

#[test]
fn a_derived_event_that_one_kind_of_core_lacks_is_counted_on_the_other() {
    let kernel = kernel("intel-hybrid");
    // Only cpu_core has `slots`; blocks for one PMU are for it alone.
    let mut counters = set(&kernel, Target::AllCpus)
        .define("CPU,cpu_core\nEVENT,WIDE,DERIVED_INFIX,N0/N1,slots,cycles\nCPU,cpu_atom\nEVENT,NARROW,NOT_DERIVED,cycles\n")
        .event("WIDE,NARROW")
        .open()
        .unwrap();
    hold(&kernel, holds(8, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "WIDE").id.to_string(), "cpu_core/WIDE/");
    assert_eq!(row(report, "WIDE").value.as_f64(), Some(1.0));
    assert_eq!(row(report, "NARROW").id.to_string(), "cpu_atom/NARROW/");
}

/// The rows of these events on all CPUs of the hybrid machine, each with its status.
fn statuses(definitions: &str, events: &str) -> Vec<(String, &'static str)> {
    let kernel = kernel("intel-hybrid");
    let set = set(&kernel, Target::AllCpus).define(definitions).event(events);
    let mut counters = set.open().unwrap();
    hold(&kernel, holds(8, 1, 1), |_| true);
    let rows = &counters.read().unwrap().rows;
    rows.iter().map(|row| (row.id.to_string(), row.value.status().name())).collect()
}

fn expected<const N: usize>(rows: [(&str, &'static str); N]) -> Vec<(String, &'static str)> {
    rows.map(|(event, status)| (event.to_string(), status)).into()
}

#[test]
fn a_term_that_one_kind_of_core_lacks_costs_only_that_kind() {
    let found = statuses("EVENT,WIDE,DERIVED_INFIX,N0/N1,slots,cycles\n", "WIDE");
    assert_eq!(
        found,
        expected([("cpu_atom/WIDE/", "not-supported"), ("cpu_core/WIDE/", "counted")])
    );
}

/// A definition is linked once for each kind of core, with the presets of that kind; events of the other kind are written with its PMU.
#[test]
fn the_presets_in_a_definition_are_those_of_the_same_kind_of_core() {
    let found = statuses(
        "EVENT,MINE,NOT_DERIVED,PAPI_TOT_CYC\nEVENT,SMALL,NOT_DERIVED,cpu_atom/cycles/\n",
        "MINE,SMALL",
    );
    let each = [("cpu_atom/MINE/", "counted"), ("cpu_core/MINE/", "counted")];
    assert_eq!(found, expected([each[0], each[1], ("SMALL", "counted")]));
}

#[test]
fn a_term_may_name_the_pmu_of_the_other_kind_of_core() {
    let text = "CPU,adl_glc\nEVENT,R,DERIVED_INFIX,N0/N1,adl_glc::INST_RETIRED:ANY_P,adl_grt::INST_RETIRED:ANY_P\n";
    let set = EventSet::on(recorded("intel-hybrid"), Target::ThisThread).define(text).event("R");
    let resolved = set.resolve().unwrap();
    assert_eq!(resolved.unavailable().count(), 0);
    let ids: Vec<String> = resolved.natives().iter().map(|native| native.id.to_string()).collect();
    assert_eq!(ids, ["adl_glc::INST_RETIRED:ANY_P", "adl_grt::INST_RETIRED:ANY_P"]);
}

/// A machine with PMUs of these names and files, and no others.
fn with_pmus(cpuinfo: &str, pmus: &[(&str, &[(&str, &str)])]) -> FakeKernel {
    let mut kernel = FakeKernel::new()
        .file("/proc/cpuinfo", cpuinfo)
        .file("/sys/devices/system/cpu/online", "0-7\n");
    for (pmu, files) in pmus {
        for (file, text) in *files {
            kernel = kernel.file(format!("/sys/bus/event_source/devices/{pmu}/{file}"), *text);
        }
    }
    kernel
}

fn attrs_on(kernel: &FakeKernel, events: &str) -> Vec<(u32, u64)> {
    let asked = asked(kernel, Target::ThisThread, events);
    asked.into_iter().map(|opening| (opening.attr.kind, opening.attr.config)).collect()
}

/// Apple M1; the names are those of Linux's driver `apple_m1_cpu_pmu`.
#[test]
fn every_pmu_with_a_file_of_cpus_is_that_of_a_kind_of_core() {
    let core = |kind, cpus| [("type", kind), ("cpus", cpus), ("format/event", "config:0-7\n")];
    let (efficient, fast) = (core("9\n", "0-3\n"), core("10\n", "4-7\n"));
    let kernel = with_pmus(
        "processor : 0\nCPU implementer : 0x61\nCPU part : 0x022\n",
        &[
            ("apple_icestorm_pmu", &efficient),
            ("apple_firestorm_pmu", &fast),
            ("some_uncore", &[("type", "11\n"), ("cpumask", "0\n")]),
        ],
    );
    const ICE: u64 = 9 << 32;
    const FIRE: u64 = 10 << 32;
    assert_eq!(attrs_on(&kernel, "cycles"), [(0, FIRE), (0, ICE)]);
    assert_eq!(attrs_on(&kernel, "apple_icestorm_pmu/cpu-cycles/"), [(0, ICE)]);
    assert_eq!(attrs_on(&kernel, "apple_firestorm_pmu/cpu-cycles/"), [(0, FIRE)]);
    assert_eq!(attrs_on(&kernel, "r8c"), [(10, 0x8c), (9, 0x8c)]);
    let host = Host::with_kernel(kernel.clone());
    assert_eq!(host.core_pmus(), ["apple_firestorm_pmu", "apple_icestorm_pmu"]);
    let plan = set(&kernel, Target::ThisThread).plan_of(&["cycles".to_string()]).unwrap();
    let planned: Vec<&str> = plan.pmus.iter().map(|plan| plan.pmu.as_str()).collect();
    assert_eq!(planned, ["apple_firestorm_pmu", "apple_icestorm_pmu"]);
}

#[test]
fn a_hybrid_processor_whose_other_cores_are_off_counts_on_one_kind() {
    let cpuinfo = std::fs::read_to_string(machine("intel-hybrid").join("proc/cpuinfo")).unwrap();
    let cpu = [
        ("type", "4\n"),
        ("format/event", "config:0-7\n"),
        ("format/umask", "config:8-15\n"),
        ("format/cmask", "config:24-31\n"),
    ];
    let kernel = with_pmus(&cpuinfo, &[("cpu", &cpu)]);
    assert_eq!(attrs_on(&kernel, "INST_RETIRED:ANY_P"), [(4, 0xc0)]);
    assert_eq!(attrs_on(&kernel, "cpu/UOPS_RETIRED:SLOTS,cmask=1/"), [(4, 0x100_02c2)]);
    assert_eq!(attrs_on(&kernel, "cycles"), [(0, 0)]);
    let pmus = Machine::new(Host::with_kernel(kernel.clone())).tables().pmus.clone();
    let cores = pmus.iter().filter(|pmu| pmu.kind == PmuKind::Core).map(|pmu| pmu.name);
    assert_eq!(cores.collect::<Vec<_>>(), ["adl_glc", "ix86arch"]);

    let mut events = Events::default();
    let file = r#"[{"EventName": "NEW.SLOW", "EventCode": "0x99", "UMask": "0x2"}]"#;
    for unit in ["cpu_atom", "cpu_core"] {
        assert_eq!(events.add(file, Some(unit)), []);
    }
    let machine = Machine::new(Host::with_kernel(kernel)).with_vendor(events);
    let set = EventSet::with_machine(machine, Target::ThisThread);
    for name in ["NEW.SLOW", "cpu/NEW.SLOW/"] {
        let resolved = set.resolve_list(name).unwrap();
        let configs: Vec<_> =
            resolved.natives().iter().map(|native| native.boxes[0].attr.config).collect();
        assert_eq!(configs, [0x299], "{name}");
    }
}
