//! The CPU time of reports of recordings of a million samples, beside perf's of the same files: metrics of functions from the counts of a group, accesses to data, and lines that threads share.
//!
//! `cargo bench -p counterpoint-cli --bench reports` measures interleaved rounds, and fails when a limit is passed.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use cpu_time::cpu_time;
use row::{Limit, alone, compared};
use samples::{
    ADDR, CPU, DATA_SRC, Drawn, IDENTIFIER, IP, PID, READ, TID, TIME, WEIGHT, code, event, pair,
    written,
};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use turns::{in_turn, pairs};

#[path = "../../../xtask/bench/cpu_time.rs"]
mod cpu_time;
#[path = "../../../xtask/bench/row.rs"]
mod row;
mod samples;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 5;
const SAMPLES: u64 = 1_000_000;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let (metrics, memory) = (counted(), accesses());
    let [metrics, memory] = [&metrics, &memory].map(|path| path.to_str().unwrap());
    let has_perf = Command::new("perf").arg("--version").output().is_ok();
    if !has_perf {
        println!("skipped: perf: not installed (Debian: apt-get install linux-perf)");
    }
    let cases: [(&str, &[&str], &[&str], Limit); 4] = [
        (
            "report -M ipc",
            &["report", "-M", "ipc", metrics],
            &["report", "--stdio", "--no-inline", "-i", metrics],
            Limit::Times(1.0),
        ),
        (
            "report --memory",
            &["report", "--memory", memory],
            &["mem", "report", "--stdio", "-i", memory],
            Limit::Times(0.5),
        ),
        (
            "report --memory",
            &["report", "--memory", memory],
            &["report", "--stdio", "--mem-mode", "--sort", "mem", "-i", memory],
            Limit::None,
        ),
        (
            "report --shared-lines",
            &["report", "--shared-lines", memory],
            &["c2c", "report", "--stdio", "--no-source", "-i", memory],
            Limit::Times(1.0),
        ),
    ];
    let mut within = true;
    for (name, ours, peer, limit) in cases {
        let name = format!("{name} of a million samples, CPU time");
        let mut own = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
            cpu_time(command.args(ours))
        };
        within &= if has_perf {
            let mut theirs = || cpu_time(Command::new("perf").args(peer));
            let rounds = in_turn(ROUNDS, [&mut own, &mut theirs]);
            let shown = format!("perf {}", peer[..peer.len() - 2].join(" "));
            compared(&name, "s", &shown, &pairs(&rounds, 0, 1), limit)
        } else {
            let rounds: Vec<f64> = (0..ROUNDS).map(|_| own()).collect();
            alone(&name, "s", &rounds, Limit::None)
        };
    }
    [metrics, memory].iter().for_each(|file| drop(std::fs::remove_file(file)));
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Samples of the code of this program by `cycles`, with the counts of `instructions`.
fn counted() -> PathBuf {
    let kinds = IDENTIFIER | IP | TID | TIME | CPU | READ;
    // The ids and the counts of a group, of which each thread has its own.
    let words =
        |code, period| [(8, code), (16, period), (24, kinds), (32, 1 << 2 | 1 << 3), (40, 1 << 1)];
    let events = [event("cycles", 1, &words(0, 100_000)), event("instructions", 2, &words(1, 0))];
    let code = code();
    let mut drawn = Drawn(7);
    let places: Vec<u64> = (0..1000)
        .map(|_| code.range.start + drawn.below(code.range.end - code.range.start))
        .collect();
    let mut counts = [[0; 2]; 3];
    let (mut place, mut number) = (places[0], 0);
    written("metrics.perf", &events, &code, SAMPLES, || {
        number += 1;
        let thread = drawn.below(3) as usize;
        if number % 10 == 0 {
            place = places[drawn.below(1000) as usize];
        }
        let [cycles, instructions] = &mut counts[thread];
        *cycles += 100_000;
        *instructions += 50_000 + drawn.below(100_000);
        let ids = [2, *cycles, 1, *instructions, 2];
        [&[1, place, pair(PID + thread as u32), 1000 + number, 0][..], &ids].concat()
    })
}

/// Loads and stores by three threads of 8192 lines, some of which they share.
fn accesses() -> PathBuf {
    let kinds = IDENTIFIER | IP | TID | TIME | ADDR | CPU | WEIGHT | DATA_SRC;
    let words = |code| [(0, 4), (8, code), (16, 100), (24, kinds)];
    let loads = event("cpu/mem-loads,ldlat=30/P", 1, &words(0x1cd));
    let events = [loads, event("cpu/mem-stores/P", 2, &words(0x82d0))];
    let code = code();
    let mut drawn = Drawn(7);
    let mut number = 0;
    written("memory.perf", &events, &code, SAMPLES, || {
        number += 1;
        let is_store = drawn.below(4) == 0;
        // Found in the L1 or L3 cache, or, of loads, in a line that another core had changed.
        let level = [0x8, 0x40][drawn.below(2) as usize] << 5 | 2 << 5 | 0x1a << 26;
        let snoop = if !is_store && drawn.below(8) == 0 { 0x10 << 19 } else { 2 << 19 };
        let (id, operation, weight) =
            if is_store { (2, 4, 0) } else { (1, 2 | snoop, 30 + drawn.below(900)) };
        let thread = drawn.below(3) as u32;
        let line = drawn.below(8192).min(drawn.below(8192));
        let address = 0x7f00_0000_0000 + 64 * line + 8 * u64::from(thread);
        let ip = code.range.start + 0x40 * drawn.below(1000);
        vec![id, ip, pair(PID + thread), 1000 + number, address, 0, weight, operation | level]
    })
}
