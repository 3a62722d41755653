//! Counting on a machine with an offline CPU.

use crate::world::{asked, cpu_of, cpus, kernel, ms, rows, set};
use counterpoint::perf::{Cause, CpuSet, Errno};
use counterpoint::{Reason, RowPlacement, Split, Target, Value};
use counterpoint_fixtures::FakeKernel;

const OFFLINE: u32 = 1;

/// CPU 1, a thread of core 1, is offline: opening any event on it fails with `ENODEV`.
fn machine() -> FakeKernel {
    kernel("intel-cpu-offline").refuse_with(Errno::ENODEV, |o| cpu_of(o) == Some(OFFLINE))
}

fn opened_on(kernel: &FakeKernel, target: Target, events: &str) -> CpuSet {
    asked(kernel, target, events).iter().filter_map(cpu_of).collect()
}

#[test]
fn an_offline_cpu_is_not_opened() {
    let kernel = machine();
    assert_eq!(opened_on(&kernel, Target::AllCpus, "cycles,task-clock"), cpus("0,2-7"));
    let group = Target::Cgroup("/sys/fs/cgroup/some".into());
    let kernel = kernel.file("/sys/fs/cgroup/some/cgroup.procs", "");
    assert_eq!(opened_on(&kernel, group, "cycles"), cpus("0,2-7"));
    let residency = "cstate_core/c6-residency/";
    assert_eq!(opened_on(&kernel, Target::AllCpus, residency), cpus("0,2-3,5"));
    for asked_for in ["1", "0-2"] {
        let opened = set(&kernel, Target::Cpus(cpus(asked_for))).event("cycles").open();
        let error = opened.expect_err("CPU 1 is not there");
        assert_eq!(error.to_string(), "there is no CPU 1 online; these are: 0,2-7");
    }
    assert!(kernel.asked().iter().all(|opening| cpu_of(opening) != Some(OFFLINE)));
}

#[test]
fn an_offline_cpu_has_no_row_and_its_core_has_one_thread_less() {
    let kernel = machine();
    let mut counters = set(&kernel, Target::AllCpus).event("cycles").open().unwrap();
    kernel.run(ms(1));
    let snapshot = counters.snapshot().unwrap();
    let split = |split| -> Vec<(RowPlacement, f64)> {
        let report = counters.report(&snapshot, &split);
        let value = |value: &Value| value.as_f64().unwrap() / 1e6;
        rows(&report, "cycles").iter().map(|row| (row.placement, value(&row.value))).collect()
    };
    assert_eq!(split(Split::Total), [(RowPlacement::All, 7.0)]);
    let by_cpu = [0, 2, 3, 4, 5, 6, 7].map(|cpu| (RowPlacement::Cpu(cpu), 1.0));
    assert_eq!(split(Split::Cpu), by_cpu);
    let of_core = |core| RowPlacement::Core { socket: 0, core };
    let by_core = [(of_core(0), 2.0), (of_core(1), 1.0), (of_core(2), 2.0), (of_core(3), 2.0)];
    assert_eq!(split(Split::Core), by_core);
}

/// A sum without it would cover fewer CPUs than requested.
#[test]
fn a_cpu_that_goes_offline_before_it_is_opened_leaves_no_number() {
    let kernel = machine().file("/sys/devices/system/cpu/online", "0-7\n");
    for target in [Target::AllCpus, Target::Cpus(cpus("1-2")), Target::Cpus(cpus("1"))] {
        let mut counters = set(&kernel, target.clone()).event("cycles,task-clock").open().unwrap();
        kernel.run(ms(1));
        for row in &counters.read().unwrap().rows {
            let Value::NotSupported(Reason::NotOpened(error)) = &row.value else {
                panic!("{target:?}: {row:?}");
            };
            assert_eq!((error.errno, &error.cause), (Errno::ENODEV, &Cause::NoSuchCpu));
            assert_eq!(row.raw, None);
            assert!(error.to_string().contains("offline"), "{error}");
        }
    }
}
