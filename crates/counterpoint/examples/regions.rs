//! Counts regions of a program in several threads, and prints a table, or JSON lines for `counterpoint merge`.
//!
//! ```sh
//! cargo run -p counterpoint --example regions
//! PAPI_EVENTS=task-clock,context-switches cargo run -p counterpoint --example regions -- --json > rank-0.jsonl
//! ```

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::{EventSet, Regions, Target};
use std::hint::black_box;

fn main() -> Result<(), counterpoint::Error> {
    // The events of the environment, or these.
    let regions =
        EventSet::new(Target::ThisThread).event("task-clock,page-faults").regions_from_env()?;
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| step(&regions));
        }
    });
    let report = regions.report();
    if std::env::args().any(|argument| argument == "--json") {
        print!("{}", report.to_json());
    } else {
        println!("{report}");
    }
    Ok(())
}

fn step(regions: &Regions) {
    let _step = regions.region("step");
    let mut field = {
        let _assemble = regions.region("assemble");
        vec![1.0_f64; 1 << 16]
    };
    for _ in 0..4 {
        let _solve = regions.region("solve");
        field.iter_mut().for_each(|value| *value = black_box(*value).sqrt());
    }
}
