//! The cost of a scrape beside the reads of its counters: 64 CPUs, 20 events on each; and that of as many counters as 256 CPUs with 50 events have, on this kernel.
//!
//! `cargo bench -p counterpoint-exporter --bench scrape` measures paired rounds, and fails when a limit is passed: a number of times what the reads take.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::Host;
use counterpoint::{EventSet, Target};
use counterpoint_exporter::{Config, ConfigError, Exporter, Format};
use counterpoint_fixtures::FakeKernel;
use nix::sys::resource::{Resource, getrlimit};
use row::{Limit, alone, compared};
use std::hint::black_box;
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};
use turns::{scaled, turns};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const CPUS: u32 = 64;
const EVENTS: u32 = 20;
const ROUNDS: usize = 101;
const LIMIT: f64 = 1.4;
/// The counters of a large machine are as many files as most systems let a program open. Here, they are those of processes.
const PROCESSES: usize = 256;
const SOFTWARE: [&str; 10] = [
    "cpu-clock",
    "task-clock",
    "page-faults",
    "minor-faults",
    "major-faults",
    "context-switches",
    "cpu-migrations",
    "alignment-faults",
    "emulation-faults",
    "cgroup-switches",
];
/// Milliseconds.
const MOST: Limit = Limit::Most(10.0);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let within = [
        scrape("scrape, 64 CPUs x 20 events", |exporter| {
            exporter.read();
            exporter.text(Format::OpenMetrics).len()
        }),
        scrape("end of an interval, 64 CPUs x 20 events", |exporter| {
            exporter.end_interval();
            0
        }),
        many(),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The scrape of 12,800 counters.
fn many() -> bool {
    let sleep = || Command::new("sleep").arg("600").spawn();
    let processes = Processes((0..PROCESSES).map_while(|_| sleep().ok()).collect());
    let pids: Vec<String> = processes.0.iter().map(|child| child.id().to_string()).collect();
    let levels = ["", ":u", ":k", ":D", ":uD"];
    let events = levels.iter().flat_map(|levels| SOFTWARE.map(|name| format!("'{name}{levels}'")));
    let events: Vec<String> = events.collect();
    let counters = pids.len() * events.len();
    let config = format!(
        "series = {counters}\n[[count]]\nprocesses = [{}]\nevents = [{}]\n",
        pids.join(", "),
        events.join(", ")
    );
    let files = getrlimit(Resource::RLIMIT_NOFILE).map_or(0, |(_, hard)| hard);
    if files < counters as u64 + 100 || pids.len() < PROCESSES {
        println!(
            "skipped: a scrape of {counters} counters: this system lets a program open {files} files"
        );
        return true;
    }
    let opened = Exporter::new(&Config::read(&config).unwrap(), |target| {
        Ok::<_, ConfigError>(EventSet::new(target))
    });
    let mut exporter = opened.unwrap();
    let rounds = (0..ROUNDS).map(|_| {
        let begun = Instant::now();
        exporter.read();
        black_box(exporter.text(Format::OpenMetrics).len());
        1e3 * begun.elapsed().as_secs_f64()
    });
    let rounds: Vec<f64> = rounds.collect();
    alone("scrape, 256 processes x 50 events", "ms", &rounds, MOST)
}

/// Processes that are killed at the end.
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn scrape(what: &str, work: impl Fn(&mut Exporter) -> usize) -> bool {
    // Raw events, which lead groups of their own: the largest number of reads.
    let events: Vec<String> = (1..=EVENTS).map(|code| format!("r{code:x}:D")).collect();
    let names: Vec<String> = events.iter().map(|event| format!("{event:?}")).collect();
    let config = format!("[[count]]\ncpus = 'all'\nevents = [{}]\n", names.join(", "));
    let kernel = machine();
    let mut exporter = Exporter::new(&Config::read(&config).unwrap(), |target| {
        Ok::<_, ConfigError>(EventSet::on(Host::with_kernel(kernel.clone()), target))
    })
    .unwrap();
    let alone = machine();
    let set = EventSet::on(Host::with_kernel(alone.clone()), Target::AllCpus);
    let mut counters = set.event(events.join(",")).open_all().unwrap();
    assert_eq!(counters.open_count(), (CPUS * EVENTS) as usize);
    let mut snapshot = counters.zero();
    for kernel in [&kernel, &alone] {
        kernel.run(Duration::from_millis(10));
    }
    exporter.read();
    let text = exporter.text(Format::OpenMetrics);
    assert_eq!(text.matches("_total{").count(), counters.open_count());
    let rounds = turns(
        ROUNDS,
        1,
        || {
            black_box(work(&mut exporter));
            // The script remembers each call.
            kernel.forget_calls();
        },
        || {
            counters.read_into(black_box(&mut snapshot)).unwrap();
            alone.forget_calls();
        },
    );
    compared(what, "ms", "the reads", &scaled(&rounds, 1e-6), Limit::Times(LIMIT))
}

/// A machine with two sockets.
fn machine() -> FakeKernel {
    let mut kernel = FakeKernel::new()
        .file("/sys/devices/system/cpu/online", format!("0-{}\n", CPUS - 1))
        .file("/sys/bus/event_source/devices/cpu/type", "4\n")
        .file("/sys/bus/event_source/devices/cpu/format/event", "config:0-7\n");
    for cpu in 0..CPUS {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        kernel = kernel
            .file(format!("{topology}/core_id"), format!("{cpu}\n"))
            .file(format!("{topology}/physical_package_id"), format!("{}\n", 2 * cpu / CPUS));
    }
    kernel
}
