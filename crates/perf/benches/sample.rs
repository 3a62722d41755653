//! The cost that a sample adds to the event that it is of, and that of reading it, through a `Sampler` and through a bare loop over the same kind of ring.
//!
//! `cargo bench -p counterpoint-perf --bench sample` samples every page fault, subtracts what a fault costs that is only counted, and fails when ours adds more than 1.15 times what the bare loop adds.
//! Draining a ring that is half full may take 1.5 times as long as the bare loop.

#![allow(unsafe_code, reason = "the yardstick is the bare ring")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_perf::records::Record;
use counterpoint_perf::{
    Attr, Every, Fields, Group, Host, Placement, Sampler, Sampling, Setup, pmu_type,
};
use faults::{Bare, HALF, Memory, RING};
use row::{Limit, alone, compared};
use std::hint::black_box;
use std::process::ExitCode;
use turns::{in_turn, least, once, pairs};

#[path = "../../../xtask/bench/faults.rs"]
mod faults;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const FAULT_ROUNDS: usize = 5000;
const DRAIN_ROUNDS: usize = 200;
const ADDED: Limit = Limit::Times(1.15);
const DRAIN: Limit = Limit::Times(1.5);
const PAGE_FAULTS: u64 = 2;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    if added() & drained() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A fault that is sampled, beyond one that is counted.
fn added() -> bool {
    /// So few that a round is seldom interrupted.
    const PAGES: usize = 256;
    let memory = Memory::new(PAGES);
    let (mut counted, mut ours, mut bare) = (counted(), ours(), Bare::new());
    let mut samples = [0_u64; 2];
    let [of_ours, of_bare] = &mut samples;
    let a_page = |touch: &mut dyn FnMut()| once(touch) / PAGES as f64;
    let rounds = in_turn(
        FAULT_ROUNDS,
        [
            &mut || {
                counted.enable().unwrap();
                let ns = a_page(&mut || memory.touch());
                counted.disable().unwrap();
                ns
            },
            &mut || {
                ours.enable().unwrap();
                let ns = a_page(&mut || {
                    memory.touch();
                    *of_ours += drain(&mut ours);
                });
                ours.disable().unwrap();
                ns
            },
            &mut || {
                bare.switch(true);
                let ns = a_page(&mut || {
                    memory.touch();
                    *of_bare += bare.drain();
                });
                bare.switch(false);
                ns
            },
        ],
    );
    let expected = (FAULT_ROUNDS * PAGES) as u64;
    assert!(samples.iter().all(|samples| *samples >= expected), "{samples:?} of {expected}");
    let rounds = least(&rounds, 250);
    let counted: Vec<f64> = rounds.iter().map(|[counted, ..]| *counted).collect();
    alone("a page fault that is counted", "ns", &counted, Limit::None);
    let added = |[counted, ours, bare]: &[f64; 3]| (ours - counted, bare - counted);
    let added: Vec<(f64, f64)> = rounds.iter().map(added).collect();
    compared("added by a sampler", "ns", "bare ring", &added, ADDED)
}

/// Reading the samples of a ring that is half full.
fn drained() -> bool {
    let memory = Memory::new(HALF);
    let (mut ours, mut bare) = (ours(), Bare::new());
    let a_sample = |drain: &mut dyn FnMut() -> u64| {
        let mut samples = 0;
        let ns = once(|| samples = drain());
        assert!(samples >= HALF as u64, "{samples}");
        ns / samples as f64
    };
    let rounds = in_turn(
        DRAIN_ROUNDS,
        [
            &mut || {
                ours.enable().unwrap();
                memory.touch();
                ours.disable().unwrap();
                a_sample(&mut || drain(&mut ours))
            },
            &mut || {
                bare.switch(true);
                memory.touch();
                bare.switch(false);
                a_sample(&mut || bare.drain())
            },
        ],
    );
    compared("a sample drained from a ring", "ns", "bare loop", &pairs(&rounds, 0, 1), DRAIN)
}

fn faults() -> Attr {
    Attr { every: Every::Period(1), ..Attr::new(pmu_type::SOFTWARE, PAGE_FAULTS).user_only() }
}

fn counted() -> Group {
    let setup = Setup { disabled: true, ..Setup::default() };
    Host::local().open(&[faults()], Placement::ThisThread, setup).unwrap()
}

fn ours() -> Sampler {
    let setup = Setup { disabled: true, ..Setup::default() };
    let mut sampler = Host::local().sampler(Sampling::new(Fields::IP), setup).ring_bytes(RING);
    sampler.add(&[faults()], &Placement::ThisThread).unwrap();
    sampler
}

fn drain(sampler: &mut Sampler) -> u64 {
    let (mut samples, mut sum) = (0, 0_u64);
    sampler
        .drain(|record| {
            if let Record::Sample(sample) = record {
                samples += 1;
                sum = sum.wrapping_add(sample.ip.unwrap_or(0));
            }
        })
        .unwrap();
    black_box(sum);
    samples
}
