//! The CPU time of reports of recordings of a million samples, beside perf's of the same files: metrics of functions from the counts of a group, accesses to data, and lines that threads share.
//!
//! `cargo bench -p counterpoint-cli --bench reports` measures interleaved rounds, and fails when a limit is passed.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::{Host, Map};
use counterpoint_recording::file::{Contents, Event, Facts, MemoryNode, Writer, comm, mmap};
use cpu_time::cpu_time;
use row::{Limit, alone, compared};
use std::fs::File;
use std::io::BufWriter;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use turns::{in_turn, pairs};

#[path = "../../../xtask/bench/cpu_time.rs"]
mod cpu_time;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 5;
const SAMPLES: u64 = 1_000_000;

const IP: u64 = 1 << 0;
const TID: u64 = 1 << 1;
const TIME: u64 = 1 << 2;
const ADDR: u64 = 1 << 3;
const READ: u64 = 1 << 4;
const CPU: u64 = 1 << 7;
const WEIGHT: u64 = 1 << 14;
const DATA_SRC: u64 = 1 << 15;
const IDENTIFIER: u64 = 1 << 16;
/// The thread, the time, the CPU and the event, behind all records but samples.
const TRAILER: usize = 4 * 8;
const PID: u32 = 70;

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

/// Numbers below others, always the same.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
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
    written("metrics.perf", &events, &code, || {
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
    written("memory.perf", &events, &code, || {
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

/// The code of this program.
fn code() -> Map {
    let program = std::env::current_exe().unwrap();
    let maps = Host::local().maps(None).unwrap();
    let mut code = maps.iter().filter(|map| map.execute);
    code.find(|map| map.path.as_deref() == Some(&*program)).unwrap().clone()
}

fn pair(tid: u32) -> u64 {
    u64::from(PID) | u64::from(tid) << 32
}

/// An event with these words of its attribute, each at its offset.
fn event(name: &str, id: u64, words: &[(usize, u64)]) -> Event {
    let mut attr = vec![0; 112];
    attr[4] = 112;
    // All records have a trailer.
    attr[42] = 1 << 2;
    for (offset, word) in words {
        for (to, byte) in attr[*offset..].iter_mut().zip(word.to_ne_bytes()) {
            *to |= byte;
        }
    }
    Event { name: name.into(), attr, ids: vec![id] }
}

/// A recording of the samples whose words `next` returns.
fn written(
    name: &str,
    events: &[Event],
    code: &Map,
    mut next: impl FnMut() -> Vec<u64>,
) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = BufWriter::new(File::create(&path).unwrap());
    let mut writer = Writer::begin(file, events).unwrap();
    let file = code.path.as_deref().unwrap().as_os_str().as_bytes();
    for mut first in [
        comm(PID, PID, b"solve", TRAILER),
        mmap(Contents::Code(PID), code.range.clone(), code.offset, file, TRAILER),
    ] {
        let start = first.len() - TRAILER;
        first[start..].copy_from_slice(&[pair(PID), 1, 0, 1].map(u64::to_ne_bytes).concat());
        writer.records(&first).unwrap();
    }
    for _ in 0..SAMPLES {
        let words = next();
        // A sample of user code, with its size.
        let head = 9 | 2 << 32 | (8 + 8 * words.len() as u64) << 48;
        let bytes: Vec<u8> =
            std::iter::once(head).chain(words).flat_map(u64::to_ne_bytes).collect();
        writer.records(&bytes).unwrap();
    }
    let node = MemoryNode { number: 0, kib: (1 << 20, 1 << 19), cpus: "0-1".to_string() };
    let facts = Facts { cpus: Some((2, 2)), nodes: vec![node], ..Facts::default() };
    writer.finish(&facts).unwrap();
    path
}
