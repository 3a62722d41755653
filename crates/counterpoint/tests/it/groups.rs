//! Which events are opened together.

use crate::world::{asked, cpu_of, hold, holds, kernel, ms, open, row, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::perf::{Cause, Errno};
use counterpoint::{Note, Reason, Target, Value};
use counterpoint_fixtures::{Call, FakeKernel, Opening};

fn leaders(kernel: &FakeKernel) -> Vec<Option<usize>> {
    kernel.opened().iter().map(|opening| opening.leader).collect()
}

/// The indexes of the events whose group has another leader.
fn led(opened: &[Opening]) -> Vec<u64> {
    opened.iter().filter(|o| o.leader.is_some()).map(|o| o.attr.config).collect()
}

#[test]
fn hardware_events_take_turns_and_software_events_share_a_group() {
    let kernel = two_sockets();
    open(&kernel, "cycles,task-clock,instructions,page-faults,{branches,branch-misses}");
    let opened = kernel.opened();
    assert_eq!(
        led(&opened),
        [2, 5],
        "page faults follow the clock, and branch misses the branches"
    );
    assert_eq!(opened.iter().filter(|o| o.leader.is_none()).count(), 4);
}

#[test]
fn members_of_a_group_start_with_its_leader_when_all_are_open() {
    let kernel = two_sockets();
    open(&kernel, "{cycles,instructions}");
    assert_eq!(leaders(&kernel), [None, Some(0)]);
    assert_eq!(kernel.calls(), [Call::Opened(0), Call::Opened(1), Call::Enable(0)]);
    assert!(kernel.opened()[0].setup.disabled && !kernel.opened()[1].setup.disabled);
}

#[test]
fn a_group_is_read_in_one_call() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "{cycles,instructions,branches},task-clock,page-faults");
    kernel.run(ms(1));
    kernel.forget_calls();
    assert_eq!(counters.read().unwrap().rows.len(), 5);
    assert_eq!(kernel.calls().len(), 2);
}

#[test]
fn an_event_that_does_not_fit_its_group_reports_that() {
    let kernel = two_sockets().counters(2);
    let mut counters = open(&kernel, "{cycles,instructions,branches}");
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    let one = Value::Counted(Number::Int(1_000_000));
    assert_eq!((&row(report, "cycles").value, &row(report, "instructions").value), (&one, &one));
    let Value::NotSupported(reason @ Reason::NotOpened(error)) = &row(report, "branches").value
    else {
        panic!("{report:?}")
    };
    assert_eq!(error.cause, Cause::GroupDoesNotFit);
    assert!(reason.help().unwrap().to_string().contains("braces"));
}

#[test]
fn an_event_that_does_not_fit_a_weak_group_is_split_from_it() {
    let kernel = two_sockets().counters(2);
    let mut counters = open(&kernel, "{cycles,instructions,branches}:W");
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    let alone: &[Note] = &[Note::Split];
    for (event, notes) in [("cycles", &[][..]), ("instructions", &[]), ("branches", alone)] {
        let row = report.rows.iter().find(|row| row.event.starts_with(event)).unwrap();
        assert_eq!(row.value, Value::Counted(Number::Int(1_000_000)), "{event}");
        assert_eq!(row.notes, notes, "{event}");
    }
}

/// A machine whose user may not count the kernel, which the kernel checks before anything else.
fn paranoid(level: u8) -> FakeKernel {
    two_sockets()
        .file("/proc/sys/kernel/perf_event_paranoid", format!("{level}\n"))
        .file("/proc/self/status", "CapEff:\t0000000000000000\n")
        .refuse_with(Errno::EACCES, |opening| !opening.attr.exclude.kernel)
}

#[test]
fn a_group_that_does_not_fit_is_not_reported_as_privileges() {
    let mut counters = open(&paranoid(2).counters(2), "{cycles,instructions,branches}");
    let report = counters.read().unwrap();
    let Value::NotSupported(Reason::NotOpened(error)) = &row(report, "branches").value else {
        panic!("{report:?}")
    };
    assert_eq!(error.cause, Cause::GroupDoesNotFit);

    let kernel = paranoid(2).counters(2);
    let mut counters = open(&kernel, "{cycles,instructions,branches}:W");
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    assert!(report.rows.iter().all(|row| row.value.status().name() == "counted"), "{report:?}");
}

#[test]
fn events_of_other_cpus_are_split_with_a_note() {
    let kernel = kernel("amd-zen4");
    let events = "{cycles,instructions,power/energy-pkg/}";
    let mut counters = set(&kernel, Target::AllCpus).event(events).open().unwrap();
    let opened = kernel.opened();
    let cpus_of =
        |kind: u32| opened.iter().filter(|o| o.attr.kind == kind).filter_map(cpu_of).count();
    assert_eq!((cpus_of(0), cpus_of(17)), (32, 1), "two events on 16 CPUs, and one on one");
    hold(&kernel, holds(1, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").value, Value::Counted(Number::Int(16)));
    assert_eq!(row(report, "cycles").notes, []);
    assert_eq!(row(report, "power/energy-pkg/").notes, [Note::Split]);
}

#[test]
fn a_core_pmus_own_events_and_generic_ones_are_a_group() {
    let kernel = kernel("arm-neoverse");
    open(&kernel, "{cycles,l1d_cache,task-clock}");
    assert_eq!(leaders(&kernel), [None, Some(0), Some(0)]);
}

#[test]
fn boxes_are_groups_box_by_box() {
    let asked = asked(&kernel("intel-hybrid"), Target::AllCpus, "{imc/event=1/,imc/event=2/}");
    let kinds: Vec<_> = asked.iter().map(|o| (o.attr.kind, o.attr.config, o.leader)).collect();
    assert_eq!(kinds, [(24, 1, None), (24, 2, Some(0)), (25, 1, None), (25, 2, Some(2))]);
}

#[test]
fn older_kernels_are_supported() {
    for kernel in
        [two_sockets().without_lost(), two_sockets().without_lost().without_inherited_groups()]
    {
        let mut counters = open(&kernel, "{cycles,instructions},task-clock,page-faults");
        kernel.run(ms(1));
        for row in &counters.read().unwrap().rows {
            assert_eq!(row.value, Value::Counted(Number::Int(1_000_000)), "{}", row.event);
        }
    }
}
