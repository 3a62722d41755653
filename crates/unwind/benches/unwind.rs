//! The time to find a caller by unwind information that is in the caches, over samples of a recursion of this program.
//!
//! `cargo bench -p counterpoint-unwind --bench unwind` prints the best round, and fails if a frame takes more than a microsecond.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use recursion::{samples, unwind, unwinder};
use row::{Limit, row};
use std::process::ExitCode;
use std::time::Instant;

#[path = "../tests/it/recursion.rs"]
mod recursion;
#[path = "../../../xtask/bench/row.rs"]
mod row;

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
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (begun, mut frames) = (Instant::now(), 0_u32);
        for sample in &taken {
            // A sample of a place that cannot be unwound has frames until there.
            let _ = unwind(&mut unwinder, sample, |_| frames += 1);
        }
        assert!(frames > DEPTH * taken.len() as u32 / 2, "the recursion was not unwound");
        best = best.min(begun.elapsed().as_secs_f64() * 1e9 / f64::from(frames));
    }
    match row("a frame unwound, in the caches", "ns", best, None, Limit::Most(LIMIT)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
