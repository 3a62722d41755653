//! The whole process of `counterpoint stat -e task-clock true` beside `perf stat` and beside the least C program that does it.
//!
//! `cargo bench -p counterpoint-cli --bench program` prints the fastest of interleaved rounds, and fails when a limit is passed.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use row::{Limit, row};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

#[path = "../../../xtask/bench/row.rs"]
mod row;

const ROUNDS: usize = 200;
const OF_PERF: f64 = 1.0 / 6.0;
const OF_MINIMAL: f64 = 1.5;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let stat = ["stat", "-e", "task-clock", "true"];
    let mut ours = Case::new(&installed().to_string_lossy(), &stat);
    let mut peers = vec![("the command alone", Case::new("true", &[]), Limit::None)];
    match minimal() {
        Ok(path) => peers.push((
            "minimal C",
            Case::new(&path.to_string_lossy(), &["true"]),
            Limit::Times(OF_MINIMAL),
        )),
        Err(reason) => println!("skipped: minimal C: {reason}"),
    }
    match Command::new("perf").arg("--version").output() {
        Ok(_) => peers.push(("perf stat", Case::new("perf", &stat), Limit::Times(OF_PERF))),
        Err(_) => {
            println!("skipped: perf stat: not installed (Debian: apt-get install linux-perf)")
        }
    }
    let mut cases: Vec<&mut Case> = peers.iter_mut().map(|(_, peer, _)| peer).collect();
    cases.push(&mut ours);
    for _ in 0..ROUNDS {
        // Case by case within a round, so that all see the same machine; forth and back, because who always comes after `perf` finds the caches full of it.
        cases.iter_mut().for_each(|case| case.time());
        cases.reverse();
    }
    let within: Vec<bool> = peers
        .iter()
        .map(|(name, peer, limit)| {
            row("stat -e task-clock true", "µs", ours.fastest, Some((name, peer.fastest)), *limit)
        })
        .collect();
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A command, and the microseconds of its fastest run.
struct Case {
    command: Command,
    fastest: f64,
}

impl Case {
    fn new(program: &str, args: &[&str]) -> Case {
        let mut command = Command::new(program);
        command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
        Case { command, fastest: f64::INFINITY }
    }

    fn time(&mut self) {
        let begun = Instant::now();
        let status = self.command.status().unwrap();
        self.fastest = self.fastest.min(begun.elapsed().as_secs_f64() * 1e6);
        assert!(status.success(), "{:?}", self.command);
    }
}

/// The program, copied as an installation does: as the linker leaves it, its pages lie one by one in memory, and a start takes a tenth longer.
fn installed() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counterpoint");
    std::fs::copy(env!("CARGO_BIN_EXE_counterpoint"), &program).unwrap();
    program
}

fn minimal() -> Result<PathBuf, String> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("minimal_stat");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/minimal_stat.c");
    match Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(source).status() {
        Ok(status) if status.success() => Ok(program),
        Ok(_) => Err("cc failed".to_string()),
        Err(error) => Err(format!("cc: {error}")),
    }
}
