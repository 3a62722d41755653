//! The world that the tests count in: a kernel that answers from a script, with the files of some machine.

use counterpoint::perf::{CpuSet, Host, Placement};
use counterpoint::{Counters, Error, EventSet, Machine, Report, Row, Target};
use counterpoint_fixtures::{FakeKernel, Holds, Opening, machine};
use std::time::Duration;

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A scripted kernel with the files of a recorded machine.
pub(crate) fn kernel(name: &str) -> FakeKernel {
    FakeKernel::new().files_of(&machine(name))
}

/// A scripted kernel on a machine with one core PMU and four CPUs: two cores in each of two sockets, no threads.
pub(crate) fn two_sockets() -> FakeKernel {
    let mut kernel = FakeKernel::new()
        .file("/sys/devices/system/cpu/online", "0-3\n")
        .file("/sys/bus/event_source/devices/cpu/type", "4\n")
        .file("/sys/bus/event_source/devices/cpu/format/event", "config:0-7\n");
    for cpu in 0..4 {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        kernel = kernel
            .file(format!("{topology}/core_id"), format!("{}\n", cpu % 2))
            .file(format!("{topology}/physical_package_id"), format!("{}\n", cpu / 2));
    }
    kernel
}

/// No events yet, for `target` on the machine of `kernel`.
pub(crate) fn set(kernel: &FakeKernel, target: Target) -> EventSet {
    EventSet::on(Host::with_kernel(kernel.clone()), target)
}

/// Opens `events` for the calling thread.
pub(crate) fn open(kernel: &FakeKernel, events: &str) -> Counters {
    set(kernel, Target::ThisThread).event(events).open().unwrap()
}

/// The openings that are asked of the kernel to count `events` for `target`.
pub(crate) fn asked(kernel: &FakeKernel, target: Target, events: &str) -> Vec<Opening> {
    let before = kernel.asked().len();
    set(kernel, target).event(events).open().unwrap();
    kernel.asked().split_off(before)
}

/// The error of counting `events`, which cannot be counted, for the calling thread.
pub(crate) fn error_of(kernel: &FakeKernel, events: &str) -> Error {
    match set(kernel, Target::ThisThread).event(events).open() {
        Ok(_) => panic!("{events} opens"),
        Err(error) => error,
    }
}

/// A recorded machine, for looking names up.
pub(crate) fn recorded(name: &str) -> Host {
    Host::recorded(&machine(name)).unwrap()
}

pub(crate) fn recorded_machine(name: &str) -> Machine {
    Machine::new(recorded(name))
}

pub(crate) fn cpus(list: &str) -> CpuSet {
    list.parse().unwrap()
}

/// The CPU of a place to count at, if it is one.
pub(crate) fn cpu_of(opening: &Opening) -> Option<u32> {
    match opening.placement {
        Placement::Cpu(cpu) | Placement::Cgroup { cpu, .. } => Some(cpu),
        _ => None,
    }
}

/// The values that an event holds that counted `value` in `running` of `enabled` milliseconds.
pub(crate) fn holds(value: u64, enabled: u64, running: u64) -> Holds {
    Holds { value, enabled: ms(enabled), running: ms(running), lost: 0 }
}

/// Sets what every open event that `these` picks holds.
pub(crate) fn hold(kernel: &FakeKernel, holds: Holds, these: impl Fn(&Opening) -> bool) {
    let opened = kernel.opened();
    let picked: Vec<usize> = (0..opened.len()).filter(|event| these(&opened[*event])).collect();
    assert!(!picked.is_empty(), "no open event is picked");
    for event in picked {
        kernel.set(event, holds);
    }
}

/// The rows of the event that was asked for as `event`.
pub(crate) fn rows<'r>(report: &'r Report, event: &str) -> Vec<&'r Row> {
    report.rows.iter().filter(|row| row.event == event).collect()
}

/// The only row of `event`.
pub(crate) fn row<'r>(report: &'r Report, event: &str) -> &'r Row {
    let rows = rows(report, event);
    assert_eq!(rows.len(), 1, "rows of {event} in {report:?}");
    rows[0]
}
