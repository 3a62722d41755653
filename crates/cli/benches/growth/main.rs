//! What an item costs when there are ten times as many: events, definitions, threads, cgroups, ranks and samples.
//!
//! `cargo bench -p counterpoint-cli --bench growth` measures the CPU time of a command for each number of items, in interleaved rounds, and prints it per item beside that of a tenth of the items.
//! It fails when an item costs more than half as much again: what is linear costs as much or, because a start is shared by more items, less.
//! The recording of 100 million samples takes 4 GB of disk; without that space, the row is skipped.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

#[path = "../samples/mod.rs"]
mod samples;
mod subjects;

use cpu_time::cpu_time;
use row::{Limit, alone, compared};
use std::process::ExitCode;
use subjects::{Subject, subjects};

#[path = "../../../../xtask/bench/cpu_time.rs"]
mod cpu_time;
#[path = "../../../../xtask/bench/row.rs"]
mod row;

const ROUNDS: usize = 5;
/// Of what takes minutes in all.
const ROUNDS_OF_MOST: usize = 1;
/// Microseconds an item: a start alone takes longer than that for a few items, and says nothing of growth.
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
    let mut within = true;
    for mut subject in subjects() {
        within &= rows(&mut subject);
    }
    subjects::clean_up();
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A row for each number of items, beside the number before it.
fn rows(subject: &mut Subject) -> bool {
    let mut before: Option<(usize, Vec<f64>)> = None;
    let mut within = true;
    for items in subject.sizes {
        let mut case = match (subject.case)(*items) {
            Ok(case) => case,
            Err(reason) => {
                println!("skipped: {items} {}: {reason}", subject.items);
                return within;
            }
        };
        let rounds = if *items > MOST { ROUNDS_OF_MOST } else { ROUNDS };
        let each: Vec<f64> =
            (0..rounds).map(|_| 1e6 * cpu_time(&mut case.command) / *items as f64).collect();
        let name = format!("{}, {items} {}, CPU time of each", subject.what, subject.items);
        within &= match &before {
            None => alone(&name, "µs", &each, Limit::None),
            Some((fewer, of_fewer)) => {
                let pairs: Vec<(f64, f64)> =
                    each.iter().zip(of_fewer.iter().cycle()).map(|(a, b)| (*a, *b)).collect();
                compared(&name, "µs", &format!("of {fewer}"), &pairs, GROWTH)
            }
        };
        before = Some((*items, each));
    }
    within
}

const MOST: usize = 1_000_000;
