//! The parts of a machine, and the clocks of a program.

use crate::world::{cpus, kernel, recorded_machine, two_sockets};
use counterpoint::perf::{Host, process};
use counterpoint::{Machine, doctor};
use counterpoint_fixtures::FakeKernel;
use std::time::{Duration, Instant};

#[test]
fn caches_cores_and_sockets_are_read_from_the_machines_files() {
    let mut kernel = FakeKernel::new()
        .file(
            "/proc/cpuinfo",
            "vendor_id\t: Acme\nmodel name\t: Acme 9000 @ 3 GHz\ncpu MHz\t: 2995.1\n",
        )
        .file("/sys/devices/system/cpu/online", "0-3\n");
    for cpu in 0..4 {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        kernel = kernel
            .file(format!("{topology}/core_id"), format!("{}\n", cpu / 2))
            .file(format!("{topology}/physical_package_id"), "0\n");
    }
    let caches = [
        ("index0", "1", "Data", "48K", "0-1"),
        ("index1", "1", "Instruction", "32K", "0-1"),
        ("index3", "3", "Unified", "36M", "0-3"),
        ("index2", "2", "Unified", "2048K", "0-1"),
    ];
    for (index, level, kind, size, shared) in caches {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/{index}");
        for (file, text) in
            [("level", level), ("type", kind), ("size", size), ("shared_cpu_list", shared)]
        {
            kernel = kernel.file(format!("{folder}/{file}"), format!("{text}\n"));
        }
    }
    let kernel =
        kernel.file("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "64\n");
    let hardware = Machine::new(Host::with_kernel(kernel)).hardware();
    assert_eq!(hardware.model.as_deref(), Some("Acme 9000 @ 3 GHz"));
    assert_eq!((hardware.cores, hardware.sockets), (Some(2), Some(1)));
    assert_eq!(hardware.cpus, cpus("0-3"));
    assert_eq!((hardware.vendor.as_deref(), hardware.max_mhz), (Some("Acme"), Some(2995.1)));
    let sizes: Vec<(u32, u64)> = hardware.caches.iter().map(|c| (c.level, c.size)).collect();
    assert_eq!(sizes, [(1, 48 << 10), (1, 32 << 10), (2, 2 << 20), (3, 36 << 20)]);
    assert_eq!((hardware.caches[0].line, hardware.caches[0].ways), (Some(64), None));
    assert_eq!(hardware.caches[3].shared_by, cpus("0-3"));
}

#[test]
fn recorded_machines_tell_what_their_files_say() {
    let hybrid = recorded_machine("intel-hybrid").hardware();
    assert!(hybrid.pmus.iter().any(|pmu| pmu == "cpu_core"), "{hybrid:?}");
    assert_eq!((hybrid.cpus.len(), hybrid.cores, hybrid.sockets), (12, Some(8), Some(1)));
    let offline = recorded_machine("intel-cpu-offline").hardware();
    assert_eq!((offline.cpus.len(), offline.cores, offline.sockets), (7, Some(4), Some(1)));
    // Nothing is made up for a machine without files.
    let nothing = Machine::new(Host::with_kernel(FakeKernel::new())).hardware();
    assert_eq!((nothing.model, nothing.caches.len(), nothing.cores), (None, 0, None));
}

#[test]
fn cores_are_counted_only_where_all_are_known() {
    let path = |name: &str| format!("/sys/devices/system/cpu/cpu3/topology/{name}");
    let of = |kernel: FakeKernel| {
        let hardware = Machine::new(Host::with_kernel(kernel)).hardware();
        (hardware.cores, hardware.sockets)
    };
    assert_eq!(of(two_sockets()), (Some(4), Some(2)));
    for unknown in ["-1\n", "", "x\n"] {
        assert_eq!(of(two_sockets().file(path("core_id"), unknown)), (None, Some(2)), "{unknown}");
        let without_socket = two_sockets().file(path("physical_package_id"), unknown);
        assert_eq!(of(without_socket), (None, None), "{unknown}");
    }
    let online = FakeKernel::new().file("/sys/devices/system/cpu/online", "0-3\n");
    assert_eq!(of(online), (None, None), "no topology at all");
}

#[test]
fn real_and_virtual_time_go_on() {
    // Each begins before and ends after the one that it cannot be less than.
    let (real, all) = (Instant::now(), process::process_time().unwrap());
    let thread = process::thread_time().unwrap();
    crate::live::work(Duration::from_millis(5));
    let spent = process::thread_time().unwrap() - thread;
    assert!(spent > Duration::ZERO && spent <= real.elapsed(), "{spent:?}");
    assert!(process::process_time().unwrap() - all >= spent);
}

#[test]
fn doctor_measures_what_calls_cost_where_they_can_be_made() {
    let cost = |host: Host| {
        let findings = doctor::examine(&Machine::new(host));
        findings.into_iter().find(|finding| finding.subject == "cost of a call")
    };
    let live = cost(Host::local());
    if crate::live::can_count() {
        let text = live.unwrap().text;
        assert!(text.starts_with("measured now: a read ") && text.contains(" ns"), "{text}");
    }
    assert_eq!(cost(recorded_machine("vm-no-pmu").host().clone()), None);
    let refusing = kernel("vm-no-pmu").refuse(|_| Some(counterpoint::perf::Errno::EACCES.into()));
    assert_eq!(cost(Host::with_kernel(refusing)), None);
}
