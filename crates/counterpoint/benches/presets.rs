//! From a PMU's name to its presets, and from their names to what the kernel is asked for.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::process::ExitCode;

use counterpoint::pmu::{Context, Layer, Machine, find, program};
use counterpoint::presets::{self, Preset};
use row::{Limit, least, row};

#[path = "../../../xtask/bench/row.rs"]
mod row;

fn main() -> ExitCode {
    let us = 1e3 * least(500, || presets::definitions(black_box("skx")));
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
    let us = 1e3
        * least(500, || {
            let mut terms = 0;
            for name in &fifty {
                let whole = skx.get(name).and_then(|preset| skx.expand(&preset).ok());
                for term in whole.iter().flat_map(|whole| &whole.terms) {
                    terms += usize::from(program(black_box(term), &context).is_ok());
                }
            }
            assert!(terms > 0);
        });
    match row("50 presets of skx resolved", "µs", us, None, Limit::Most(100.0)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
