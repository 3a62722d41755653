//! From a PMU's name to its presets, and from their names to what the kernel is asked for.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use counterpoint::pmu::{Context, Layer, Machine, find, program};
use counterpoint::presets::{self, Preset};
use row::{Limit, row};

#[path = "../../../xtask/bench/row.rs"]
mod row;

fn main() -> ExitCode {
    let us = least(|| presets::definitions(black_box("skx")).len());
    row("the presets of skx", "µs", us, None, Limit::None);
    let skx = presets::definitions("skx");
    let mut context = Context::new(Layer::PerfEventExt);
    context.machine = Machine::with(find("skx").into_iter().chain(find("ix86arch")).collect());
    let fifty: Vec<&str> = Preset::all()
        .iter()
        .map(|preset| preset.name)
        .filter(|name| skx.get(name).is_some())
        .take(50)
        .collect();
    assert_eq!(fifty.len(), 50);
    let us = least(|| {
        let mut terms = 0;
        for name in &fifty {
            let whole = skx.get(name).and_then(|preset| skx.expand(&preset).ok());
            for term in whole.iter().flat_map(|whole| &whole.terms) {
                terms += usize::from(program(black_box(term), &context).is_ok());
            }
        }
        terms
    });
    match row("50 presets of skx resolved", "µs", us, None, Limit::Most(100.0)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Microseconds of the fastest round; each finds something.
fn least(find: impl Fn() -> usize) -> f64 {
    let round = |_| {
        let start = Instant::now();
        let found = find();
        let elapsed = start.elapsed();
        assert!(found > 0);
        elapsed.as_secs_f64() * 1e6
    };
    (0..500).map(round).fold(f64::INFINITY, f64::min)
}
