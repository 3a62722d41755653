//! The cost of call stacks beside perf, at 10 kHz over a recursion, as CPU time: `counterpoint profile` and `perf record` beyond that of the command alone, and `counterpoint report` and `perf report` for the file of `perf record`.
//!
//! A profile includes unwinding and naming; `perf record` and a recording do both later.
//! `cargo bench -p counterpoint-cli --bench stacks` measures interleaved rounds, and fails when a limit is exceeded: the cost of perf, and 1.1 times that for copies of the stack.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use cpu_time::cpu_time;
use row::{Limit, compared};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use turns::{in_turn, pairs};

#[path = "../../../xtask/bench/cpu_time.rs"]
mod cpu_time;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

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
    let [data, recording, folded] =
        ["stacks.perf", "stacks.recording", "stacks.folded"].map(|name| folder.join(name));
    let mut within = true;
    for (graph, most) in CASES {
        let options = ["-e", "cpu-clock:u", "-F", FREQUENCY, "--call-graph", graph, "-o"];
        let profile = |format: &str, file: &Path| {
            let mut profile = counterpoint();
            profile.args(["profile", "--format", format]);
            sampled(&mut profile, &options, file)
        };
        let rounds = in_turn(
            ROUNDS,
            [
                &mut || cpu_time(Command::new(std::env::current_exe().unwrap()).arg(WORK)),
                &mut || profile("folded", &folded),
                &mut || profile("perf", &recording),
                &mut || sampled(Command::new("perf").arg("record"), &options, &data),
            ],
        );
        let slower = |which: usize| {
            let percent = |seconds: f64, alone: f64| 100.0 * (seconds / alone - 1.0);
            let pair =
                |round: &[f64; 4]| (percent(round[which], round[0]), percent(round[3], round[0]));
            rounds.iter().map(pair).collect::<Vec<_>>()
        };
        let limit = Limit::Times(most);
        let name = format!("slow-down by --call-graph {graph} at 10 kHz");
        within &= compared(&name, "%", "perf record", &slower(1), limit);
        let name = format!("slow-down by a recording with {graph} at 10 kHz");
        within &= compared(&name, "%", "perf record", &slower(2), limit);
        let reports = in_turn(
            ROUNDS,
            [&mut || 1e3 * cpu_time(counterpoint().arg("report").arg(&data)), &mut || {
                let mut report = Command::new("perf");
                1e3 * cpu_time(report.args(["report", "--stdio", "-i"]).arg(&data))
            }],
        );
        let megabytes = data.metadata().unwrap().len() >> 20;
        let name = format!("report of {megabytes} MB with {graph}");
        // For a small file, the time is that of the debug information, which tells lines; perf shows none.
        let limit = if megabytes < 100 { Limit::None } else { Limit::Times(1.0) };
        within &= compared(&name, "ms", "perf report", &pairs(&reports, 0, 1), limit);
    }
    for file in [data, recording, folded] {
        let _ = std::fs::remove_file(file);
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn counterpoint() -> Command {
    Command::new(env!("CARGO_BIN_EXE_counterpoint"))
}

/// The seconds of CPU time of the work under a profiler.
fn sampled(profiler: &mut Command, options: &[&str], file: &Path) -> f64 {
    let work = std::env::current_exe().unwrap();
    cpu_time(profiler.args(options).arg(file).arg("--").arg(work).arg(WORK))
}

#[inline(never)]
fn descend(depth: u32) -> u64 {
    if depth > 0 {
        return black_box(descend(black_box(depth - 1))) + 1;
    }
    (0..STEPS).fold(1, |sum: u64, i| black_box(sum.wrapping_mul(31)) ^ i)
}
