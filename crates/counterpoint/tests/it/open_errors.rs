//! Open errors: what is tried instead, and what is reported.

use crate::world::{cpu_of, hold, holds, kernel, ms, open, row, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::perf::{Cause, Errno, Exclude, Host};
use counterpoint::{EventSet, Note, Reason, Row, Split, Target, Value};
use counterpoint_fixtures::{FakeKernel, Opening, machine};

/// The errors for an unprivileged user at this level of `perf_event_paranoid`, in the order of the kernel's checks.
fn unprivileged(kernel: FakeKernel, level: i32) -> FakeKernel {
    kernel
        .file("/proc/sys/kernel/perf_event_paranoid", format!("{level}\n"))
        .file("/proc/self/status", "CapEff:\t0000000000000000\n")
        .refuse_with(Errno::EACCES, move |opening| {
            level >= 3
                || level >= 2 && !opening.attr.exclude.kernel
                || level >= 1 && cpu_of(opening).is_some()
        })
}

fn without_pmu() -> FakeKernel {
    FakeKernel::new().file("/sys/devices/system/cpu/online", "0-1\n")
}

fn is_hardware(opening: &Opening) -> bool {
    matches!(opening.attr.kind, 0 | 3 | 4)
}

/// The only row of `event` for the calling thread.
fn counted(kernel: &FakeKernel, event: &str) -> Row {
    let mut counters = open(kernel, event);
    kernel.run(ms(1));
    row(counters.read().unwrap(), event).clone()
}

fn cause(row: &Row) -> Cause {
    match &row.value {
        Value::NotSupported(Reason::NotOpened(error)) => error.cause.clone(),
        other => panic!("{other:?}"),
    }
}

const MILLISECOND: Value = Value::Counted(Number::Int(1_000_000));

#[test]
fn without_permission_for_the_kernel_the_rest_is_counted_and_noted() {
    for event in ["cycles", "task-clock", "page-faults", "cpu/event=3/", "r1a8"] {
        let kernel = unprivileged(two_sockets(), 2);
        let row = counted(&kernel, event);
        assert_eq!((row.value, row.notes), (MILLISECOND, vec![Note::UserOnly]), "{event}");
        assert!(kernel.opened().last().unwrap().attr.exclude.kernel);
    }
    let kernel = unprivileged(two_sockets(), 2);
    assert_eq!(counted(&kernel, "cycles:u").notes, [], "it is what was asked for");
    assert_eq!(counted(&unprivileged(two_sockets(), 1), "cycles").notes, []);
}

#[test]
fn every_difference_from_the_request_is_noted() {
    let row = counted(&unprivileged(two_sockets(), 2), "PAPI_TOT_INS");
    assert_eq!(row.notes, [Note::Generic, Note::UserOnly]);
    let sentence = Note::sentence(&row.notes).unwrap();
    assert!(
        sentence.contains("user space only")
            && sentence.contains("no definition for this processor"),
        "{sentence}"
    );
    assert_eq!(Note::sentence(&[]), None);
}

#[test]
fn events_that_only_the_kernel_sees_are_not_a_false_zero() {
    for event in [
        "context-switches",
        "cpu-migrations",
        "PERF_COUNT_SW_CONTEXT_SWITCHES",
        "perf::CONTEXT-SWITCHES",
    ] {
        let kernel = unprivileged(two_sockets(), 2);
        let row = counted(&kernel, event);
        assert_eq!(row.value, Value::NotSupported(Reason::KernelOnly), "{event}");
        assert!(
            row.value
                .reason()
                .unwrap()
                .help()
                .unwrap()
                .to_string()
                .contains("perf_event_paranoid=1")
        );
        assert_eq!(kernel.still_open(), 0);
    }
    let row = counted(&unprivileged(two_sockets(), 1), "context-switches");
    assert_eq!((row.value, row.notes), (MILLISECOND, vec![]));
}

#[test]
fn an_event_requested_without_user_space_is_not_counted_as_another() {
    let row = counted(&unprivileged(two_sockets(), 2), "cycles:k");
    assert_eq!(cause(&row), Cause::Permission { paranoid: Some(2), needed: Some(1) });
    assert!(
        row.value.reason().unwrap().help().unwrap().to_string().contains("perf_event_paranoid=1")
    );
}

#[test]
fn whole_cpus_need_more_than_a_process() {
    let kernel = unprivileged(two_sockets(), 2);
    let mut counters =
        set(&kernel, Target::AllCpus).event("cycles,context-switches").open().unwrap();
    let report = counters.read().unwrap();
    for event in ["cycles", "context-switches"] {
        let wanted = Cause::Permission { paranoid: Some(2), needed: Some(0) };
        assert_eq!(cause(row(report, event)), wanted, "{event}");
    }
    assert!(!counters.is_any_open());
}

#[test]
fn a_missing_pmu_is_found_behind_an_open_error_for_privileges() {
    for level in [-1, 2] {
        let kernel = unprivileged(without_pmu(), level).refuse_with(Errno::ENOENT, is_hardware);
        for event in ["cycles", "L1-dcache-loads", "r1a8", "cycles:u"] {
            let row = counted(&kernel, event);
            assert_eq!(cause(&row), Cause::NoHardwarePmu, "{event} at {level}");
            assert!(row.value.reason().unwrap().help().unwrap().to_string().contains("task-clock"));
        }
        assert_eq!(counted(&kernel, "page-faults").value, MILLISECOND);
    }
    let with_pmu =
        unprivileged(two_sockets(), 2).refuse_with(Errno::ENOENT, |o| o.attr.config == 9);
    assert_eq!(cause(&counted(&with_pmu, "ref-cycles")), Cause::NoSuchEvent);
}

#[test]
fn a_pmu_without_levels_counts_every_level_with_a_note() {
    let kernel = kernel("amd-zen4")
        .refuse_with(Errno::EINVAL, |o| o.attr.kind == 16 && o.attr.exclude != Exclude::default());
    let tsc = counted(&kernel, "msr/tsc/u");
    assert_eq!((tsc.value, tsc.notes), (MILLISECOND, vec![Note::EveryLevel]));
    assert!(kernel.opened().last().unwrap().attr.exclude.is_none());
    assert_eq!(counted(&kernel, "msr/tsc/").notes, []);

    // In a group that it does not fit, that is what is reported.
    let kernel = kernel_with_full_groups();
    let mut counters = open(&kernel, "{cycles:u,msr/tsc/u}");
    assert_eq!(cause(row(counters.read().unwrap(), "msr/tsc/u")), Cause::GroupDoesNotFit);
}

fn kernel_with_full_groups() -> FakeKernel {
    kernel("amd-zen4")
        .counters(1)
        .refuse_with(Errno::EINVAL, |o| o.attr.kind == 16 && o.attr.exclude != Exclude::default())
}

#[test]
fn without_privileges_a_pmu_without_levels_reports_the_privileges() {
    // Excluding the kernel, which is tried next, fails with EINVAL, which is not the reason to report.
    let kernel = unprivileged(kernel("intel-hybrid"), 2)
        .refuse_with(Errno::EINVAL, |o| o.attr.kind == 13 && !o.attr.exclude.is_none());
    let row = counted(&kernel, "msr/tsc/");
    assert_eq!(cause(&row), Cause::Permission { paranoid: Some(2), needed: Some(1) });
}

#[test]
fn an_open_error_at_one_placement_leaves_no_sum_of_the_others() {
    let kernel = two_sockets().refuse_with(Errno::EBUSY, |o| cpu_of(o) == Some(2));
    let mut counters = set(&kernel, Target::AllCpus).event("cycles,task-clock").open().unwrap();
    hold(&kernel, holds(5, 1, 1), |_| true);
    let snapshot = counters.snapshot().unwrap();
    for split in [Split::Total, Split::Socket, Split::Cpu] {
        for row in counters.report(&snapshot, &split).rows {
            assert_eq!(row.value.as_f64(), None, "three CPUs are not four: {row:?}");
            assert_eq!(row.raw, None);
        }
    }
}

#[test]
fn the_limit_of_open_files_is_raised_and_named_when_that_is_not_enough() {
    let enough = two_sockets().open_files(2, 100);
    let mut counters = set(&enough, Target::AllCpus).event("cycles,instructions").open().unwrap();
    enough.run(ms(1));
    assert_eq!(row(counters.read().unwrap(), "instructions").value.as_f64(), Some(4e6));

    let too_few = two_sockets().open_files(2, 6);
    let mut counters = set(&too_few, Target::AllCpus).event("cycles,instructions").open().unwrap();
    too_few.run(ms(1));
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").value.as_f64(), Some(4e6));
    let row = row(report, "instructions");
    let reason = row.value.reason().unwrap();
    assert_eq!(*reason, Reason::TooManyOpenFiles { needed: 8, limit: Some(6) });
    assert!(
        reason.to_string().contains("need 8 open files") && reason.to_string().contains("is 6")
    );
    assert!(reason.help().unwrap().to_string().ends_with("ulimit -n 72"));
}

#[test]
fn an_old_kernel_names_the_field_that_it_does_not_know() {
    let kernel = two_sockets()
        .file("/sys/bus/event_source/devices/cpu/format/late", "config3:0-7\n")
        .attr_size(128);
    let row = counted(&kernel, "cpu/event=1,late=2/");
    assert!(matches!(cause(&row), Cause::AttributeTooNew { known_size: Some(128), .. }), "{row:?}");
    assert_eq!(counted(&kernel, "cpu/event=1/").value, MILLISECOND);
}

#[test]
fn a_seccomp_filter_is_distinguished_from_the_paranoid_level() {
    let kernel = kernel("vm-no-pmu")
        .file("/proc/sys/kernel/perf_event_paranoid", "-1\n")
        .refuse_with(Errno::EPERM, |_| true);
    let row = counted(&kernel, "task-clock");
    assert_eq!(cause(&row), Cause::Blocked { seccomp: true });
    assert!(row.value.reason().unwrap().help().unwrap().to_string().contains("docker run"));
}

#[test]
fn a_recorded_machine_counts_nothing() {
    let host = Host::recorded(&machine("amd-zen4")).unwrap();
    let set = EventSet::on(host, Target::ThisThread).event("task-clock");
    let mut counters = set.open().unwrap();
    let report = counters.read().unwrap();
    assert_eq!(cause(row(report, "task-clock")), Cause::Recording);
}

#[test]
fn a_read_that_fails_is_an_error_and_not_a_number() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "cycles");
    kernel.run(ms(1));
    kernel.fail_reads(Errno::ENOMEM);
    let error = counters.read().unwrap_err();
    assert_eq!(error.to_string(), "the kernel failed to read counters: ENOMEM");
    assert!(counters.reset().is_err());
    kernel.fail_reads(None);
    assert_eq!(row(counters.read().unwrap(), "cycles").value, MILLISECOND, "nothing is lost");
}
