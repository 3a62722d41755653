//! What an encoding costs: `cargo bench -p counterpoint-pmu`.
//!
//! The fastest of many rounds, in nanoseconds for one string: neighbours on the machine only make one slower.
//! The first string of a process includes finding its table, and has a process of its own in each round.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Instant;

use counterpoint_pmu::{Context, Layer, Machine, Pmu, all, encode, find, program};

#[path = "../../../xtask/bench/row.rs"]
mod row;

use row::{Limit, row};

const ROUNDS: usize = 101;
/// This program with it encodes one string and prints what that took, in nanoseconds.
const FIRST: &str = "--first";

fn main() -> ExitCode {
    let perf = Context::new(Layer::PerfEvent);
    if std::env::args().nth(1).as_deref() == Some(FIRST) {
        println!("{}", first(&perf));
        return ExitCode::SUCCESS;
    }
    let raw = Context::new(Layer::Raw);
    let ext = Context::new(Layer::PerfEventExt);
    let us = fastest_first() / 1e3;
    let mut ok = row("the first string of a process", "µs", us, None, Limit::Most(30.0));
    for (name, context) in [("raw", &raw), ("perf", &perf), ("perf, all attributes", &ext)] {
        let strings = qualified(&["spr", "amd64_fam19h_zen4", "arm_n1"], context);
        assert!(strings.len() > 100);
        ok &= report(&format!("{name} layer"), &strings, context, [250.0, 600.0]);
    }
    let one = ["spr::BR_INST_RETIRED:COND:u=1:k=1".to_owned()];
    ok &= report("the same string", &one, &perf, [250.0, 600.0]);
    let kernel = qualified(&["perf"], &perf);
    let (cache, plain): (Vec<_>, Vec<_>) = kernel.into_iter().partition(|s| s.contains("_CACHE_"));
    assert!(cache.len() > 5 && plain.len() > 10);
    ok &= report("the kernel's events", &plain, &perf, [200.0, 600.0]);
    // With their default unit masks, which are added to the request.
    ok &= report("the kernel's cache events", &cache, &perf, [400.0, 900.0]);
    let misspelt = ["spr::BR_INST_RETIRE:COND".to_owned()];
    let ns = cost(&misspelt, |string| program(string, &perf).is_err());
    ok &= row("a misspelt name", "ns", ns, None, Limit::Most(4600.0));
    let (many, masks) = most_masks();
    ok &= report(&format!("an event of {masks} masks"), &[many], &perf, [600.0, 600.0]);
    let machine = Machine::default();
    let start = Instant::now();
    let mut attributes = 0;
    for event in all().flat_map(Pmu::events) {
        attributes += black_box(event.attributes(Layer::PerfEventExt, &machine)).len();
    }
    let ms = start.elapsed().as_secs_f64() * 1e3;
    ok &= row(&format!("all {attributes} attributes"), "ms", ms, None, Limit::Most(100.0));
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn first(context: &Context) -> u128 {
    let start = Instant::now();
    let first = program("spr::INST_RETIRED:ANY_P:u=1:k=1", context);
    let ns = start.elapsed().as_nanos();
    assert!(first.is_ok());
    ns
}

fn fastest_first() -> f64 {
    let this = std::env::current_exe().expect("the path of this program");
    let one = |_| {
        let output = Command::new(&this).arg(FIRST).output().expect("this program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.trim().parse::<u64>().expect("nanoseconds")
    };
    (0..ROUNDS).map(one).min().unwrap_or(u64::MAX) as f64
}

/// Fully qualified strings of this crate, fed back.
fn qualified(pmus: &[&str], context: &Context) -> Vec<String> {
    let mut strings = Vec::new();
    for pmu in pmus.iter().filter_map(|name| find(name)) {
        for event in pmu.events() {
            let masks = event.attributes(Layer::Raw, &context.machine);
            let mask = masks.first().map_or("", |mask| mask.name);
            let string = format!("{}::{}:{mask}", pmu.name, event.name);
            if let Ok(encoding) = encode(string.trim_end_matches(':'), context) {
                strings.push(encoding.fully_qualified);
            }
        }
    }
    strings.retain(|string| program(string, context).is_ok());
    strings
}

/// The event with the most unit masks that can be encoded with its last one.
fn most_masks() -> (String, usize) {
    let context = Context::new(Layer::PerfEvent);
    let mut best = (String::new(), 0);
    for pmu in all() {
        for event in pmu.events() {
            let attributes = event.attributes(Layer::Raw, &context.machine);
            let mut masks =
                attributes.iter().filter(|a| a.kind == counterpoint_pmu::AttributeKind::Umask);
            let count = masks.clone().count();
            let Some(last) = masks.next_back().filter(|_| count > best.1) else { continue };
            let string = format!("{}::{}:{}", pmu.name, event.name, last.name);
            if program(&string, &context).is_ok() {
                best = (string, count);
            }
        }
    }
    best
}

/// Codes and kernel fields, then with the printed strings; each at most so many nanoseconds.
fn report(what: &str, strings: &[String], context: &Context, [codes, printed]: [f64; 2]) -> bool {
    let ns = cost(strings, |string| program(string, context).is_ok());
    let within = row(&format!("{what}, codes"), "ns", ns, None, Limit::Most(codes));
    let ns = cost(strings, |string| encode(string, context).is_ok());
    row(&format!("{what}, printed too"), "ns", ns, None, Limit::Most(printed)) && within
}

/// The fastest of the rounds, in nanoseconds for one string.
fn cost(strings: &[String], encode: impl Fn(&str) -> bool) -> f64 {
    let repeats = (2_000 / strings.len()).max(1);
    let mut fastest = u128::MAX;
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..repeats {
            for string in strings {
                accepted += usize::from(encode(black_box(string)));
            }
        }
        fastest = fastest.min(start.elapsed().as_nanos() / (repeats * strings.len()) as u128);
    }
    assert_eq!(accepted, ROUNDS * repeats * strings.len());
    fastest as f64
}
