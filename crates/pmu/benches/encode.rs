//! What an encoding costs: `cargo bench -p counterpoint-pmu`.
//!
//! Medians of rounds, in nanoseconds for one string; the first one of the process includes finding its table.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::time::Instant;

use counterpoint_pmu::{Context, Layer, Machine, Pmu, all, encode, find, program};

const ROUNDS: usize = 31;

fn main() {
    let raw = Context::new(Layer::Raw);
    let perf = Context::new(Layer::PerfEvent);
    let ext = Context::new(Layer::PerfEventExt);
    let start = Instant::now();
    let first = program("spr::INST_RETIRED:ANY_P:u=1:k=1", &perf);
    let first_ns = start.elapsed().as_nanos();
    assert!(first.is_ok());
    println!("{first_ns:>8} ns  the first string of the process");
    for (name, context) in [("raw", &raw), ("perf", &perf), ("perf, all attributes", &ext)] {
        let strings = qualified(context);
        println!("layer {name}: {} fully qualified strings of three PMUs", strings.len());
        report("codes and kernel fields", &strings, |string| program(string, context).is_ok());
        report("with the printed strings", &strings, |string| encode(string, context).is_ok());
    }
    let one = ["spr::BR_INST_RETIRED:COND:u=1:k=1".to_owned()];
    println!("{}, over and over", one[0]);
    report("codes and kernel fields", &one, |string| program(string, &perf).is_ok());
    report("with the printed strings", &one, |string| encode(string, &perf).is_ok());
    let many = most_masks();
    println!("{:>8}     unit masks has {}", many.1, many.0);
    report("codes of it", std::slice::from_ref(&many.0), |string| program(string, &perf).is_ok());
    report("with the printed strings", &[many.0], |string| encode(string, &perf).is_ok());
    let machine = Machine::default();
    let start = Instant::now();
    let mut attributes = 0;
    for event in all().flat_map(Pmu::events) {
        attributes += black_box(event.attributes(Layer::PerfEventExt, &machine)).len();
    }
    println!(
        "{:>8} µs  every event of every PMU, {attributes} attributes",
        start.elapsed().as_micros()
    );
}

/// Fully qualified strings of this crate, fed back.
fn qualified(context: &Context) -> Vec<String> {
    let mut strings = Vec::new();
    for pmu in ["spr", "amd64_fam19h_zen4", "arm_n1"].into_iter().filter_map(find) {
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

fn report(what: &str, strings: &[String], encode: impl Fn(&str) -> bool) {
    let repeats = (2_000 / strings.len()).max(1);
    let mut rounds: Vec<u128> = Vec::new();
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..repeats {
            for string in strings {
                accepted += usize::from(encode(black_box(string)));
            }
        }
        rounds.push(start.elapsed().as_nanos() / (repeats * strings.len()) as u128);
    }
    assert_eq!(accepted, ROUNDS * repeats * strings.len());
    rounds.sort_unstable();
    println!("{:>8} ns  {what}", rounds[ROUNDS / 2]);
}
