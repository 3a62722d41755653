//! The cost of a scrape beside the reads of its counters: 64 CPUs, 20 events on each; and alone: 256 CPUs, 50 events on each.
//!
//! `cargo bench -p counterpoint-exporter --bench scrape` measures paired rounds, and fails when a limit is passed: a number of times what the reads take.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::Host;
use counterpoint::{EventSet, Target};
use counterpoint_exporter::{Config, ConfigError, Exporter, Format};
use counterpoint_fixtures::FakeKernel;
use row::{Limit, alone, compared};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use turns::{scaled, turns};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const CPUS: u32 = 64;
const EVENTS: u32 = 20;
/// Those of a large machine, whose counters are as many open files as most systems let a program have.
const MOST_CPUS: u32 = 256;
const MOST_EVENTS: u32 = 50;
/// Milliseconds.
const MOST: Limit = Limit::Most(10.0);
const ROUNDS: usize = 101;
const LIMIT: f64 = 1.4;

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
        large(),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The scrape of a large machine.
fn large() -> bool {
    let kernel = machine(MOST_CPUS);
    let mut exporter = match exporter(&kernel, MOST_EVENTS) {
        Ok(exporter) => exporter,
        Err(error) => {
            println!("skipped: the scrape of a large machine: {error}");
            return true;
        }
    };
    let rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            exporter.read();
            black_box(exporter.text(Format::OpenMetrics).len());
            let elapsed = begun.elapsed();
            kernel.forget_calls();
            1e3 * elapsed.as_secs_f64()
        })
        .collect();
    alone("scrape, 256 CPUs x 50 events", "ms", &rounds, MOST)
}

/// Raw events, which lead groups of their own: the largest number of reads.
fn events(count: u32) -> Vec<String> {
    (1..=count).map(|code| format!("r{code:x}:D")).collect()
}

fn exporter(kernel: &FakeKernel, count: u32) -> Result<Exporter, ConfigError> {
    let names: Vec<String> = events(count).iter().map(|event| format!("{event:?}")).collect();
    let config = format!("[[count]]\ncpus = 'all'\nevents = [{}]\n", names.join(", "));
    Exporter::new(&Config::read(&config)?, |target| {
        Ok::<_, ConfigError>(EventSet::on(Host::with_kernel(kernel.clone()), target))
    })
}

fn scrape(what: &str, work: impl Fn(&mut Exporter) -> usize) -> bool {
    let kernel = machine(CPUS);
    let mut exporter = exporter(&kernel, EVENTS).unwrap();
    let alone = machine(CPUS);
    let set = EventSet::on(Host::with_kernel(alone.clone()), Target::AllCpus);
    let mut counters = set.event(events(EVENTS).join(",")).open_all().unwrap();
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
fn machine(cpus: u32) -> FakeKernel {
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
