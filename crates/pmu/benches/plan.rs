//! The cost of a plan: `cargo bench -p counterpoint-pmu --bench plan`.
//!
//! The slowest of many drawn lists, which is then planned again and again; the limit is 50 ms for each.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use counterpoint_pmu::plan::{Claim, Demand, plan};
use row::{Limit, alone};
use std::hint::black_box;
use std::process::ExitCode;
use turns::once;

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const LISTS: usize = 300;
const ROUNDS: usize = 20;
const LIMIT_MS: f64 = 50.0;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let mut ok = true;
    for (events, formulas) in [(24, 0), (24, 4), (24, 8), (24, 12), (200, 0), (200, 30)] {
        ok &= plans(events, formulas);
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// False if the slowest is over the limit.
fn plans(events: usize, formulas: usize) -> bool {
    let mut random = Random(1);
    let mut slowest = (0.0, Vec::new(), Vec::new());
    let mut optimal = 0;
    for _ in 0..LISTS {
        let demands: Vec<Demand> = (0..events).map(|_| demand(&mut random)).collect();
        let units: Vec<Vec<usize>> = (0..formulas)
            .map(|_| (0..2 + random.below(3)).map(|_| random.below(events)).collect())
            .collect();
        let ns = once(|| optimal += usize::from(plan(&demands, &units).optimal));
        if ns > slowest.0 {
            slowest = (ns, demands, units);
        }
    }
    let (_, demands, units) = slowest;
    let again = |_| once(|| plan(black_box(&demands), black_box(&units))) / 1e6;
    let rounds: Vec<f64> = (0..ROUNDS).map(again).collect();
    println!("{optimal} of {LISTS} plans proven the fewest");
    let name = format!("slowest plan, {events} events, {formulas} formulas");
    alone(&name, "ms", &rounds, Limit::Most(LIMIT_MS))
}

/// As on a core of Intel's: eight counters, four of which some events need, one for a few, and two shared registers.
fn demand(random: &mut Random) -> Demand {
    let counters = [0xff, 0xff, 0xff, 0x0f, 0x0f, 0x01, 1 << 32 | 0xff][random.below(7)];
    let claims = match random.below(8) {
        0 => vec![Claim { register: 0x1a6, copies: 2, value: random.below(5) as u64 }],
        _ => Vec::new(),
    };
    Demand { counters, claims }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}
