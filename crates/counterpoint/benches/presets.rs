//! From a PMU's name to its presets, from their names to what the kernel is asked for, and a check of PAPI's file against the tables.
//!
//! The file is the one that `COUNTERPOINT_PAPI_EVENTS` names, or that of the system's PAPI.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::process::ExitCode;

use counterpoint::check_definitions;
use counterpoint::definitions::Library;
use counterpoint::perf::Host;
use counterpoint::pmu::{Context, Layer, Machine, find, program};
use counterpoint::presets::{self, Preset};
use row::{Limit, alone};
use turns::once;

#[path = "../../../xtask/bench/papi_events.rs"]
mod papi_events;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

/// In microseconds.
const FIFTY: Limit = Limit::Most(100.0);
/// In milliseconds.
const CHECK: Limit = Limit::Most(8.0);

fn main() -> ExitCode {
    let us = rounds(500, 1e-3, || presets::definitions(black_box("skx")));
    alone("the presets of skx", "µs", &us, Limit::None);
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
    let us = rounds(500, 1e-3, || {
        let mut terms = 0;
        for name in &fifty {
            let whole = skx.get(name).and_then(|preset| skx.expand(&preset).ok());
            for term in whole.iter().flat_map(|whole| &whole.terms) {
                terms += usize::from(program(black_box(term), &context).is_ok());
            }
        }
        assert!(terms > 0);
    });
    let mut ok = alone("50 presets of skx resolved", "µs", &us, FIFTY);
    if let Some(text) = papi_events::text() {
        let libraries = [Library::from(text)];
        let machine = counterpoint::Machine::new(Host::local());
        let ms = rounds(20, 1e-6, || check_definitions(&machine, black_box(&libraries), None));
        ok &= alone("check papi_events.csv", "ms", &ms, CHECK);
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The time of a call in each round, in nanoseconds times a number.
fn rounds<T>(rounds: usize, times: f64, call: impl Fn() -> T) -> Vec<f64> {
    (0..rounds).map(|_| once(&call) * times).collect()
}
