//! The cost of the report of regions for each region of each thread, and its growth with the threads.
//!
//! `cargo bench -p counterpoint --bench regions` fails if a cell takes more than 1 µs, or 1.5 times as long with eight times the threads.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::{EventSet, Regions, Target};
use row::{Limit, alone, compared};
use std::hint::black_box;
use std::process::ExitCode;
use std::thread;
use turns::{in_turn, once, pairs};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 7;
const THREADS: [usize; 3] = [250, 1000, 2000];
const REGIONS: usize = 10;
/// In microseconds.
const CELL: Limit = Limit::Most(1.0);
const GROWTH: Limit = Limit::Times(1.5);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let [few, more, many] = THREADS.map(|threads| (regions(threads), threads));
    let rounds =
        in_turn(ROUNDS, [&mut || a_cell(&few), &mut || a_cell(&more), &mut || a_cell(&many)]);
    let mut within = true;
    for (nth, threads) in THREADS.into_iter().enumerate() {
        let name = format!("report, {threads} threads x {REGIONS} regions, a cell");
        let own: Vec<f64> = rounds.iter().map(|round| round[nth]).collect();
        within &= alone(&name, "µs", &own, CELL);
        if nth > 0 {
            let peer = format!("{} threads", THREADS[0]);
            within &= compared(&name, "µs", &peer, &pairs(&rounds, nth, 0), GROWTH);
        }
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Regions that were entered in this many threads, one after the other.
fn regions(threads: usize) -> Regions {
    let regions = EventSet::new(Target::ThisThread).event("task-clock:u").regions().unwrap();
    for _ in 0..threads {
        thread::scope(|scope| {
            scope.spawn(|| {
                (0..REGIONS).for_each(|nth| drop(regions.region(&format!("region {nth}"))))
            });
        });
    }
    regions
}

/// The microseconds that the report takes for each region of each thread.
fn a_cell((regions, threads): &(Regions, usize)) -> f64 {
    let mut calls = 0;
    let ns = once(|| {
        let report = black_box(regions).report();
        calls = report.totals().map(|total| total.calls).sum();
        report
    });
    let cells = threads * REGIONS;
    assert_eq!(calls, cells as u64);
    ns / 1e3 / cells as f64
}
