//! The events of the recorded machines, and whether they can be counted.

use crate::world::{kernel, recorded_machine};
use counterpoint::listing::{Availability, Listed, list, list_definitions, list_tracepoints};
use counterpoint::perf::{Cause, Errno, Host};
use counterpoint::{EventSet, Machine, Reason, Target};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

const MACHINES: [&str; 5] = ["amd-zen4", "arm-neoverse", "intel-hybrid", "power9", "vm-no-pmu"];

/// The list of a recorded machine, created once for each test.
fn events(machine: &str) -> Rc<Vec<Listed>> {
    thread_local! {
        static LISTS: RefCell<BTreeMap<String, Rc<Vec<Listed>>>> = RefCell::default();
    }
    let made = || Rc::new(list(&recorded_machine(machine)));
    LISTS.with_borrow_mut(|lists| lists.entry(machine.to_string()).or_insert_with(made).clone())
}

/// The numbers of events in each group: available, in user space only, unavailable, and with missing parameters.
fn numbers(machine: &str) -> BTreeMap<String, [usize; 4]> {
    let mut numbers = BTreeMap::<String, [usize; 4]>::new();
    for event in events(machine).iter() {
        let column = match event.availability {
            Availability::Available => 0,
            Availability::UserOnly => 1,
            Availability::Unavailable(_) => 2,
            Availability::Needs(_) => 3,
            ref other => panic!("{}: {other:?}", event.name),
        };
        numbers.entry(event.group.clone()).or_default()[column] += 1;
    }
    numbers
}

fn expected<const N: usize>(groups: [(&str, [usize; 4]); N]) -> BTreeMap<String, [usize; 4]> {
    // Times, and what the kernel tells of a command, need neither a counter nor a permission.
    let sources = [("tool", [3, 0, 0, 0]), ("rusage", [7, 0, 0, 0])];
    let groups = groups.into_iter().chain(sources);
    groups.map(|(group, numbers)| (group.to_string(), numbers)).collect()
}

fn listed(machine: &str, name: &str) -> Listed {
    let events = events(machine);
    events.iter().find(|event| event.name == name).unwrap_or_else(|| panic!("{name}")).clone()
}

fn refused(machine: &str, name: &str) -> Reason {
    match listed(machine, name).availability {
        Availability::Unavailable(reason) => reason,
        other => panic!("{name} on {machine}: {other:?}"),
    }
}

#[test]
fn root_can_count_everything_that_the_machine_has() {
    let zen = expected([
        ("hardware", [8, 0, 2, 0]),
        ("software", [12, 0, 0, 0]),
        ("cache", [11, 0, 21, 0]),
        ("amd_iommu_0", [24, 0, 0, 0]),
        ("amd_iommu_1", [24, 0, 0, 0]),
        ("amd_iommu_2", [24, 0, 0, 0]),
        ("amd_iommu_3", [24, 0, 0, 0]),
        ("msr", [4, 0, 0, 0]),
        ("power", [1, 0, 0, 0]),
    ]);
    assert_eq!(numbers("amd-zen4"), zen);
    assert_eq!(listed("amd-zen4", "ref-cycles").availability, Availability::Available);
    let missing = refused("amd-zen4", "bus-cycles");
    assert!(matches!(missing, Reason::NotOpened(error) if error.cause == Cause::NoSuchEvent));
    let energy = listed("amd-zen4", "power/energy-pkg/");
    assert_eq!((energy.group.as_str(), energy.unit.as_deref()), ("power", Some("Joules")));
}

#[test]
fn a_user_of_paranoid_level_1_counts_processes_and_no_clusters() {
    let neoverse = expected([
        ("hardware", [8, 0, 2, 0]),
        ("software", [12, 0, 0, 0]),
        ("cache", [12, 0, 20, 0]),
        ("armv8_pmuv3_0", [44, 0, 0, 0]),
        ("arm_dsu_0", [0, 0, 8, 0]),
        ("arm_dsu_1", [0, 0, 8, 0]),
    ]);
    assert_eq!(numbers("arm-neoverse"), neoverse);
    let help = refused("arm-neoverse", "arm_dsu_0/cycles/").help().unwrap().to_string();
    assert!(help.contains("perf_event_paranoid=0"), "{help}");
    assert!(refused("arm-neoverse", "branches").to_string().contains("no such event"));
}

#[test]
fn a_user_of_paranoid_level_2_counts_user_space() {
    let numbers = numbers("intel-hybrid");
    // Generic events are there once for each kind of core.
    let generic = expected([
        ("hardware", [0, 16, 4, 0]),
        ("software", [0, 9, 3, 0]),
        ("cache", [0, 32, 32, 0]),
    ]);
    for (group, wanted) in generic {
        assert_eq!(numbers[&group], wanted, "{group}");
    }
    assert_eq!((numbers["cpu_core"], numbers["cpu_atom"]), ([0, 4, 8, 0], [0, 6, 0, 0]));
    for group in
        ["cstate_core", "cstate_pkg", "msr", "power", "uncore_clock", "uncore_imc_free_running_0"]
    {
        let [available, user_only, refused, needs] = numbers[group];
        assert!(available + user_only + needs == 0 && refused > 0, "{group}");
    }
    assert_eq!(listed("intel-hybrid", "cpu_atom/cycles/").availability, Availability::UserOnly);
    assert_eq!(refused("intel-hybrid", "context-switches"), Reason::KernelOnly);
    let help = refused("intel-hybrid", "power/energy-pkg/").help().unwrap().to_string();
    assert!(help.contains("perf_event_paranoid=0"), "{help}");
    assert_eq!(listed("intel-hybrid", "msr/cpu_thermal_margin/").unit.as_deref(), Some("C"));
}

#[test]
fn what_the_kernel_and_sysfs_both_name_is_listed_once() {
    let cycles = listed("intel-hybrid", "cpu_atom/cycles/");
    assert!(cycles.aliases.contains(&"cpu_atom/cpu-cycles/".to_string()), "{cycles:?}");
    let branches = listed("amd-zen4", "branches");
    assert!(branches.aliases.contains(&"cpu/branch-instructions/".to_string()), "{branches:?}");
    for machine in MACHINES {
        let mut names: Vec<String> = events(machine).iter().map(|e| e.name.clone()).collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{machine}");
    }
}

#[test]
fn events_of_a_hypervisor_have_their_parameters() {
    let power = expected([
        ("hardware", [8, 0, 2, 0]),
        ("software", [12, 0, 0, 0]),
        ("cache", [14, 0, 18, 0]),
        ("cpu", [2, 0, 0, 0]),
        ("hv_24x7", [0, 0, 0, 11]),
        ("hv_gpci", [6, 0, 0, 17]),
    ]);
    assert_eq!(numbers("power9"), power);
    let needs = |names: &[&str]| Availability::Needs(names.iter().map(|n| n.to_string()).collect());
    assert_eq!(listed("power9", "hv_24x7/PM_PB_CYC/").availability, needs(&["chip="]));
    assert_eq!(listed("power9", "hv_24x7/CPM_TLBIE/").availability, needs(&["domain=", "core="]));
    let reason = refused("power9", "ref-cycles");
    assert!(matches!(reason, Reason::NotOpened(error) if error.errno == Errno::EOPNOTSUPP));
}

#[test]
fn in_a_container_only_times_are_measured_and_the_reason_is_privileges() {
    let vm = expected([
        ("hardware", [0, 0, 10, 0]),
        ("software", [0, 0, 12, 0]),
        ("cache", [0, 0, 32, 0]),
        ("msr", [0, 0, 2, 0]),
    ]);
    assert_eq!(numbers("vm-no-pmu"), vm);
    for name in ["task-clock", "cycles", "msr/tsc/"] {
        let reason = refused("vm-no-pmu", name);
        let permission = matches!(&reason, Reason::NotOpened(error) if error.is_permission());
        assert!(permission && reason.help().is_some(), "{name}: {reason}");
    }
}

#[test]
fn every_listed_name_can_be_requested() {
    for name in MACHINES {
        let machine = recorded_machine(name);
        let events = list(&machine);
        let mut set = EventSet::on(machine.host().clone(), Target::AllCpus);
        for event in events.iter().filter(|e| !matches!(e.availability, Availability::Needs(_))) {
            set = set.event(&event.name);
            // On a hybrid machine the aliases stand for the event on every kind of core.
            set = event.aliases.iter().fold(set, |set, alias| set.event(alias));
        }
        assert!(set.resolve().is_ok(), "{name}: {:?}", set.resolve().err());
        // On a hybrid machine sysfs has names that are the kernel's on that PMU too, and count the same.
        for event in &events {
            let same = events.iter().filter(|other| other.name == event.name);
            assert!(same.clone().all(|other| other.availability == event.availability));
            assert!(name == "intel-hybrid" || same.count() == 1, "{} twice", event.name);
        }
    }
}

#[test]
fn every_open_error_is_reported_in_words() {
    for name in MACHINES {
        for event in events(name).iter() {
            if let Availability::Unavailable(reason) = &event.availability {
                let text = reason.to_string();
                assert!(
                    !text.is_empty() && !text.contains("refused with"),
                    "{}: {text}",
                    event.name
                );
            }
        }
    }
}

#[test]
fn tracepoints_are_listed_without_opening_them() {
    let kernel = kernel("amd-zen4")
        .file("/sys/kernel/tracing/events/sched/sched_switch/id", "316\n")
        .file("/sys/kernel/tracing/events/sched/enable", "0\n")
        .file("/sys/kernel/tracing/events/header_page", "x")
        .refuse_with(Errno::EACCES, |o| o.attr.kind == 2);
    let calls = kernel.clone();
    let machine = Machine::new(Host::with_kernel(kernel));
    let mut found = list_tracepoints(&machine);
    assert_eq!(found.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["sched:sched_switch"]);
    assert_eq!(found[0].availability, Availability::NotTested);
    assert!(calls.calls().is_empty(), "a tracepoint was opened");
    assert!(list(&machine).iter().all(|event| event.group != "tracepoint"));
    found[0].test(&machine);
    assert!(matches!(found[0].availability, Availability::Unavailable(_)));
}

#[test]
fn definitions_are_listed_with_their_availability() {
    let text = "EVENT,PAGES,DERIVED_ADD,minor-faults,major-faults,SDESC,\"all of them\"\n\
        CPU,amd64_fam19h_zen4\n\
        EVENT,CYC,DERIVED_ADD,cycles,page-faults\n\
        EVENT,NONE,NOT_DERIVED,NO_SUCH_EVENT\n\
        CPU,skx\nCPU,icx\n\
        EVENT,MISSES,NOT_DERIVED,L1D:REPLACEMENT\n\
        EVENT,page-faults,NOT_DERIVED,L1D:REPLACEMENT\n\
        EVENT,CYC,NOT_DERIVED,L1D:REPLACEMENT\n";
    let set = EventSet::with_machine(recorded_machine("amd-zen4"), Target::ThisThread).define(text);
    let listed = list_definitions(&set);
    let state = |name: &str| {
        let mut named = listed.iter().filter(|listed| listed.name == name);
        let listed = named.next().unwrap();
        assert!(named.next().is_none(), "{name} is listed twice");
        match &listed.availability {
            Availability::Unavailable(reason) => reason.to_string(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(listed.len(), 5);
    assert_eq!((state("PAGES"), state("CYC")), ("Available".into(), "Available".into()));
    assert!(state("NONE").contains("NO_SUCH_EVENT"), "{}", state("NONE"));
    let elsewhere = "it is defined for skx, icx, but not for a PMU of the machine";
    assert_eq!((state("MISSES"), state("page-faults")), (elsewhere.into(), elsewhere.into()));
    assert_eq!(listed[0].description.as_deref(), Some("all of them"));
    let error = set.candidates("MISSES").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`MISSES` is defined for skx, icx, but not for a PMU of the machine"
    );
    assert!(error.is_unknown_event());
}
