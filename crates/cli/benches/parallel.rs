//! What counting and recording add to the CPU time of a parallel program, a stencil with OpenMP: regions around each sweep of each
//! thread beside PAPI's high-level ones, which the same program calls, `stat` beside `perf stat`, and a recording beside `perf record`.
//!
//! `cargo bench -p counterpoint-cli --bench parallel` measures interleaved rounds, and fails when a limit is exceeded: a share of the
//! program's CPU time above what the peer adds.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use cpu_time::cpu_time;
use row::{Limit, compared};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use turns::{in_turn, least};

#[path = "../../../xtask/bench/cpu_time.rs"]
mod cpu_time;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 24;
/// Rounds of which the least counts: what other programs do meanwhile takes more than what is measured.
const OF: usize = 3;
/// Percent of the CPU time of the program.
const MORE: Limit = Limit::More(1.0);
const EVENTS: &str = "task-clock,page-faults";
const RECORD: [&str; 5] = ["-e", "task-clock", "-F", "1000", "-o"];

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let Some(plain) = built("stencil", &[]) else { return ExitCode::SUCCESS };
    let within = [regions(&plain), by_programs(&plain)];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The regions of PAPI's high-level functions, counted here and by PAPI.
fn regions(plain: &Path) -> bool {
    let Some(program) = built("stencil-papi", &["-DWITH_REGIONS", "-lpapi"]) else { return true };
    let prefix = folder().join("parallel-prefix");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["xtask", "capi", "--install"]).arg(&prefix).arg("counterpoint_papi_hl");
    let installed = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let library = prefix.join("lib/libcounterpoint_papi_hl.so.0");
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || on_two_threads(&mut Command::new(plain)),
            &mut || on_two_threads(Command::new(&program).env("LD_PRELOAD", &library)),
            &mut || on_two_threads(&mut Command::new(&program)),
        ],
    );
    let name = "added by regions, 6000 visits";
    compared(name, "%", "PAPI's regions", &added(&rounds, 1, 2), MORE)
}

/// The whole program, counted and recorded, here and by perf.
fn by_programs(plain: &Path) -> bool {
    if Command::new("perf").arg("--version").output().is_err() {
        println!("skipped: perf: not installed (Debian: apt-get install linux-perf)");
        return true;
    }
    let ours = env!("CARGO_BIN_EXE_counterpoint");
    let [data, recording] = ["parallel.data", "parallel.perf"].map(|name| folder().join(name));
    let stat = |by: &str| {
        let mut stat = Command::new(by);
        stat.args(["stat", "-e", EVENTS, "--"]).arg(plain);
        on_two_threads(&mut stat)
    };
    let record = |by: &str, file: &Path| {
        let mut record = Command::new(by);
        record.arg("record").args(RECORD).arg(file).arg("--").arg(plain);
        on_two_threads(&mut record)
    };
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || on_two_threads(&mut Command::new(plain)),
            &mut || stat(ours),
            &mut || stat("perf"),
            &mut || record(ours, &recording),
            &mut || record("perf", &data),
        ],
    );
    [data, recording].iter().for_each(|file| _ = std::fs::remove_file(file));
    [
        compared("added by stat", "%", "perf stat", &added(&rounds, 1, 2), MORE),
        compared("added by record at 1 kHz", "%", "perf record", &added(&rounds, 3, 4), MORE),
    ]
    .iter()
    .all(|is_within| *is_within)
}

/// What two contenders add to the first, in percent of it.
fn added<const N: usize>(rounds: &[[f64; N]], ours: usize, peer: usize) -> Vec<(f64, f64)> {
    let percent = |seconds: f64, alone: f64| 100.0 * (seconds / alone - 1.0);
    let rounds = least(rounds, OF);
    rounds
        .iter()
        .map(|round| (percent(round[ours], round[0]), percent(round[peer], round[0])))
        .collect()
}

/// The seconds of CPU time of a command, with two threads that wait without spinning.
fn on_two_threads(command: &mut Command) -> f64 {
    command.env("OMP_NUM_THREADS", "2").env("OMP_WAIT_POLICY", "passive");
    command.env("PAPI_EVENTS", "perf::TASK-CLOCK,perf::PAGE-FAULTS");
    command.env("PAPI_OUTPUT_DIRECTORY", folder().join("parallel-reports"));
    cpu_time(command)
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The stencil; `None`, which is said, if it cannot be built.
fn built(name: &str, options: &[&str]) -> Option<PathBuf> {
    let program = folder().join(name);
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-fopenmp"]).arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/stencil.c"));
    match cc.args(options).arg("-o").arg(&program).output() {
        Ok(output) if output.status.success() => Some(program),
        _ => {
            println!(
                "skipped: {name}: needs a C compiler with OpenMP, and libpapi-dev for regions"
            );
            None
        }
    }
}
