//! The targets for which events are counted, and how rows are split.

use crate::world::{asked, cpu_of, cpus, hold, holds, kernel, ms, open, row, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::perf::{Errno, Host, Placement};
use counterpoint::{Error, EventSet, Hint, Machine, Reason, RowPlacement, Split, Target, Value};
use counterpoint_fixtures::{FakeKernel, Opening};
use std::path::PathBuf;
use std::time::Instant;

fn threads(kernel: FakeKernel, pid: u32, threads: &[u32]) -> FakeKernel {
    threads
        .iter()
        .fold(kernel, |kernel, tid| kernel.file(format!("/proc/{pid}/task/{tid}/stat"), ""))
}

fn thread_of(opening: &Opening) -> Option<u32> {
    match opening.placement {
        Placement::Thread(thread) => Some(thread),
        _ => None,
    }
}

fn open_error(kernel: &FakeKernel, target: Target, events: &str) -> Error {
    set(kernel, target).event(events).open().expect_err(events)
}

#[test]
fn every_target_has_its_placements() {
    let kernel = threads(two_sockets(), 70, &[70, 71]);
    let placed = |target: Target| -> Vec<String> {
        asked(&kernel, target, "cycles").iter().map(|o| format!("{:?}", o.placement)).collect()
    };
    assert_eq!(placed(Target::ThisThread), ["ThisThread"]);
    assert_eq!(placed(Target::Threads(vec![5, 9])), ["Thread(5)", "Thread(9)"]);
    assert_eq!(placed(Target::Command(5)), ["Thread(5)"]);
    assert_eq!(placed(Target::Processes(vec![70])), ["Thread(70)", "Thread(71)"]);
    assert_eq!(placed(Target::AllCpus), ["Cpu(0)", "Cpu(1)", "Cpu(2)", "Cpu(3)"]);
    assert_eq!(placed(Target::Cpus(cpus("1,3"))), ["Cpu(1)", "Cpu(3)"]);
}

#[test]
fn a_process_or_thread_that_is_named_twice_is_counted_once() {
    let kernel = threads(two_sockets(), 70, &[70, 71]);
    assert_eq!(asked(&kernel, Target::Processes(vec![70, 70]), "cycles").len(), 2);
    assert_eq!(asked(&kernel, Target::Threads(vec![5, 9, 5]), "cycles").len(), 2);
}

#[test]
fn processes_are_counted_with_what_they_start_and_cpus_are_not() {
    let kernel = threads(two_sockets(), 70, &[70]);
    let inherit = |target, inherit: bool| {
        set(&kernel, target).inherit(inherit).event("cycles").open().unwrap();
        kernel.asked().last().unwrap().setup.inherit
    };
    assert!(inherit(Target::ThisThread, true) && inherit(Target::Processes(vec![70]), true));
    assert!(!inherit(Target::ThisThread, false));
    assert!(!inherit(Target::AllCpus, true), "the kernel refuses it");
}

#[test]
fn a_held_command_is_counted_from_its_exec() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::Command(9)).event("cycles").open().unwrap();
    kernel.run(ms(1));
    assert_eq!(row(counters.read().unwrap(), "cycles").value.as_f64(), None);
    kernel.exec();
    kernel.run(ms(2));
    assert_eq!(row(counters.read().unwrap(), "cycles").value.as_f64(), Some(2e6));
}

#[test]
fn a_pmu_of_whole_packages_rejects_a_process_with_a_hint() {
    let kernel = threads(kernel("intel-hybrid"), 70, &[70]);
    for target in [Target::ThisThread, Target::Command(70), Target::Processes(vec![70])] {
        let error = open_error(&kernel, target, "task-clock,power/energy-pkg/");
        assert!(error.to_string().contains("power/energy-pkg/"), "{error}");
        assert_eq!(
            error.help().unwrap(),
            Hint::CountAllCpus { event: "power/energy-pkg/".to_string() }
        );
    }
    assert_eq!(kernel.still_open(), 0, "what was open is closed again");
    assert_eq!(asked(&kernel, Target::AllCpus, "power/energy-pkg/").len(), 1);
}

#[test]
fn the_wrong_cpus_for_a_pmu_are_an_error_that_names_the_right_ones() {
    let error = open_error(&kernel("amd-zen4"), Target::Cpus(cpus("1-3,5")), "amd_l3/event=4/");
    assert!(error.to_string().contains("0,4,8,12"), "{error}");
    assert_eq!(
        error.help().unwrap(),
        Hint::CountOn { event: "amd_l3/event=0x4/".to_string(), cpus: cpus("0,4,8,12") }
    );
    let some = asked(&kernel("amd-zen4"), Target::Cpus(cpus("1-8")), "amd_l3/event=4/");
    assert_eq!(some.iter().map(cpu_of).collect::<Vec<_>>(), [Some(4), Some(8)]);
}

#[test]
fn boxes_on_other_cpus_than_those_asked_for_are_left_out() {
    let arm = kernel("arm-neoverse");
    let places = |target| -> Vec<_> {
        asked(&arm, target, "arm_dsu/cycles/")
            .iter()
            .map(|o| (o.attr.kind, cpu_of(o).unwrap()))
            .collect()
    };
    assert_eq!(places(Target::Cpus(cpus("0-1"))), [(9, 0)]);
    assert_eq!(places(Target::Cpus(cpus("2"))), [(10, 2)]);
    let error = open_error(&arm, Target::Cpus(cpus("1,3")), "arm_dsu/cycles/");
    assert!(error.to_string().contains("0,2"), "{error}");
}

#[test]
fn a_cpu_that_is_not_online_is_named() {
    let error = open_error(&kernel("power9"), Target::Cpus(cpus("2-4")), "cycles");
    assert_eq!(error.to_string(), "there is no CPU 4 online; these are: 0-3,8-11");
}

#[test]
fn a_process_that_is_not_there_is_named() {
    let error = open_error(&two_sockets(), Target::Processes(vec![4242]), "cycles");
    assert_eq!(error.to_string(), "there is no process 4242");
}

#[test]
fn threads_that_start_while_others_are_opened_are_inherited_and_not_opened_twice() {
    let kernel = threads(two_sockets(), 70, &[70]).file_appears(|opening| {
        let next = thread_of(opening).filter(|thread| *thread < 72)? + 1;
        Some(PathBuf::from(format!("/proc/70/task/{next}/stat")))
    });
    let mut counters = set(&kernel, Target::Processes(vec![70]))
        .event("cycles,task-clock,page-faults")
        .open()
        .unwrap();
    let found: Vec<_> = kernel
        .opened()
        .iter()
        .filter(|o| o.attr.config == 0)
        .map(|o| thread_of(o).unwrap())
        .collect();
    assert_eq!(found, [70]);
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    for row in &report.rows {
        assert_eq!(row.value, Value::Counted(Number::Int(1_000_000)), "{}", row.event);
    }
}

#[test]
fn a_thread_that_ended_while_being_opened_is_left_out() {
    let kernel = threads(two_sockets(), 70, &[70, 71, 72])
        .refuse_with(Errno::ESRCH, |opening| thread_of(opening) == Some(71));
    let mut counters =
        set(&kernel, Target::Processes(vec![70])).event("{cycles,instructions}").open().unwrap();
    hold(&kernel, holds(5, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").value, Value::Counted(Number::Int(10)));
    assert_eq!(row(report, "instructions").value, Value::Counted(Number::Int(10)));
}

#[test]
fn a_thread_that_ended_is_left_out_too_where_the_kernel_may_not_be_counted() {
    // The kernel looks at privileges first.
    let kernel = threads(two_sockets(), 70, &[70, 71])
        .file("/proc/sys/kernel/perf_event_paranoid", "2\n")
        .refuse_with(Errno::EACCES, |opening| !opening.attr.exclude.kernel)
        .refuse_with(Errno::ESRCH, |opening| thread_of(opening) == Some(71));
    let mut counters = set(&kernel, Target::Processes(vec![70])).event("cycles").open().unwrap();
    hold(&kernel, holds(5, 1, 1), |o| o.attr.exclude.kernel);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").value, Value::Counted(Number::Int(5)));
}

#[test]
fn a_missing_thread_that_was_named_is_not_a_zero() {
    let kernel = two_sockets().refuse_with(Errno::ESRCH, |opening| thread_of(opening) == Some(9));
    let mut counters = set(&kernel, Target::Threads(vec![5, 9])).event("cycles").open().unwrap();
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    let Value::NotSupported(Reason::NotOpened(error)) = &row(report, "cycles").value else {
        panic!("{report:?}")
    };
    assert_eq!(error.errno, Errno::ESRCH);
}

#[test]
fn a_cgroup_is_opened_once_a_cpu() {
    let mounts = "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n";
    let kernel = two_sockets()
        .file("/proc/self/mounts", mounts)
        .file("/sys/fs/cgroup/web/a/cgroup.procs", "");
    for path in ["web/a", "/web/a", "/sys/fs/cgroup/web/a"] {
        let asked = asked(&kernel, Target::Cgroup(PathBuf::from(path)), "cycles");
        assert!(asked.iter().all(|o| matches!(o.placement, Placement::Cgroup { .. })));
        assert_eq!(asked.iter().filter_map(cpu_of).collect::<Vec<_>>(), [0, 1, 2, 3], "{path}");
    }
    let error = open_error(&kernel, Target::Cgroup(PathBuf::from("web/b")), "cycles");
    assert!(error.to_string().contains("web/b"), "{error}");
    assert!(error.help().is_some());
    let error = open_error(&two_sockets(), Target::Cgroup(PathBuf::from("web/a")), "cycles");
    assert!(error.to_string().contains("web/a"), "{error}");
}

#[test]
fn a_cgroup_of_version_1_is_below_the_controller_perf_event() {
    let mounts = "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\ncgroup /sys/fs/cgroup/perf_event cgroup rw,perf_event 0 0\n";
    let kernel = two_sockets()
        .file("/proc/self/mounts", mounts)
        .file("/sys/fs/cgroup/perf_event/web/tasks", "");
    assert_eq!(asked(&kernel, Target::Cgroup(PathBuf::from("web")), "cycles").len(), 4);
}

#[test]
fn a_controller_of_version_1_that_is_not_mounted_is_named_with_its_mount() {
    let mounts = "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n";
    let controllers = |hierarchy: u32| {
        format!(
            "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t1\t1\t1\nperf_event\t{hierarchy}\t1\t1\n"
        )
    };
    let kernel = |hierarchy| {
        two_sockets()
            .file("/proc/self/mounts", mounts)
            .file("/proc/cgroups", controllers(hierarchy))
            .file("/sys/fs/cgroup/unified/web/tasks", "")
    };
    assert_eq!(asked(&kernel(0), Target::Cgroup(PathBuf::from("web")), "cycles").len(), 4);
    for path in ["web", "/web", "/sys/fs/cgroup/unified/web"] {
        let error = open_error(&kernel(9), Target::Cgroup(PathBuf::from(path)), "cycles");
        let text = error.to_string();
        assert!(text.contains("perf_event is a hierarchy of version 1"), "{text}");
        let help = error.help().unwrap().to_string();
        assert!(help.contains("mount -t cgroup -o perf_event"), "{help}");
    }
    let machine = Machine::new(Host::with_kernel(kernel(9)));
    let findings = counterpoint::doctor::examine(&machine);
    let finding = findings.iter().find(|finding| finding.subject == "cgroups").unwrap();
    assert_eq!(finding.status.name(), "limited");
    assert!(finding.hint.is_some(), "{finding:?}");
}

#[test]
fn rows_are_split_by_cpu_core_and_socket() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::AllCpus).event("cycles,task-clock").open().unwrap();
    for cpu in 0..4 {
        hold(&kernel, holds(1 << cpu, 1, 1), |o| cpu_of(o) == Some(cpu));
    }
    let snapshot = counters.snapshot().unwrap();
    let by = |split| -> Vec<(RowPlacement, f64)> {
        let report = counters.report(&snapshot, &split);
        let cycles = report.rows.iter().filter(|row| row.event == "cycles");
        cycles.map(|row| (row.placement, row.value.as_f64().unwrap())).collect()
    };
    assert_eq!(by(Split::Total), [(RowPlacement::All, 15.0)]);
    let cpu = RowPlacement::Cpu;
    assert_eq!(by(Split::Cpu), [(cpu(0), 1.0), (cpu(1), 2.0), (cpu(2), 4.0), (cpu(3), 8.0)]);
    let core = |socket, core| RowPlacement::Core { socket, core };
    assert_eq!(
        by(Split::Core),
        [(core(0, 0), 1.0), (core(0, 1), 2.0), (core(1, 0), 4.0), (core(1, 1), 8.0)]
    );
    assert_eq!(
        by(Split::Socket),
        [(RowPlacement::Socket(0), 3.0), (RowPlacement::Socket(1), 12.0)]
    );
    let order: Vec<_> =
        counters.report(&snapshot, &Split::Socket).rows.into_iter().map(|r| r.event).collect();
    assert_eq!(order, ["cycles", "task-clock", "cycles", "task-clock"], "place by place");
}

#[test]
fn each_of_several_cgroups_has_its_rows() {
    let mounts = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n";
    let kernel = two_sockets()
        .file("/proc/self/mounts", mounts)
        .file("/sys/fs/cgroup/web/a/tasks", "")
        .file("/sys/fs/cgroup/db/tasks", "");
    let target = Target::Cgroups(vec![PathBuf::from("web/a"), PathBuf::from("db")]);
    let mut counters = set(&kernel, target).event("cycles").open().unwrap();
    assert_eq!(kernel.opened().len(), 8, "on each CPU in each cgroup");
    for (event, value) in [1, 1, 1, 1, 2, 2, 2, 2].into_iter().enumerate() {
        kernel.set(event, holds(value, 1, 1));
    }
    let snapshot = counters.snapshot().unwrap();
    let by = |split| -> Vec<(RowPlacement, Option<f64>)> {
        let rows = counters.report(&snapshot, &split).rows.into_iter();
        rows.map(|row| (row.placement, row.value.as_f64())).collect()
    };
    let cgroup = RowPlacement::Cgroup;
    assert_eq!(by(Split::Cgroup), [(cgroup(0), Some(4.0)), (cgroup(1), Some(8.0))]);
    assert_eq!(by(Split::Total), [(RowPlacement::All, Some(12.0))]);
    let missing = Target::Cgroups(vec![PathBuf::from("db"), PathBuf::from("no")]);
    assert!(open_error(&kernel, missing, "cycles").to_string().starts_with("cgroup no: "));
}

#[test]
fn the_processes_of_a_user_are_counted() {
    let status = |uids: &str| format!("Name:\tx\nUid:\t{uids}\nGid:\t0\t0\t0\t0\n");
    let kernel = threads(threads(threads(two_sockets(), 70, &[70, 71]), 80, &[80]), 90, &[90])
        .file("/proc/70/status", status("1000\t1000\t1000\t1000"))
        .file("/proc/80/status", status("1000\t0\t0\t0"))
        .file("/proc/90/status", status("0\t1000\t1000\t1000"));
    let threads_of = |user| -> Vec<_> {
        asked(&kernel, Target::User(user), "cycles").iter().filter_map(thread_of).collect()
    };
    assert_eq!(threads_of(1000), [70, 71, 90], "whatever user started them");
    assert_eq!(threads_of(0), [80]);
    let error = open_error(&kernel, Target::User(7), "cycles");
    assert_eq!(error.to_string(), "the user with the id 7 has no process");
}

#[test]
fn boxes_have_a_value_each_if_they_are_not_merged() {
    let kernel = kernel("intel-hybrid");
    let counted = |merge: bool| -> Vec<(String, String, Option<f64>)> {
        let set = set(&kernel, Target::AllCpus)
            .define("EVENT,TWICE,DERIVED_ADD,uncore_imc/event=1/,uncore_imc/event=1/");
        let set = set.event("uncore_imc/event=1/,TWICE,task-clock").merge_boxes(merge);
        let mut counters = set.open().unwrap();
        for (kind, value) in [(24, 5), (25, 7)] {
            hold(&kernel, holds(value, 1, 1), |o| o.attr.kind == kind);
        }
        let rows = counters.read().unwrap().rows.iter();
        rows.map(|row| (row.event.clone(), row.id.to_string(), row.value.as_f64())).collect()
    };
    let whole = counted(true);
    assert_eq!((whole.len(), whole[0].2, whole[1].2), (3, Some(12.0), Some(24.0)), "{whole:?}");
    let apart = counted(false);
    let of_box = |number: usize, value| {
        let name = format!("uncore_imc_{number}/event=0x1/");
        (name.clone(), name, Some(value))
    };
    assert_eq!(apart[..2], [of_box(0, 5.0), of_box(1, 7.0)]);
    assert_eq!(apart[2].2, Some(24.0), "a formula is over all boxes: {apart:?}");
    assert_eq!(apart.len(), 4);
}

#[test]
fn rows_are_split_by_die_node_and_cache() {
    const CPU: &str = "/sys/devices/system/cpu";
    let mut kernel = two_sockets()
        .file("/sys/devices/system/node/node0/cpulist", "0-2\n")
        .file("/sys/devices/system/node/node2/cpulist", "3\n");
    for cpu in 0..4 {
        kernel = kernel.file(format!("{CPU}/cpu{cpu}/topology/die_id"), format!("{}\n", cpu % 2));
        let shared = [cpu.to_string(), cpu.to_string(), ["0,2", "1,3"][cpu % 2].to_string()];
        let caches = ["1 Data", "1 Instruction", "3 Unified"].iter().zip(shared).enumerate();
        for (index, (cache, shared)) in caches {
            let (level, kind) = cache.split_once(' ').unwrap();
            let folder = format!("{CPU}/cpu{cpu}/cache/index{index}");
            kernel = kernel
                .file(format!("{folder}/level"), level)
                .file(format!("{folder}/type"), kind)
                .file(format!("{folder}/shared_cpu_list"), shared);
        }
    }
    let mut counters = set(&kernel, Target::AllCpus).event("cycles").open().unwrap();
    for cpu in 0..4 {
        hold(&kernel, holds(1 << cpu, 1, 1), |o| cpu_of(o) == Some(cpu));
    }
    let snapshot = counters.snapshot().unwrap();
    let by = |split| -> Vec<(RowPlacement, f64)> {
        let report = counters.report(&snapshot, &split);
        report.rows.iter().map(|row| (row.placement, row.value.as_f64().unwrap())).collect()
    };
    let die = |socket, die| RowPlacement::Die { socket, die };
    let dies = [(die(0, 0), 1.0), (die(0, 1), 2.0), (die(1, 0), 4.0), (die(1, 1), 8.0)];
    assert_eq!(by(Split::Die), dies);
    assert_eq!(by(Split::Node), [(RowPlacement::Node(0), 7.0), (RowPlacement::Node(2), 8.0)]);
    let last = |cpu| RowPlacement::Cache { level: 3, cpu };
    assert_eq!(by(Split::Cache(None)), [(last(0), 5.0), (last(1), 10.0)]);
    let first = |cpu| RowPlacement::Cache { level: 1, cpu };
    assert_eq!(by(Split::Cache(Some(1))).len(), 4);
    assert_eq!(by(Split::Cache(Some(1)))[3], (first(3), 8.0));
    // A level that the machine does not have: a row for each CPU, because a sum would be of nothing known.
    assert_eq!(by(Split::Cache(Some(2)))[3], (RowPlacement::Cpu(3), 8.0));
}

#[test]
fn rows_are_split_by_thread() {
    let kernel = threads(two_sockets(), 70, &[70, 71]);
    let mut counters = set(&kernel, Target::Processes(vec![70])).event("cycles").open().unwrap();
    hold(&kernel, holds(3, 1, 1), |o| thread_of(o) == Some(70));
    hold(&kernel, holds(4, 1, 1), |o| thread_of(o) == Some(71));
    let snapshot = counters.snapshot().unwrap();
    let rows = counters.report(&snapshot, &Split::Thread).rows;
    let found: Vec<_> = rows.iter().map(|row| (row.placement, row.value.as_f64())).collect();
    assert_eq!(
        found,
        [(RowPlacement::Thread(70), Some(3.0)), (RowPlacement::Thread(71), Some(4.0))]
    );
}

#[test]
fn an_event_of_few_cpus_has_rows_there_only() {
    let kernel = kernel("arm-neoverse");
    let mut counters =
        set(&kernel, Target::AllCpus).event("cycles,arm_dsu/cycles/").open().unwrap();
    hold(&kernel, holds(3, 1, 1), |_| true);
    let snapshot = counters.snapshot().unwrap();
    let report = counters.report(&snapshot, &Split::Cpu);
    let of = |event: &str| -> Vec<RowPlacement> {
        report.rows.iter().filter(|row| row.event == event).map(|row| row.placement).collect()
    };
    assert_eq!(of("cycles"), [0, 1, 2, 3].map(RowPlacement::Cpu));
    assert_eq!(of("arm_dsu/cycles/"), [0, 2].map(RowPlacement::Cpu));
}

#[test]
fn an_event_that_cannot_be_opened_anywhere_still_has_a_row() {
    let kernel = two_sockets().refuse_with(Errno::ENOENT, |o| o.attr.config == 1);
    let mut counters = set(&kernel, Target::AllCpus)
        .define("EVENT,BROKEN,NOT_DERIVED,nonsense\n")
        .event("cycles,instructions,BROKEN")
        .open()
        .unwrap();
    kernel.run(ms(1));
    let snapshot = counters.snapshot().unwrap();
    for split in [Split::Total, Split::Cpu, Split::Core, Split::Socket, Split::Thread] {
        let report = counters.report(&snapshot, &split);
        for event in ["instructions", "BROKEN"] {
            let row = row(&report, event);
            assert_eq!(
                (row.placement, row.value.status().name()),
                (RowPlacement::All, "not-supported"),
                "{split:?}"
            );
        }
    }
}

#[test]
fn a_process_has_one_row_however_it_is_split() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "cycles");
    kernel.run(ms(1));
    let snapshot = counters.snapshot().unwrap();
    for split in [Split::Cpu, Split::Core, Split::Socket, Split::Thread] {
        assert_eq!(row(&counters.report(&snapshot, &split), "cycles").placement, RowPlacement::All);
    }
}

/// Kernels add to the time of a cgroup's event what passed before it was started, by which its count must not be multiplied.
#[test]
fn the_count_of_a_cgroup_is_that_of_the_time_since_its_start() {
    let spin = |milliseconds| {
        let begun = Instant::now();
        while begun.elapsed() < ms(milliseconds) {
            std::hint::black_box(0);
        }
    };
    let open = |target| EventSet::new(target).event("task-clock").delayed(true).open();
    let Ok(mut other) = open(Target::ThisThread) else {
        println!("skipped: task-clock cannot be counted here");
        return;
    };
    other.start().unwrap();
    spin(100);
    let mut counters = match open(Target::Cgroup(PathBuf::from("/"))) {
        Ok(counters) if counters.is_any_open() => counters,
        Ok(_) => return println!("skipped: needs the right to count cgroups"),
        Err(error) => return println!("skipped: {error}"),
    };
    spin(100);
    let begun = Instant::now();
    counters.start().unwrap();
    spin(20);
    counters.stop().unwrap();
    let most = begun.elapsed() + ms(1);
    let snapshot = counters.snapshot().unwrap();
    for row in counters.report(&snapshot, &Split::Cpu).rows {
        let counted = row.value.as_f64().unwrap_or_default();
        assert!(counted <= most.as_nanos() as f64, "{row:?}, of {most:?}");
    }
}
