//! What an item costs when there are ten times as many: events, definitions, threads, cgroups, ranks and samples.
//!
//! `cargo bench -p counterpoint-cli --bench growth` measures the CPU time of a command for each number of items in turn with that for a tenth of them, and prints both per item.
//! It fails when an item costs more than half as much again: what is linear costs as much or, because a start is shared by more items, less.
//! The recording of 100 million samples takes 5 GB of disk; a row whose file would leave less than a gigabyte free is skipped.

#![allow(
    clippy::exit,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark is a program of its own"
)]

#[path = "../samples/mod.rs"]
mod samples;
mod subjects;
#[path = "../../../../xtask/bench/turns.rs"]
mod turns;

use cpu_time::cpu_time;
use row::{Limit, alone, compared};
use std::process::ExitCode;
use subjects::{Case, CleanUp, Subject, subjects};
use turns::{in_turn, pairs};

#[path = "../../../../xtask/bench/cpu_time.rs"]
mod cpu_time;
#[path = "../../../../xtask/bench/row.rs"]
mod row;

const ROUNDS: usize = 5;
/// More items than these are measured once.
const MOST: usize = 1_000_000;
const ROUNDS_OF_MOST: usize = 1;
/// An item may cost half as much again.
const GROWTH: Limit = Limit::Times(1.5);

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("--threads") => subjects::wait_in_threads(),
        Some("--bench") => return measure(),
        _ => println!("skipped: run it with cargo bench"),
    }
    ExitCode::SUCCESS
}

fn measure() -> ExitCode {
    // Also if one of the commands fails.
    let _clean_up = CleanUp;
    let within: Vec<bool> = subjects().iter().map(rows).collect();
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A row for each number of items, beside the number before it.
fn rows(subject: &Subject) -> bool {
    let mut before: Option<(usize, Case)> = None;
    let mut within = true;
    for items in subject.sizes {
        let mut case = match (subject.case)(*items) {
            Ok(case) => case,
            Err(reason) => {
                println!("skipped: {items} {}: {reason}", subject.items);
                return within;
            }
        };
        let each = |items: usize, case: &mut Case| 1e6 * cpu_time(&mut case.command) / items as f64;
        let rounds = if *items > MOST { ROUNDS_OF_MOST } else { ROUNDS };
        let name = format!("{}, {items} {}, CPU time of each", subject.what, subject.items);
        within &= match &mut before {
            None => {
                let rounds: Vec<f64> = (0..rounds).map(|_| each(*items, &mut case)).collect();
                alone(&name, "µs", &rounds, Limit::None)
            }
            Some((fewer, of_fewer)) => {
                let rounds = in_turn(
                    rounds,
                    [&mut || each(*items, &mut case), &mut || each(*fewer, of_fewer)],
                );
                compared(&name, "µs", &format!("of {fewer}"), &pairs(&rounds, 0, 1), GROWTH)
            }
        };
        before = Some((*items, case));
    }
    within
}
