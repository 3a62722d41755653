//! The time to find a caller by unwind information that is in the caches, over samples of a recursion of this program.
//!
//! `cargo bench -p counterpoint-unwind --bench unwind` measures many rounds, and fails if a frame takes more than a microsecond.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use recursion::{samples, unwind, unwinder};
use row::{Limit, alone};
use std::process::ExitCode;
use turns::once;

#[path = "../tests/it/recursion.rs"]
mod recursion;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const DEPTH: u32 = 60;
const ROUNDS: usize = 50;
const LIMIT: f64 = 1000.0;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    if !counterpoint_unwind::IS_SUPPORTED {
        println!("skipped: needs x86-64 or arm64");
        return ExitCode::SUCCESS;
    }
    let taken = match samples(DEPTH) {
        Ok(taken) => taken,
        Err(reason) => {
            println!("skipped: {reason}");
            return ExitCode::SUCCESS;
        }
    };
    let mut unwinder = unwinder();
    let round = |_| {
        let mut frames = 0_u32;
        let ns = once(|| {
            for sample in &taken {
                // A sample of a place that cannot be unwound has frames until there.
                let _ = unwind(&mut unwinder, sample, |_| frames += 1);
            }
        });
        assert!(frames > DEPTH * taken.len() as u32 / 2, "the recursion was not unwound");
        ns / f64::from(frames)
    };
    let rounds: Vec<f64> = (0..ROUNDS).map(round).collect();
    if alone("a frame unwound, in the caches", "ns", &rounds, Limit::Most(LIMIT)) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
