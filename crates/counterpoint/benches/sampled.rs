//! The cost of a sampled page fault through the facade, whose thread reads the ring and counts the addresses, beside a bare ring.
//!
//! `cargo bench -p counterpoint --bench sampled` takes the processor time of all threads, and fails when ours adds more than 1.2 times what the bare ring adds to a fault that is only counted.

#![allow(unsafe_code, reason = "the yardstick is the bare ring")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::Every;
use counterpoint::perf::process::process_time;
use counterpoint::profile::{Profile, Profiling};
use counterpoint::{EventSet, Target};
use faults::{Bare, HALF, Memory};
use row::{Limit, alone, compared};
use std::process::ExitCode;
use std::time::Duration;
use turns::{in_turn, least};

#[path = "../../../xtask/bench/faults.rs"]
mod faults;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 200;
/// The number of times that a round touches its pages, so that starting and stopping the thread of the reader is little beside it.
const TOUCHES: usize = 16;
const PAGES: usize = HALF / 4;
const ADDED: Limit = Limit::Times(1.2);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let memory = Memory::new(PAGES);
    let mut counters = EventSet::new(Target::ThisThread)
        .inherit(false)
        .delayed(true)
        .event("page-faults:u")
        .open_all()
        .unwrap();
    let (mut profiling, mut bare) = (profiling(), Bare::new());
    let mut of_bare = 0;
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || {
                counters.start().unwrap();
                let ns = a_page(|| (0..TOUCHES).for_each(|_| memory.touch()));
                counters.stop().unwrap();
                ns
            },
            &mut || {
                a_page(|| {
                    profiling.start().unwrap();
                    (0..TOUCHES).for_each(|_| memory.touch());
                    profiling.pause().unwrap();
                })
            },
            &mut || {
                bare.switch(true);
                let ns = a_page(|| {
                    for _ in 0..TOUCHES {
                        memory.touch();
                        of_bare += bare.drain();
                    }
                });
                bare.switch(false);
                ns
            },
        ],
    );
    let expected = (ROUNDS * TOUCHES * PAGES) as u64;
    let samples = [profiling.samples(), of_bare];
    println!("{samples:?} samples of {expected} faults");
    assert!(samples.iter().all(|samples| *samples >= expected * 95 / 100), "{samples:?}");
    let rounds = least(&rounds, 10);
    let counted: Vec<f64> = rounds.iter().map(|[counted, ..]| *counted).collect();
    alone("a page fault that is counted, CPU time", "ns", &counted, Limit::None);
    let added = |[counted, ours, bare]: &[f64; 3]| (ours - counted, bare - counted);
    let added: Vec<(f64, f64)> = rounds.iter().map(added).collect();
    if compared("added by a profile, CPU time", "ns", "bare ring", &added, ADDED) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// A profile of every page fault of this thread, which has not begun.
fn profiling() -> Profiling {
    let mut set = EventSet::new(Target::ThisThread).delayed(true).event("page-faults:u");
    set.profile("page-faults:u", Profile::every(Every::Period(1))).unwrap();
    set.open_profiles().unwrap()
}

/// Nanoseconds of the processor a page.
fn a_page(touch: impl FnOnce()) -> f64 {
    let begun: Duration = process_time().unwrap();
    touch();
    (process_time().unwrap() - begun).as_nanos() as f64 / (TOUCHES * PAGES) as f64
}
