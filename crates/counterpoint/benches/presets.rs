//! From a PMU's name to its presets, and from their names to what the kernel is asked for.
//!
//! `COUNTERPOINT_PAPI_EVENTS` can name PAPI's own file, which is then checked against the tables too.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::process::ExitCode;

use counterpoint::check_definitions;
use counterpoint::definitions::Library;
use counterpoint::perf::Host;
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
    let mut ok = row("50 presets of skx resolved", "µs", us, None, Limit::Most(100.0));
    if let Some(path) = std::env::var_os("COUNTERPOINT_PAPI_EVENTS") {
        let text = std::fs::read_to_string(path).expect("the file that the variable names");
        let libraries = [Library::from(text)];
        let machine = counterpoint::Machine::new(Host::local());
        let ms = least(20, || check_definitions(&machine, black_box(&libraries), None));
        ok &= row("check papi_events.csv", "ms", ms, None, Limit::None);
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
