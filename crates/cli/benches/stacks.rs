//! What `counterpoint profile` with call stacks costs beside `perf record`, at 10 kHz over a recursion, as CPU time beyond that of the command alone.
//!
//! Ours includes unwinding and naming; perf does both in another command, which is not measured.
//! `cargo bench -p counterpoint-cli --bench stacks` prints the medians of interleaved rounds, and fails when a limit is exceeded: the cost of perf for frame pointers, and 1.1 times that for copies of the stack.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::process::children_times;
use row::{Limit, row};
use std::ffi::OsStr;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

#[path = "../../../xtask/bench/row.rs"]
mod row;

const ROUNDS: usize = 7;
const FREQUENCY: &str = "10000";
const DEPTH: u32 = 20;
/// Some two seconds.
const STEPS: u64 = 1_500_000_000;
/// The program that is measured is this one, with this argument.
const WORK: &str = "--work";
const CASES: [(&str, f64); 2] = [("fp", 1.0), ("dwarf", 1.1)];

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(WORK) => _ = black_box(descend(black_box(DEPTH))),
        Some("--bench") => return measure(),
        _ => println!("skipped: run it with cargo bench"),
    }
    ExitCode::SUCCESS
}

fn measure() -> ExitCode {
    if Command::new("perf").arg("--version").output().is_err() {
        println!("skipped: perf record: not installed (Debian: apt-get install linux-perf)");
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (data, folded) = (folder.join("stacks.perf"), folder.join("stacks.folded"));
    let mut within = true;
    for (graph, most) in CASES {
        let options = ["-e", "cpu-clock:u", "-F", FREQUENCY, "--call-graph", graph, "-o"];
        let (mut ours, mut peer) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let alone = time(Command::new(std::env::current_exe().unwrap()).arg(WORK));
            let mut profile = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
            profile.args(["profile", "--format", "folded"]);
            ours.push(100.0 * (sampled(&mut profile, &options, folded.as_ref()) / alone - 1.0));
            let mut record = Command::new("perf");
            peer.push(
                100.0 * (sampled(record.arg("record"), &options, data.as_ref()) / alone - 1.0),
            );
        }
        let name = format!("slow-down by --call-graph {graph} at 10 kHz");
        let record = Some(("perf record", median(peer)));
        within &= row(&name, "%", median(ours), record, Limit::Times(most));
    }
    let _ = std::fs::remove_file(data);
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The seconds of CPU time of the work under a profiler.
fn sampled(profiler: &mut Command, options: &[&str], file: &OsStr) -> f64 {
    let work = std::env::current_exe().unwrap();
    time(profiler.args(options).arg(file).arg("--").arg(work).arg(WORK))
}

fn time(command: &mut Command) -> f64 {
    let times = || {
        let (user, system) = children_times().unwrap();
        (user + system).as_secs_f64()
    };
    let before = times();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
    times() - before
}

#[inline(never)]
fn descend(depth: u32) -> u64 {
    if depth > 0 {
        return black_box(descend(black_box(depth - 1))) + 1;
    }
    (0..STEPS).fold(1, |sum: u64, i| black_box(sum.wrapping_mul(31)) ^ i)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
