//! Events of vendors' files, on processors that the tables know and on one that they do not.

use crate::world::{cpus, recorded_machine};
use counterpoint::events::{Candidate, CandidateEvent};
use counterpoint::listing::{Availability, list_vendor};
use counterpoint::perf::{Attr, Host};
use counterpoint::pmu::{CpuId, find, vendor};
use counterpoint::{EventSet, Machine, Target};
use counterpoint_fixtures::FakeKernel;

macro_rules! file {
    ($path:literal) => {
        include_str!(concat!("../../../../fixtures/pmu/vendor/", $path))
    };
}

/// The events of a processor that has no tables.
fn meteor_lake() -> vendor::Events {
    let mut events = vendor::Events::default();
    assert_eq!(events.add(file!("perfmon/MTL/events/mtl_atom_core.json"), Some("cpu_atom")), []);
    assert_eq!(events.add(file!("perfmon/MTL/events/mtl_core_core.json"), Some("cpu_core")), []);
    let errors = events.add(file!("perfmon/MTL/events/mtl_uncore.json"), None);
    assert_eq!(errors.len(), 1, "{errors:?}");
    events
}

/// A machine of that processor.
fn kernel() -> FakeKernel {
    const DEVICES: &str = "/sys/bus/event_source/devices";
    let mut kernel = FakeKernel::new()
        .file("/proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 170\nstepping : 4\nflags : arch_perfmon\n")
        .file("/sys/devices/system/cpu/online", "0-5\n");
    let fields = [
        ("event", "config:0-7"),
        ("umask", "config:8-15"),
        ("cmask", "config:24-31"),
        ("inv", "config:23"),
        ("ldlat", "config1:0-15"),
    ];
    let pmus = [("cpu_core", 4, "0-1"), ("cpu_atom", 10, "2-5")];
    for (pmu, kind, cpus) in pmus {
        kernel = kernel
            .file(format!("{DEVICES}/{pmu}/type"), format!("{kind}\n"))
            .file(format!("{DEVICES}/{pmu}/cpus"), format!("{cpus}\n"));
        for (field, bits) in fields {
            kernel = kernel.file(format!("{DEVICES}/{pmu}/format/{field}"), format!("{bits}\n"));
        }
    }
    for (pmu, kind) in [("uncore_hac_cbox_0", 20), ("uncore_hac_cbox_1", 21), ("uncore_clock", 22)]
    {
        kernel = kernel
            .file(format!("{DEVICES}/{pmu}/type"), format!("{kind}\n"))
            .file(format!("{DEVICES}/{pmu}/cpumask"), "0\n")
            .file(format!("{DEVICES}/{pmu}/format/event"), "config:0-7\n")
            .file(format!("{DEVICES}/{pmu}/format/umask"), "config:8-15\n");
    }
    kernel
}

fn set(kernel: &FakeKernel) -> EventSet {
    let machine = Machine::new(Host::with_kernel(kernel.clone())).with_vendor(meteor_lake());
    EventSet::with_machine(machine, Target::AllCpus)
}

/// The type of a PMU, `config` and `config1`.
type Words = (u32, u64, u64);

/// The names of the native events of a list, and the words in which each is opened on each box.
fn natives(list: &str) -> Vec<(String, Vec<Words>)> {
    let resolved = set(&kernel()).resolve_list(list).unwrap();
    let words = |attr: &Attr| (attr.kind, attr.config, attr.config1);
    let natives = resolved.natives().iter();
    natives.map(|n| (n.id.to_string(), n.boxes.iter().map(|b| words(&b.attr)).collect())).collect()
}

#[test]
fn an_event_is_counted_on_every_pmu_that_has_it() {
    let hits = natives("mem_load_retired:l3_hit:u");
    let both = [
        ("cpu_atom/MEM_LOAD_RETIRED.L3_HIT/u".to_string(), vec![(10, 0x1cd1, 0)]),
        ("cpu_core/MEM_LOAD_RETIRED.L3_HIT/u".to_string(), vec![(4, 0x4d1, 0)]),
    ];
    assert_eq!(hits, both);
    let alone = natives("SERIALIZATION_C01_MS_SCB");
    assert_eq!(alone, [("cpu_atom/SERIALIZATION.C01_MS_SCB/".to_string(), vec![(10, 0x475, 0)])]);
    let boxes = natives("UNC_HAC_CBO_TOR_ALLOCATION.DRD");
    let words = vec![(20, 0x135, 0), (21, 0x135, 0)];
    assert_eq!(boxes, [("UNC_HAC_CBO_TOR_ALLOCATION.DRD".to_string(), words)]);
    assert_eq!(natives("unc_clock.socket")[0].1, [(22, 0xff, 0)]);
}

#[test]
fn the_usual_name_stands_for_the_same_event() {
    for name in ["MEM_LOAD_RETIRED.L3_HIT:u", "UNC_CLOCK.SOCKET", "INST_RETIRED.ANY"] {
        for (id, words) in natives(name) {
            assert_eq!(natives(&id), [(id, words)]);
        }
    }
}

#[test]
fn terms_may_name_an_event_and_change_it() {
    let masked = natives("cpu_core/INST_RETIRED.ANY,cmask=1,inv/");
    assert_eq!(masked[0].1, [(4, 0x0180_00c0, 0)]);
    let latency = natives("cpu_core/mem_trans_retired.load_latency_gt_64,ldlat=3/");
    assert_eq!(latency[0].1, [(4, 0x1cd, 3)]);
    let boxes = natives("hac_cbox/UNC_HAC_CBO_TOR_ALLOCATION.DRD,umask=3/");
    assert_eq!(boxes[0].1, [(20, 0x335, 0), (21, 0x335, 0)]);
    let one = natives("uncore_hac_cbox_1/UNC_HAC_CBO_TOR_ALLOCATION.DRD/");
    assert_eq!(one[0].1, [(21, 0x135, 0)]);
    // An event of the other kind of cores is unknown to this one.
    let error = set(&kernel()).resolve_list("cpu_core/SERIALIZATION.C01_MS_SCB/").unwrap_err();
    assert!(error.to_string().contains("SERIALIZATION.C01_MS_SCB"), "{error}");
}

#[test]
fn events_of_the_tables_may_stand_between_slashes() {
    let machine = recorded_machine("intel-hybrid");
    let set = EventSet::with_machine(machine, Target::AllCpus);
    let config = |list: &str| {
        let resolved = set.resolve_list(list).unwrap();
        let attr = &resolved.natives()[0].boxes[0].attr;
        (attr.kind, attr.config)
    };
    assert_eq!(config("cpu_core/INST_RETIRED.ANY_P,cmask=1/"), (4, 0x100_00c0));
    assert_eq!(config("cpu_atom/INST_RETIRED:ANY_P/"), (10, 0xc0));
}

#[test]
fn a_pmu_that_is_not_there_is_an_error_with_its_name() {
    let mut events = meteor_lake();
    let file = r#"[{"EventName": "UNC_CHA_X", "Unit": "CHA", "EventCode": "1"}]"#;
    assert_eq!(events.add(file, None), []);
    let machine = Machine::new(Host::with_kernel(kernel())).with_vendor(events);
    let set = EventSet::with_machine(machine, Target::AllCpus);
    let error = set.resolve_list("UNC_CHA_X").unwrap_err().to_string();
    assert!(error.contains("uncore_cha"), "{error}");
}

#[test]
fn names_of_the_files_come_before_those_of_the_tables() {
    let mut events = vendor::Events::default();
    assert_eq!(events.add(file!("perfmon/SPR/events/spr_core.json"), None), []);
    let later = r#"[{"EventName": "UOPS_RETIRED.HEAVY", "EventCode": "0xc2", "UMask": "0x40"}]"#;
    assert_eq!(events.add(later, None), []);
    let source = events.clone();
    let machine = Machine::of_pmu(find("spr").unwrap()).with_vendor(events);
    let listed: Vec<String> = list_vendor(&machine).into_iter().map(|event| event.name).collect();
    assert!(listed.contains(&"OCR.ANYTHING_NEW".to_string()));
    assert!(!listed.contains(&"INST_RETIRED.ANY_P".to_string()));
    let set = EventSet::with_machine(machine, Target::ThisThread);
    let kinds = |name: &str| {
        let candidates: Vec<Candidate> = set.candidates(name).unwrap();
        candidates.iter().map(|found| found.events[0].kind()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("INST_RETIRED.ANY_P"), ["vendor", "table"]);
    let names = ["UOPS_RETIRED.HEAVY", "UOPS_RETIRED:HEAVY:u", "cpu/UOPS_RETIRED.HEAVY/"];
    let config = |set: &EventSet, name: &str| {
        set.resolve_list(name).unwrap().natives()[0].boxes[0].attr.config
    };
    assert_eq!(names.map(|name| config(&set, name)), [0x40c2; 3]);
    assert_eq!(config(&set, "spr::UOPS_RETIRED:HEAVY"), 0x1c2);
    // Files that nobody named are read only for names that nothing else has.
    let unasked = Machine::of_pmu(find("spr").unwrap()).with_vendor_source(move |_| source.clone());
    let unasked = EventSet::with_machine(unasked, Target::ThisThread);
    assert_eq!(names.map(|name| config(&unasked, name)), [0x1c2, 0x1c2, 0x40c2]);
    assert_eq!(kinds("OCR.ANYTHING_NEW"), ["vendor"]);
    let candidates = set.candidates("OCR.ANYTHING_NEW").unwrap();
    let CandidateEvent::Vendor { pmu, event } = &candidates[0].events[0] else { panic!() };
    assert_eq!(
        (pmu.as_str(), event.terms.as_str()),
        ("cpu", "event=0x2a,umask=0x1,offcore_rsp=0x123456")
    );
    let native = &candidates[0].natives().unwrap()[0];
    assert_eq!((native.boxes[0].attr.config, native.boxes[0].attr.config1), (0x12a, 0x123456));
    assert_eq!(native.counters, Some(0xf));
}

#[test]
fn counters_of_the_files_take_part_in_plans() {
    let mut events = vendor::Events::default();
    let file = r#"[
        {"EventName": "NEW.A", "EventCode": "0x99", "UMask": "1", "Counter": "0"},
        {"EventName": "NEW.B", "EventCode": "0x99", "UMask": "2", "Counter": "0"},
        {"EventName": "NEW.C", "EventCode": "0x99", "UMask": "4", "Counter": "0,1,2,3"}
    ]"#;
    assert_eq!(events.add(file, None), []);
    let machine = Machine::of_pmu(find("skl").unwrap()).with_vendor(events);
    let set = EventSet::with_machine(machine, Target::ThisThread);
    let passes = |list: &str| set.plan_of(&[list.to_string()]).unwrap().pmus[0].plan.passes.len();
    assert_eq!(passes("NEW.A,NEW.C"), 1);
    assert_eq!(passes("NEW.A,NEW.B,NEW.C"), 2);
}

#[test]
fn unknown_names_are_near_those_of_the_files() {
    let error = set(&kernel()).resolve_list("UNC_HAC_CBO_TOR_ALOCATION.DRD").unwrap_err();
    assert_eq!(error.similar()[0], "UNC_HAC_CBO_TOR_ALLOCATION.DRD");
}

#[test]
fn events_are_listed_by_their_pmus() {
    let kernel = kernel();
    let set = set(&kernel);
    let listed = list_vendor(set.machine());
    let found: Vec<(&str, &str)> =
        listed.iter().map(|event| (event.group.as_str(), event.name.as_str())).collect();
    // Those that are built in are listed, too; those of the cores are in the tables of their PMUs.
    assert!(found.len() > 20 && found.is_sorted(), "{found:?}");
    assert!(!found.contains(&("cpu_core", "INST_RETIRED.ANY")));
    let expected = [
        ("uncore_clock", "UNC_CLOCK.SOCKET"),
        ("uncore_hac_cbox", "UNC_HAC_CBO_TOR_ALLOCATION.DRD"),
    ];
    for event in expected {
        assert_eq!(found.iter().filter(|found| **found == event).count(), 1, "{event:?}");
    }
    assert!(listed.iter().all(|event| event.availability == Availability::NotTested));
}

#[test]
fn a_source_is_read_when_a_name_needs_it() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&reads);
    let machine = Machine::new(Host::with_kernel(kernel())).with_vendor_source(move |machine| {
        assert!(matches!(machine.cpu(), Some(CpuId::X86 { model: 170, .. })));
        counted.fetch_add(1, Ordering::Relaxed);
        meteor_lake()
    });
    let set = EventSet::with_machine(machine, Target::AllCpus);
    set.resolve_list("task-clock,cpu_core/event=0xc0/").unwrap();
    assert_eq!(reads.load(Ordering::Relaxed), 0);
    set.resolve_list("UNC_CLOCK.SOCKET,SERIALIZATION.C01_MS_SCB").unwrap();
    assert_eq!(reads.load(Ordering::Relaxed), 1);
}

#[test]
fn they_are_opened_as_they_are_encoded() {
    let kernel = kernel();
    let list = "UNC_HAC_CBO_TOR_ALLOCATION.DRD,SERIALIZATION.C01_MS_SCB";
    set(&kernel).event(list).open().unwrap();
    let opened: Vec<(u32, u64)> =
        kernel.asked().iter().map(|asked| (asked.attr.kind, asked.attr.config)).collect();
    for wanted in [(20, 0x135), (21, 0x135), (10, 0x475)] {
        assert!(opened.contains(&wanted), "{opened:x?}");
    }
    let of_cores = set(&kernel).resolve_list("SERIALIZATION.C01_MS_SCB").unwrap();
    assert_eq!(of_cores.natives()[0].boxes[0].cpus, Some(cpus("2-5")));
}

/// A PMU alone does not have the events of the other kind of cores of its processor.
#[test]
fn a_pmu_alone_has_the_events_of_its_own_cores() {
    let codes = |pmu: &str, name: &str| {
        let machine = Machine::of_pmu(find(pmu).unwrap());
        let resolved = EventSet::with_machine(machine, Target::ThisThread).event(name).resolve();
        resolved.map(|resolved| resolved.natives()[0].boxes[0].attr.config)
    };
    assert_eq!(codes("adl_glc", "UOPS_RETIRED.SLOTS").unwrap(), 0x2c2);
    let error = codes("adl_grt", "UOPS_RETIRED.SLOTS").unwrap_err();
    assert!(error.to_string().contains("SLOTS"), "{error}");
    assert_eq!(codes("adl_grt", "OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HITM").unwrap(), 0x1b7);
}
