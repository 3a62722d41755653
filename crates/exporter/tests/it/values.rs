//! Values of scripted kernels: estimates, sums that only grow, limits.

use crate::open_metrics::samples;
use crate::server::value;
use counterpoint::EventSet;
use counterpoint::perf::{Errno, Host, pmu_type};
use counterpoint_exporter::{Config, ConfigError, Exporter, Format};
use counterpoint_fixtures::{FakeKernel, Holds};
use std::time::Duration;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A machine with this many CPUs, half of them in each of two sockets.
pub(crate) fn machine(cpus: u32) -> FakeKernel {
    let mut kernel = FakeKernel::new()
        .file("/sys/devices/system/cpu/online", format!("0-{}\n", cpus - 1))
        .file("/sys/bus/event_source/devices/cpu/type", "4\n")
        .file("/sys/bus/event_source/devices/cpu/format/event", "config:0-7\n");
    for cpu in 0..cpus {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        kernel = kernel
            .file(format!("{topology}/core_id"), format!("{cpu}\n"))
            .file(format!("{topology}/physical_package_id"), format!("{}\n", 2 * cpu / cpus));
    }
    kernel
}

pub(crate) fn exporter(kernel: &FakeKernel, config: &str) -> Exporter {
    let config = Config::read(config).unwrap();
    Exporter::new(&config, |target| {
        Ok::<_, ConfigError>(EventSet::on(Host::with_kernel(kernel.clone()), target))
    })
    .unwrap()
}

fn scrape(exporter: &mut Exporter) -> Vec<(String, f64)> {
    exporter.read();
    samples(&exporter.text(Format::OpenMetrics))
}

const CPUS: &str = "[[count]]\ncpus = 'all'\n";

#[test]
fn a_series_has_its_cpu_and_socket_and_base_units() {
    let kernel = machine(4).counts(|opening, time| match opening.attr.kind {
        pmu_type::SOFTWARE => time.as_nanos() as u64,
        _ => 1000,
    });
    let config = format!("{CPUS}events = ['cycles', 'cpu-clock', 'cpu/event=0x3c/']\n");
    let mut exporter = exporter(&kernel, &config);
    kernel.run(ms(1500));
    let samples = scrape(&mut exporter);
    let of = |name: &str| value(&samples, name);
    assert_eq!(of("counterpoint_cycles_total{cpu=\"3\",socket=\"1\"}"), Some(1000.0));
    assert_eq!(of("counterpoint_cpu_clock_seconds_total{cpu=\"0\",socket=\"0\"}"), Some(1.5));
    let terms = "counterpoint_event_0x3c_total{event=\"cpu/event=0x3c/\",pmu=\"cpu\",cpu=\"1\",socket=\"0\"}";
    assert_eq!(of(terms), Some(1000.0));
    assert_eq!(of("counterpoint_target_counted{cpus=\"all\"}"), Some(1.0));
}

#[test]
fn an_estimate_has_its_coverage_and_never_shrinks() {
    let kernel = machine(1);
    let mut exporter = exporter(&kernel, &format!("{CPUS}events = ['cycles']\n"));
    let holds = |value, enabled, running| {
        kernel.set(0, Holds { value, enabled: ms(enabled), running: ms(running), lost: 0 });
    };
    let cycles = "counterpoint_cycles_total{cpu=\"0\"";
    let coverage = "counterpoint_event_coverage_ratio{event=\"cycles\"";
    holds(100, 10, 5);
    let samples = scrape(&mut exporter);
    assert_eq!((value(&samples, cycles), value(&samples, coverage)), (Some(200.0), Some(0.5)));
    // Over the whole time it would be 133.
    holds(100, 20, 15);
    let samples = scrape(&mut exporter);
    assert_eq!((value(&samples, cycles), value(&samples, coverage)), (Some(200.0), Some(0.75)));
    // In the next interval it has no counter, and that time is estimated from the one after it.
    holds(100, 30, 15);
    let samples = scrape(&mut exporter);
    assert_eq!((value(&samples, cycles), value(&samples, coverage)), (Some(200.0), Some(0.5)));
    holds(140, 40, 25);
    let samples = scrape(&mut exporter);
    assert_eq!((value(&samples, cycles), value(&samples, coverage)), (Some(280.0), Some(0.625)));
}

#[test]
fn an_event_that_has_no_counter_or_is_refused_is_absent_with_its_reason() {
    let kernel =
        machine(2).refuse_with(Errno::ENOENT, |opening| opening.attr.config == 5).free_counters(0);
    let config = format!("{CPUS}events = ['cycles', 'branch-misses']\n");
    let mut exporter = exporter(&kernel, &config);
    kernel.run(ms(1));
    let samples = scrape(&mut exporter);
    assert!(samples.iter().all(|(name, _)| !name.contains("_total")), "{samples:?}");
    let status = |event: &str, words: &str| {
        let begins = format!("counterpoint_event_status{{event=\"{event}\"");
        let of_event: Vec<_> = samples.iter().filter(|(n, _)| n.starts_with(&begins)).collect();
        assert!(!of_event.is_empty(), "{event}: {samples:?}");
        for (name, value) in of_event {
            assert!(name.contains(words) && *value == 1.0, "{name}");
        }
    };
    status("cycles", "status=\"not-counted\",reason=\"no-counter\"");
    status("branch-misses", "status=\"not-supported\",reason=\"unsupported\"");
    assert_eq!(value(&samples, "counterpoint_target_counted{cpus=\"all\"}"), Some(0.0));
    let problems = exporter.problems();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].starts_with("branch-misses of all CPUs cannot be counted: "),
        "{problems:?}"
    );
    assert!(exporter.page().contains("not-counted, because no counter was free for it"));
}

/// Where the controller of performance events is not mounted, no cgroup is counted, and that has its reason.
#[test]
fn a_cgroup_without_its_controller_is_not_counted_and_says_how_to_mount_it() {
    let kernel = machine(1)
        .file("/proc/self/mounts", "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n")
        .file("/proc/cgroups", "#subsys_name\thierarchy\nperf_event\t9\t1\t1\n")
        .file("/sys/fs/cgroup/unified/web/cgroup.procs", "");
    let config = "[[count]]\ncgroups = ['web']\nevents = ['cycles']\n";
    let mut exporter = exporter(&kernel, config);
    let samples = scrape(&mut exporter);
    assert_eq!(value(&samples, "counterpoint_target_counted{cgroup=\"web\"}"), Some(0.0));
    assert!(!exporter.is_counting());
    let page = exporter.page();
    assert!(page.contains("the controller perf_event is a hierarchy of version 1"), "{page}");
    assert!(page.contains("mount -t cgroup -o perf_event"), "{page}");
}

#[test]
fn a_ratio_is_that_of_the_last_interval() {
    let kernel = machine(1);
    let config = format!("{CPUS}events = ['cycles']\nmetrics = ['ipc']\n");
    let mut exporter = exporter(&kernel, &config);
    let ipc = "counterpoint_ipc_instructions_per_cycle{cpu=\"0\"";
    let set = |cycles, instructions| {
        for (event, opening) in kernel.opened().iter().enumerate() {
            let value = if opening.attr.config == 1 { instructions } else { cycles };
            let time = ms(cycles);
            kernel.set(event, Holds { value, enabled: time, running: time, lost: 0 });
        }
    };
    set(100, 300);
    assert_eq!(value(&scrape(&mut exporter), ipc), None, "no interval is over");
    exporter.end_interval();
    set(200, 350);
    assert_eq!(value(&scrape(&mut exporter), ipc), Some(3.0));
    exporter.end_interval();
    assert_eq!(value(&scrape(&mut exporter), ipc), Some(0.5));
}

#[test]
fn series_beyond_the_limit_are_counted_and_said() {
    let kernel = machine(4);
    let config = format!("series = 6\n{CPUS}events = ['cycles', 'instructions']\n");
    let mut exporter = exporter(&kernel, &config);
    kernel.run(ms(1));
    let samples = scrape(&mut exporter);
    let values = samples.iter().filter(|(name, _)| name.contains("_total")).count();
    assert_eq!((values, value(&samples, "counterpoint_series_left_out")), (6, Some(2.0)));
    assert!(exporter.page().contains("2 series are left out"), "{}", exporter.page());
    assert!(exporter.problems()[0].contains("2 series are left out"));
}

#[test]
fn a_counter_that_cannot_be_read_is_opened_again_and_goes_on() {
    let kernel = machine(1);
    let mut exporter = exporter(&kernel, &format!("{CPUS}events = ['page-faults']\n"));
    let faults = "counterpoint_page_faults_total{cpu=\"0\"";
    kernel.run(ms(1));
    assert_eq!(value(&scrape(&mut exporter), faults), Some(1e6));
    kernel.fail_reads(Errno::EIO);
    exporter.read();
    kernel.fail_reads(None);
    exporter.end_interval();
    let news = exporter.news();
    assert!(news[0].starts_with("all CPUs is no longer counted: "), "{news:?}");
    kernel.run(ms(1));
    assert_eq!(value(&scrape(&mut exporter), faults), Some(2e6), "the sum goes on");
    assert_eq!(kernel.still_open(), 1);
}

#[test]
fn ten_thousand_scrapes_need_no_more_memory_than_a_thousand() {
    let kernel = machine(4);
    let config = format!("{CPUS}events = ['cycles', 'page-faults']\nmetrics = ['ipc']\n");
    let mut exporter = exporter(&kernel, &config);
    let mut scrapes = |number: usize| {
        for _ in 0..number {
            kernel.run(ms(1));
            exporter.end_interval();
            assert!(exporter.text(Format::OpenMetrics).len() > 500);
            // The script remembers each call.
            kernel.forget_calls();
        }
        crate::allocations::held()
    };
    let after_a_thousand = scrapes(1000);
    let after_all = scrapes(9000);
    assert!((after_all - after_a_thousand).abs() < 10_000, "{after_a_thousand}, then {after_all}");
}

#[test]
fn a_target_of_two_tables_is_said_once() {
    let kernel = machine(2);
    let two = format!("{CPUS}events = ['cycles']\n{CPUS}events = ['instructions']\n");
    let mut exporter = exporter(&kernel, &two);
    let samples = scrape(&mut exporter);
    assert_eq!(value(&samples, "counterpoint_target_counted"), Some(1.0));
}

/// An interface that is removed.
#[test]
fn what_is_gone_has_no_value_and_is_counted_on_when_it_comes_back() {
    let dev = |rows: &str| format!("Inter-|\n face |bytes packets\n{rows}");
    let kernel = machine(1).file("/proc/net/dev", dev("lo: 1 0\nnic: 100 0\n"));
    let config = format!("{CPUS}events = ['net/nic/rx_bytes/', 'net/lo/rx_bytes/']\n");
    let mut exporter = exporter(&kernel, &config);
    let mut of = |rows: &str| {
        _ = kernel.clone().file("/proc/net/dev", dev(rows));
        let samples = scrape(&mut exporter);
        let starts = |name: &str| {
            samples.iter().find(|(series, _)| series.starts_with(name)).map(|(_, value)| *value)
        };
        let names = ["counterpoint_net_nic_rx_bytes_total", "counterpoint_net_lo_rx_bytes_total"];
        let status = "counterpoint_event_status{event=\"net/nic/rx_bytes/\"";
        (names.map(starts), starts(status).is_some())
    };
    assert_eq!(of("lo: 3 0\nnic: 130 0\n"), ([Some(30.0), Some(2.0)], false));
    assert_eq!(of("lo: 4 0\n").0[1], Some(3.0));
    assert_eq!(of("lo: 5 0\n"), ([None, Some(4.0)], true));
    of("lo: 5 0\nnic: 10 0\n");
    let ([nic, _], is_missing) = of("lo: 5 0\nnic: 15 0\n");
    assert!(nic.is_some_and(|nic| nic >= 35.0) && !is_missing, "{nic:?}");
}
