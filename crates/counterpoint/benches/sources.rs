//! 64 numbers that the kernel shows in files, in one read.
//!
//! `cargo bench -p counterpoint --bench sources` fails if it takes more than 0.3 ms.
//! The peer opens, reads and closes the same files, without looking at what is in them.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::listing::list;
use counterpoint::perf::Host;
use counterpoint::{EventSet, Machine, Target};
use row::{Limit, compared};
use std::hint::black_box;
use std::process::ExitCode;
use turns::{scaled, turns};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const NUMBERS: usize = 64;
const ROUNDS: usize = 30;
const CALLS: usize = 50;
/// In microseconds.
const READ: Limit = Limit::Most(300.0);

/// Components that every Linux has, with the files of each; so many numbers are of each.
const COMPONENTS: [(&str, &str); 4] = [
    ("memory", "/proc/meminfo"),
    ("vmstat", "/proc/vmstat"),
    ("net", "/proc/net/dev"),
    ("cputime", "/proc/stat"),
];

fn main() -> ExitCode {
    let listed = list(&Machine::new(Host::local()));
    let mut names: Vec<&str> = Vec::new();
    for (component, _) in COMPONENTS {
        let own = listed.iter().filter(|of| of.group == component);
        names.extend(own.take(NUMBERS / COMPONENTS.len()).map(|of| of.name.as_str()));
    }
    assert_eq!(names.len(), NUMBERS, "{names:?}");
    let mut counters = EventSet::new(Target::AllCpus).event(names.join(",")).open().unwrap();
    let mut snapshot = counters.zero();
    let ours = || counters.read_into(&mut snapshot).unwrap();
    let peer = || {
        for (_, file) in COMPONENTS {
            black_box(std::fs::read(file).unwrap());
        }
    };
    let rounds = scaled(&turns(ROUNDS, CALLS, ours, peer), 1e-3);
    let name = format!("{NUMBERS} numbers of {} files", COMPONENTS.len());
    let ok = compared(&name, "µs", "read as text", &rounds, READ);
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
