//! Numbers that the kernel shows in files: of fixtures of several kernels, and of this machine.

use crate::world::{row, rows, set};
use counterpoint::formula::Number;
use counterpoint::listing::{Availability, list};
use counterpoint::perf::Host;
use counterpoint::perf::process::Held;
use counterpoint::{
    Counters, EventSet, Machine, NodeEvents, Note, Reason, Report, RowPlacement, Split, Target,
    Value,
};
use counterpoint_fixtures::{FakeKernel, path};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

const KERNELS: [&str; 2] = ["linux-4.18", "linux-7.2"];

pub(crate) fn kernel(name: &str) -> FakeKernel {
    FakeKernel::new().files_of(&path("sources").join(name))
}

pub(crate) fn open(kernel: &FakeKernel, target: Target, events: &str) -> Counters {
    set(kernel, target).event(events).open().unwrap()
}

pub(crate) fn number(report: &Report, event: &str) -> f64 {
    let row = row(report, event);
    row.value.as_f64().unwrap_or_else(|| panic!("{event}: {:?}", row.value))
}

pub(crate) fn reason(report: &Report, event: &str) -> String {
    row(report, event).value.reason().unwrap_or_else(|| panic!("{event} has a value")).to_string()
}

/// Every number of the fixtures with its unit, from a level, or from the difference of two readings of which the first is zero.
#[test]
fn every_form_of_file_is_read_on_old_and_new_kernels() {
    for name in KERNELS {
        let levels = [
            ("hwmon/coretemp/temp1/", 45.0, "°C"),
            ("hwmon_coretemp/temp2/", 43.0, "°C"),
            ("hwmon/coretemp/temp_core_0/", 43.0, "°C"),
            ("hwmon_coretemp/temp_package_id_0/", 45.0, "°C"),
            ("coretemp:::hwmon1:temp1_input", 45.0, "°C"),
            ("hwmon/nct6775/temp1/", -4.5, "°C"),
            ("hwmon/nct6775/fan1/", 1250.0, "RPM"),
            ("hwmon/nct6775/in_vcore/", 0.864, "V"),
            ("hwmon/amdgpu/power1_average/", 15.25, "W"),
            ("hwmon/amdgpu/curr1/", 1.5, "A"),
            ("hwmon/hwmon5/temp1/", 40.85, "°C"),
            ("powercap/package-0/limit0/", 125.0, "W"),
            ("thermal/x86_pkg_temp/temp/", 46.0, "°C"),
            ("cpufreq/cpu1/frequency/", 1.3e9, "Hz"),
            ("memory/MemFree/", 4e6 * 1024.0, "bytes"),
            ("memory/memfree/", 4e6 * 1024.0, "bytes"),
            ("disk/nvme0n1/in_flight/", 1.0, ""),
            ("vmstat/nr_dirty/", 32.0, ""),
            ("system/running/", 3.0, ""),
            ("memory/HugePages_Free/", 1.0, ""),
        ];
        let kernel = kernel(name);
        for (event, expected, unit) in levels {
            let mut counters = open(&kernel, Target::AllCpus, event);
            let report = counters.read().unwrap();
            let row = row(report, event);
            assert_eq!(row.value.as_f64(), Some(expected), "{name} {event}: {:?}", row.value);
            assert_eq!(row.unit.as_deref().unwrap_or_default(), unit, "{name} {event}");
            let extremes = row.extremes.unwrap();
            assert_eq!((extremes.least, extremes.greatest), (expected, expected), "{event}");
        }
        counted(name);
    }
}

/// The counters of the fixtures, from files that appear after the first reading at zero.
fn counted(name: &str) {
    let eth = if name == "linux-4.18" { "eth0" } else { "enp3s0" };
    let counts = [
        ("net/lo/rx_bytes/".to_string(), 5e6),
        (format!("net/{eth}/rx_errors/"), 1.0),
        (format!("net:::{eth}:tx:colls"), 10.0),
        (format!("net_{eth}/tx_compressed/"), 12.0),
        ("disk/nvme0n1/read_bytes/".to_string(), 20000.0 * 512.0),
        ("disk/nvme0n1/write_time/".to_string(), 600e6),
        ("disk/nvme0n1p1/reads/".to_string(), 900.0),
        ("disk/nvme0n1/discards/".to_string(), 50.0),
        ("vmstat/thp_fault_alloc/".to_string(), 4.0),
        ("vmstat/pgfault/".to_string(), 123456.0),
        ("vmstat/nr_dirtied/".to_string(), 5000.0),
        ("system/context_switches/".to_string(), 70000.0),
        ("cputime/cpu1/steal/".to_string(), 207e7),
        ("stealtime:::CPU0".to_string(), 107e7),
        ("sched/cpu1/run_time/".to_string(), 12e6),
        ("irq/cpu1/LOC/".to_string(), 2000.0),
        ("irq/cpu0/8/".to_string(), 1.0),
        ("softirq/cpu1/NET_RX/".to_string(), 20.0),
        ("cpuidle/cpu1/state1_time/".to_string(), 4e6),
        ("cpuidle/cpu1/state_c1_time/".to_string(), 4e6),
        ("hwmon/amdgpu/energy1/".to_string(), 5.0),
        ("infiniband/mlx5_0/port1_rcv_data/".to_string(), 4000.0),
        ("infiniband:::mlx5_0_1:port_xmit_packets".to_string(), 40.0),
        ("numa/node1/numa_hit/".to_string(), 2000.0),
        ("powercap:::ENERGY_UJ:ZONE1_SUBZONE0".to_string(), 0.002),
    ];
    for (event, expected) in counts {
        let kernel = kernel(name);
        let mut counters = open(&zeroed(&kernel, name), Target::AllCpus, &event);
        // The same kernel is given its files again.
        kernel.files_of(&path("sources").join(name));
        let report = counters.read().unwrap();
        assert_eq!(number(report, &event), expected, "{name} {event}");
    }
}

/// Replaces every number that is a word of its own in the files of counters by 0; the heading and the keys stay.
fn zeroed(kernel: &FakeKernel, name: &str) -> FakeKernel {
    let root = path("sources").join(name);
    let mut folders = vec![root.clone()];
    let mut zeroed = kernel.clone();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let file = entry.path();
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            let own = std::path::Path::new("/").join(file.strip_prefix(&root).unwrap());
            let text = fs::read_to_string(&file).unwrap();
            let is_kept = |name: &str| own.to_string_lossy().contains(name);
            if is_kept("online") || is_kept("/name") || is_kept("_label") || is_kept("max_energy") {
                continue;
            }
            let skipped = if is_kept("diskstats") { 3 } else { 1 };
            let row = |line: &str| {
                let words = line.split_whitespace().enumerate().map(|(place, word)| {
                    let is_number = word.parse::<i64>().is_ok();
                    let is_key = place < skipped && line.split_whitespace().count() > 1;
                    if is_number && !is_key { "0" } else { word }
                });
                words.collect::<Vec<_>>().join(" ")
            };
            let text: Vec<String> = text.lines().map(row).collect();
            zeroed = zeroed.file(own, text.join("\n") + "\n");
        }
    }
    zeroed
}

#[test]
fn what_a_kernel_does_not_have_is_a_reason_and_the_rest_is_counted() {
    let old = kernel("linux-4.18");
    let events = "disk/nvme0n1/flushes/,pressure/cpu/some/,disk/nvme0n1/reads/,net/eth7/rx_bytes/,\
                  hwmon/nvme/temp1/,vmstat/nothing/,memory/MemFree/,hwmon/coretemp/temp_core_9/,io/rchar/";
    let mut counters = open(&old, Target::AllCpus, events);
    let report = counters.read().unwrap().clone();
    for (event, expected) in [
        ("disk/nvme0n1/flushes/", "/proc/diskstats has no `nvme0n1`"),
        (
            "pressure/cpu/some/",
            "this machine shows nothing in /proc/pressure, which a container or a virtual machine may hide",
        ),
        ("net/eth7/rx_bytes/", "/proc/net/dev has no `eth7`, but lo, eth0"),
        ("hwmon/nvme/temp1/", "several devices are called `nvme`: hwmon4, hwmon5"),
        ("vmstat/nothing/", "/proc/vmstat has no number `nothing`"),
        ("hwmon/coretemp/temp_core_9/", "no sensor of this machine has the label `core_9`"),
        ("io/rchar/", "the kernel shows it for each process, and the whole machine is counted"),
    ] {
        let found = reason(&report, event);
        assert!(found.starts_with(expected) || event.contains("flushes"), "{event}: {found}");
    }
    assert_eq!(number(&report, "disk/nvme0n1/reads/"), 0.0);
    assert_eq!(number(&report, "memory/MemFree/"), 4e6 * 1024.0);
    let error = set(&old, Target::AllCpus).event("net/eth0/nothing/").open().unwrap_err();
    assert!(error.is_unknown_event(), "{error}");
}

#[test]
fn a_level_has_the_mean_over_time_and_its_extremes_in_each_interval() {
    const TEMPERATURE: &str = "/sys/class/hwmon/hwmon1/temp1_input";
    let kernel = kernel("linux-7.2");
    let mut counters = open(&kernel, Target::AllCpus, "hwmon/coretemp/temp1/,cputime/user/");
    assert!(counters.has_levels());
    let degrees = |number: u32| _ = kernel.clone().file(TEMPERATURE, format!("{number}000\n"));
    let nap = || std::thread::sleep(Duration::from_millis(20));
    nap();
    degrees(90);
    counters.read_levels();
    nap();
    degrees(50);
    let first = counters.snapshot().unwrap();
    nap();
    degrees(60);
    let second = counters.snapshot().unwrap();
    let range = |report: &Report| {
        let row = row(report, "hwmon/coretemp/temp1/");
        let extremes = row.extremes.unwrap();
        (extremes.least, row.value.as_f64().unwrap(), extremes.greatest)
    };
    let (least, mean, greatest) = range(&counters.report(&first, &Split::Total));
    assert!((least, greatest) == (45.0, 90.0) && (60.0..78.0).contains(&mean), "{mean}");
    let (least, mean, greatest) = range(&counters.report(&second.since(&first), &Split::Total));
    assert_eq!((least, greatest), (50.0, 60.0));
    assert!((54.9..55.1).contains(&mean), "{mean}");
    let text = row(&counters.report(&second, &Split::Total), "hwmon/coretemp/temp1/").to_string();
    assert!(text.ends_with(" °C   hwmon/coretemp/temp1/ (45.00 to 90.00)"), "{text}");
    // A level that is unknown for a while is no zero.
    let kernel = kernel.clone().file(TEMPERATURE, "\n");
    assert_eq!(range(counters.read().unwrap()).0, 45.0);
    drop(kernel);
}

#[test]
fn a_counter_that_wraps_is_reset_appears_or_vanishes_has_a_note() {
    const ENERGY: &str = "/sys/class/powercap/intel-rapl:0/energy_uj";
    let kernel = kernel("linux-7.2");
    let events = "powercap/package-0/energy/,net/lo/tx_bytes/,net/wlan0/rx_bytes/";
    let mut counters = open(&kernel, Target::AllCpus, events);
    let dev = |rows: &str| format!("Inter-|\n face |\n{rows}");
    let net = |rows: &str| _ = kernel.clone().file("/proc/net/dev", dev(rows));
    _ = kernel.clone().file(ENERGY, "1671150\n");
    net("lo: 1 0 0 0 0 0 0 0 50 0 0 0 0 0 0 0\nwlan0: 700 0 0\n");
    counters.read().unwrap();
    net("lo: 1 0 0 0 0 0 0 0 90 0 0 0 0 0 0 0\nwlan0:900 0 0\n");
    let report = counters.read().unwrap().clone();
    assert_eq!(number(&report, "powercap/package-0/energy/"), 2.0);
    assert_eq!(row(&report, "powercap/package-0/energy/").notes, [Note::Wrapped]);
    assert_eq!(number(&report, "net/lo/tx_bytes/"), 90.0);
    assert_eq!(row(&report, "net/lo/tx_bytes/").notes, [Note::Reset]);
    assert_eq!(number(&report, "net/wlan0/rx_bytes/"), 200.0);
    assert_eq!(row(&report, "net/wlan0/rx_bytes/").notes, [Note::Appeared]);
    // The notes of an interval are those of the interval.
    let before = counters.snapshot().unwrap();
    net("lo: 1 0 0 0 0 0 0 0 95 0 0 0 0 0 0 0\n");
    let since = counters.snapshot().unwrap().since(&before);
    let interval = counters.report(&since, &Split::Total);
    assert_eq!(number(&interval, "net/lo/tx_bytes/"), 5.0);
    assert_eq!(row(&interval, "net/lo/tx_bytes/").notes, []);
    // What vanished was not measured in it, which is no zero; in the whole time it was.
    assert!(reason(&interval, "net/wlan0/rx_bytes/").contains("has no number `wlan0`"));
    let whole = counters.read().unwrap();
    assert_eq!(number(whole, "net/wlan0/rx_bytes/"), 200.0);
    assert_eq!(row(whole, "net/wlan0/rx_bytes/").notes, [Note::Appeared, Note::Vanished]);
}

#[test]
fn what_counts_more_than_the_target_says_so() {
    let kernel = kernel("linux-7.2")
        .file(format!("/proc/{}/io", std::process::id()), "rchar: 5\n")
        .file("/proc/self/cgroup", "0::/jobs\n");
    let events = "vmstat/pgfault/,cputime/user/,io/rchar/,cgroup/usage_usec/";
    let notes = |target: Target| -> Vec<Vec<Note>> {
        let report = open(&kernel, target, events).read().unwrap().clone();
        report.rows.iter().map(|row| row.notes.clone()).collect()
    };
    let (machine, none) = (vec![Note::WholeMachine], Vec::new());
    let own = [machine.clone(), machine, vec![Note::WholeProcess], vec![Note::WholeCgroup]];
    assert_eq!(notes(Target::ThisThread), own);
    assert_eq!(notes(Target::AllCpus), [none.clone(), none.clone(), none.clone(), none]);
    // Of the ranks of a node, one counts what is the node's.
    let of_rank = |choice: NodeEvents| -> Vec<bool> {
        let set = set(&kernel, Target::ThisThread).node_events(choice).event(events);
        let report = set.open().unwrap().read().unwrap().clone();
        let is_elsewhere = |reason: &Reason| reason.is_elsewhere();
        assert!(report.rows.iter().all(|row| row.value.reason().is_none() || row.raw.is_none()));
        report.rows.iter().map(|row| row.value.reason().is_some_and(is_elsewhere)).collect()
    };
    assert_eq!(of_rank(NodeEvents::Elsewhere), [true, true, false, false]);
    assert_eq!(of_rank(NodeEvents::Here), [false; 4]);
}

#[test]
fn the_files_of_a_cgroup_are_those_of_the_target() {
    let kernel = kernel("linux-7.2");
    let events = "cgroup/usage_usec/,cgroup/memory.current/,cgroup/memory.max/,cgroup/memory.anon/,\
                  cgroup/259:0/io.rbytes/,cgroup/memory.peak/,cgroup/cpu.pressure.some/";
    let mut counters = EventSet::on(Host::with_kernel(kernel.clone()), Target::ThisThread)
        .event(events)
        .open()
        .unwrap();
    assert!(reason(counters.read().unwrap(), "cgroup/usage_usec/").contains("/proc/self/cgroup"));
    _ = kernel.clone().file("/proc/self/cgroup", "1:cpu:/\n0::/jobs\n");
    counters = open(&kernel, Target::ThisThread, events);
    _ = kernel.file("/sys/fs/cgroup/jobs/cpu.stat", "usage_usec 5700\n");
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cgroup/usage_usec/").value, Value::Counted(Number::Int(700_000)));
    assert_eq!(number(report, "cgroup/memory.current/"), 104857600.0);
    assert_eq!(number(report, "cgroup/memory.anon/"), 65536.0);
    assert_eq!(number(report, "cgroup/memory.peak/"), 209715200.0);
    assert_eq!(number(report, "cgroup/cpu.pressure.some/"), 0.0);
    assert_eq!(number(report, "cgroup/259:0/io.rbytes/"), 0.0);
    assert!(reason(report, "cgroup/memory.max/").ends_with("memory.max has no number"));
}

#[test]
fn a_source_of_cpus_has_a_row_for_each_part_of_the_machine() {
    let kernel = kernel("linux-7.2");
    let mut counters =
        open(&kernel, Target::AllCpus, "cputime/user/,cpufreq/frequency/,vmstat/pgfault/");
    let stat = fs::read_to_string(path("sources/linux-7.2/proc/stat")).unwrap();
    _ = kernel
        .file("/proc/stat", stat.replace("cpu3 400", "cpu3 407").replace("cpu2 300", "cpu2 301"));
    let snapshot = counters.snapshot().unwrap();
    let of = |split: Split, event: &str| -> Vec<(RowPlacement, f64)> {
        let report = counters.report(&snapshot, &split);
        rows(&report, event)
            .iter()
            .map(|row| (row.placement, row.value.as_f64().unwrap()))
            .collect()
    };
    assert_eq!(of(Split::Total, "cputime/user/"), [(RowPlacement::All, 8e7)]);
    let cpus: Vec<f64> =
        of(Split::Cpu, "cputime/user/").into_iter().map(|(_, value)| value).collect();
    assert_eq!(cpus, [0.0, 0.0, 1e7, 7e7]);
    let core = |core| RowPlacement::Core { socket: 0, core };
    assert_eq!(of(Split::Core, "cputime/user/"), [(core(0), 0.0), (core(1), 8e7)]);
    assert_eq!(of(Split::Core, "cpufreq/frequency/"), [(core(0), 1.25e9), (core(1), 1.45e9)]);
    assert_eq!(of(Split::Cpu, "vmstat/pgfault/"), [(RowPlacement::All, 0.0)]);
}

/// Of some CPUs, sources of every form have those alone.
#[test]
fn a_source_of_cpus_has_those_of_the_target() {
    let cpus = |text: &str| Target::Cpus(text.parse().unwrap());
    for (event, of_cpu1) in [
        ("cputime/steal/", 207e7),
        ("irq/LOC/", 2000.0),
        ("softirq/NET_RX/", 20.0),
        ("cpuidle/state1_time/", 4e6),
        ("sched/run_time/", 12e6),
        ("cpufreq/frequency/", 1.3e9),
    ] {
        let kernel = kernel("linux-7.2");
        let before =
            if event.contains("freq") { kernel.clone() } else { zeroed(&kernel, "linux-7.2") };
        let mut counters = open(&before, cpus("1"), event);
        kernel.files_of(&path("sources/linux-7.2"));
        let snapshot = counters.snapshot().unwrap();
        assert_eq!(number(&counters.report(&snapshot, &Split::Total), event), of_cpu1);
        let of_cpus = counters.report(&snapshot, &Split::Cpu);
        let places: Vec<_> = of_cpus.rows.iter().map(|row| row.placement).collect();
        assert_eq!(places, [RowPlacement::Cpu(1)], "{event}");
        assert_eq!((number(&of_cpus, event), &*of_cpus.rows[0].notes), (of_cpu1, &[][..]));
    }
    // One of another CPU is none of the target's.
    let mut counters = open(&kernel("linux-7.2"), cpus("0"), "cputime/cpu1/user/");
    let said = reason(counters.read().unwrap(), "cputime/cpu1/user/");
    assert_eq!(said, "cpu1 is not one of the CPUs that are counted");
    let mut counters = open(&kernel("linux-7.2"), cpus("0-1"), "cpufreq/frequency/");
    assert_eq!(number(counters.read().unwrap(), "cpufreq/frequency/"), 1.25e9);
}

#[test]
fn sources_are_terms_of_definitions_and_patterns_name_several() {
    let kernel = kernel("linux-7.2");
    let mut counters = set(&kernel, Target::AllCpus).event("net/*/rx_packets/").open().unwrap();
    let names: Vec<String> =
        counters.read().unwrap().rows.iter().map(|row| row.id.to_string()).collect();
    assert_eq!(names, ["net/lo/rx_packets/", "net/enp3s0/rx_packets/"]);
    let definition =
        "EVENT,PER_PACKET,DERIVED_POSTFIX,N0|N1|/|,net/lo/rx_bytes/,net:::lo:rx:packets\n";
    let mut counters = set(&kernel, Target::AllCpus)
        .define(definition)
        .event("PER_PACKET,net/lo/rx_bytes/")
        .open()
        .unwrap();
    let text = fs::read_to_string(path("sources/linux-7.2/proc/net/dev")).unwrap();
    let more = text.replace("5000000   40000", "5003000   40002");
    _ = kernel.clone().file("/proc/net/dev", more);
    let report = counters.read().unwrap();
    assert_eq!(
        (number(report, "PER_PACKET"), number(report, "net/lo/rx_bytes/")),
        (1500.0, 3000.0)
    );
    let io = format!("/proc/{}/io", std::process::id());
    let kernel = kernel.file(&io, "rchar: 7\nwchar: 8\n");
    let mut counters = open(&kernel, Target::ThisThread, "io:::wchar,io/rchar/");
    _ = kernel.file(io, "rchar: 17\nwchar: 28\n");
    let report = counters.read().unwrap();
    assert_eq!((number(report, "io:::wchar"), number(report, "io/rchar/")), (20.0, 10.0));
    assert_eq!(row(report, "io:::wchar").id.to_string(), "io/wchar/");
}

/// Files of another form are a reason, and never a panic.
#[test]
fn files_that_hold_something_else_are_a_reason() {
    let garbage: [Vec<u8>; 5] = [
        b"45,5 \xc2\xb0C\n".to_vec(),
        Vec::new(),
        vec![0xff; 1 << 20],
        b"99999999999999999999999999".to_vec(),
        "\u{0}\n: : :\n====\nCPU0 CPU\n".repeat(1000).into_bytes(),
    ];
    for text in garbage {
        let mut kernel = kernel("linux-7.2");
        for file in [
            "/sys/class/hwmon/hwmon1/temp1_input",
            "/proc/net/dev",
            "/proc/vmstat",
            "/proc/diskstats",
            "/proc/interrupts",
            "/proc/pressure/cpu",
            "/proc/stat",
        ] {
            kernel = kernel.file(file, text.clone());
        }
        let events = "hwmon/coretemp/temp1/,net/lo/rx_bytes/,vmstat/pgfault/,disk/nvme0n1/reads/,\
                      irq/LOC/,pressure/cpu/some/,cputime/user/,hwmon/acpitz/temp1/";
        let mut counters = open(&kernel, Target::AllCpus, events);
        let report = counters.read().unwrap();
        let without = report.rows.iter().filter(|row| row.value.reason().is_some()).count();
        assert_eq!(without, report.rows.len() - 1, "{report}");
        assert_eq!(number(report, "hwmon/acpitz/temp1/"), 27.8);
        if text.len() < 1 << 20 {
            drop(list(&Machine::new(Host::with_kernel(kernel))));
        }
    }
}

#[test]
fn the_sources_of_a_machine_are_listed_with_labels() {
    let listed = list(&Machine::new(Host::with_kernel(kernel("linux-7.2"))));
    let of =
        |name: &str| listed.iter().find(|of| of.name == name).unwrap_or_else(|| panic!("{name}"));
    let core = of("hwmon/coretemp/temp2/");
    assert_eq!(core.description.as_deref(), Some("Temperature (mean, least and greatest): Core 0"));
    assert_eq!((core.group.as_str(), core.unit.as_deref()), ("hwmon", Some("°C")));
    assert_eq!(core.availability, Availability::Available);
    for name in [
        "hwmon/hwmon4/temp1/",
        "powercap/package-0/energy/",
        "powercap/intel-rapl:1:0/energy/",
        "net/enp3s0/rx_bytes/",
        "cpuidle/cpu3/state1_time/",
        "irq/LOC/",
        "vmstat/numa_hint_faults/",
        "memory/MemTotal/",
        "pressure/irq/full/",
        "infiniband/mlx5_0/port1_rcv_data/",
    ] {
        assert_eq!(of(name).availability, Availability::Available, "{name}");
    }
    let mut names: Vec<&str> = listed.iter().map(|of| of.name.as_str()).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(all, names.len(), "names that are listed twice");
}

/// A known number of bytes over loopback, beside what `/proc/net/dev` shows before and after.
#[test]
fn bytes_over_loopback_are_counted() {
    const BYTES: usize = 3 << 20;
    let of_lo = || -> f64 {
        let text = fs::read_to_string("/proc/net/dev").unwrap();
        let row = text.lines().find_map(|line| line.trim().strip_prefix("lo:")).unwrap();
        row.split_whitespace().next().unwrap().parse().unwrap()
    };
    if !fs::read_to_string("/proc/net/dev").is_ok_and(|text| text.contains("lo:")) {
        println!("skipped: there is no loopback interface");
        return;
    }
    let before = of_lo();
    let mut counters =
        EventSet::new(Target::AllCpus).event("net/lo/rx_bytes/,net:::lo:tx:bytes").open().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut receiver, _) = listener.accept().unwrap();
    let sending = std::thread::spawn(move || sender.write_all(&vec![1; BYTES]));
    receiver.read_exact(&mut vec![0; BYTES]).unwrap();
    sending.join().unwrap().unwrap();
    let report = counters.read().unwrap().clone();
    let whole = of_lo() - before;
    for event in ["net/lo/rx_bytes/", "net:::lo:tx:bytes"] {
        let value = number(&report, event);
        assert!(value >= BYTES as f64 && value <= whole, "{value} of {whole} bytes");
        assert_eq!(row(&report, event).notes, []);
    }
}

/// The last numbers of a command are those that it had at its end, when its files are gone.
#[test]
fn the_files_of_a_command_are_read_at_its_end() {
    let held = Held::fork(&["head", "-c", "1000000", "/dev/zero"], None).unwrap();
    let set = EventSet::new(Target::Command(held.pid()));
    let mut counters =
        set.event("io/rchar/,io/wchar/,task/run_time/,process/VmRSS/").open().unwrap();
    held.exec().unwrap().wait().unwrap();
    let report = counters.read().unwrap();
    let Value::Counted(_) = row(report, "io/rchar/").value else {
        println!("skipped: this kernel has no /proc/PID/io");
        return;
    };
    assert!((1e6..1.1e6).contains(&number(report, "io/rchar/")), "{report}");
    assert!((1e6..1.1e6).contains(&number(report, "io/wchar/")), "{report}");
    assert_eq!(row(report, "io/rchar/").notes, []);
}

/// 64 numbers of this machine, each file read once.
#[test]
fn many_sources_are_read_quickly() {
    let kernel = Host::local();
    let names: Vec<String> = list(&Machine::new(kernel))
        .into_iter()
        .filter(|of| ["vmstat", "net", "disk", "cputime"].contains(&of.group.as_str()))
        .map(|of| of.name)
        .take(64)
        .collect();
    let mut counters = EventSet::new(Target::AllCpus).event(names.join(",")).open().unwrap();
    let mut snapshot = counters.zero();
    let mut best = Duration::MAX;
    for _ in 0..50 {
        let begin = Instant::now();
        counters.read_into(&mut snapshot).unwrap();
        best = best.min(begin.elapsed());
    }
    println!("{} sources: {best:?}", names.len());
    assert!(best < Duration::from_millis(5), "{best:?}");
}

#[test]
fn energy_by_perf_and_by_powercap_agree() {
    let set =
        || EventSet::new(Target::AllCpus).event("power/energy-pkg/,powercap/package-0/energy/");
    let machine = Machine::new(Host::local());
    let has = |name: &str| {
        list(&machine)
            .iter()
            .any(|of| of.name == name && of.availability == Availability::Available)
    };
    if !(has("power/energy-pkg/") && has("powercap/package-0/energy/")) {
        println!("skipped: this machine does not have the energy of a package twice");
        return;
    }
    let mut counters = set().open().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let report = counters.read().unwrap();
    let (perf, powercap) =
        (number(report, "power/energy-pkg/"), number(report, "powercap/package-0/energy/"));
    assert!((perf / powercap - 1.0).abs() < 0.05, "{perf} J by perf, {powercap} J by powercap");
    assert!(!matches!(row(report, "power/energy-pkg/").value.reason(), Some(Reason::NeverRan)));
}
