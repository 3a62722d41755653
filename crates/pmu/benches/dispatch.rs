//! The cost of a dispatch: `cargo bench -p counterpoint-pmu --bench dispatch`.
//!
//! Nanoseconds for one request, beside those in which the names of its events are found; a dispatch may take twice as long.
//! On a machine where that is 120 to 260 ns, libpfm 3.10 took 290 to 470 ns for four events on x86 models, and 280 to 580 on IA-64.
//! The slowest of random requests may take 5 µs.

#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::hint::black_box;
use std::process::ExitCode;

use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::{EventRequest, Model, Request, dispatch};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

use row::{Limit, alone, compared};
use turns::{each, turns};

const ROUNDS: usize = 100;
const TURNS: usize = 250;
const OF_NAMES: Limit = Limit::Times(2.0);
/// In nanoseconds.
const SLOWEST: Limit = Limit::Most(5000.0);
/// Random sets for each model.
const SETS: u64 = 400;

/// A model, and events of it.
type Case = (&'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "gen_ia32_v3",
        &[
            "UNHALTED_CORE_CYCLES",
            "INSTRUCTIONS_RETIRED",
            "LAST_LEVEL_CACHE_MISSES",
            "BRANCH_INSTRUCTIONS_RETIRED",
        ],
    ),
    ("i386_pm", &["CPU_CLK_UNHALTED", "INST_RETIRED"]),
    ("core", &["UNHALTED_CORE_CYCLES", "INSTRUCTIONS_RETIRED", "L1D_REPL", "L2_LINES_IN:SELF:ANY"]),
    ("intel_atom", &["UNHALTED_CORE_CYCLES", "INSTRUCTIONS_RETIRED", "MUL:S", "DIV:S"]),
    (
        "intel_nhm",
        &["UNHALTED_CORE_CYCLES", "INSTRUCTION_RETIRED", "L1D:REPL", "UNC_LLC_MISS:READ"],
    ),
    ("intel_wsm", &["L1D:REPL", "L1D:M_EVICT", "ARITH:DIV", "ITLB_MISSES:ANY"]),
    (
        "amd64_k8_revf",
        &["CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", "DATA_CACHE_MISSES", "DATA_CACHE_ACCESSES"],
    ),
    (
        "amd64_fam10h_revc",
        &["CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", "DATA_CACHE_MISSES", "DATA_CACHE_ACCESSES"],
    ),
    (
        "pentium4",
        &[
            "global_power_events:RUNNING",
            "instr_retired:NBOGUSNTAG",
            "branch_retired:MMNP",
            "replay_event:NBOGUS:L1_LD_MISS",
        ],
    ),
    (
        "itanium",
        &["CPU_CYCLES", "IA64_INST_RETIRED", "ALAT_INST_CHKA_LDC_ALL", "ALAT_INST_CHKA_LDC_FP"],
    ),
    (
        "itanium2",
        &["CPU_CYCLES", "IA64_INST_RETIRED", "ALAT_CAPACITY_MISS_ALL", "ALAT_CAPACITY_MISS_FP"],
    ),
    (
        "montecito",
        &[
            "CPU_OP_CYCLES_ALL",
            "IA64_INST_RETIRED",
            "ALAT_CAPACITY_MISS_ALL",
            "ALAT_CAPACITY_MISS_FP",
        ],
    ),
];

fn main() -> ExitCode {
    let mut ok = true;
    for (name, events) in CASES {
        let Some(model) = Model::find(name) else { continue };
        let request = request(model, events.iter().filter_map(|event| model.resolve(event).ok()));
        assert_eq!(request.events.len(), events.len(), "events of {name}");
        let dispatch = || _ = black_box(dispatch(black_box(model), black_box(&request)).is_ok());
        let resolve =
            || events.iter().for_each(|event| _ = black_box(model.resolve(black_box(event))));
        let rounds = turns(ROUNDS, TURNS, dispatch, resolve);
        ok &= compared(&named(model, &request), "ns", "their names", &rounds, OF_NAMES);
    }
    for accepted in [true, false] {
        let slowest = Model::all()
            .filter_map(|model| Some((model, slowest(model, accepted)?)))
            .map(|(model, set)| (least(model, &set, 10, TURNS), model, set))
            .max_by(|(one, ..), (other, ..)| one.total_cmp(other));
        if let Some((_, model, set)) = slowest {
            let rounds: Vec<f64> = (0..ROUNDS).map(|_| cost(model, &set, TURNS)).collect();
            ok &= alone(&named(model, &set), "ns", &rounds, SLOWEST);
        }
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Of random sets of up to twelve events, those that are dispatched or those that are refused.
fn slowest(model: &Model, accepted: bool) -> Option<Request> {
    let sets = (0..SETS).map(|seed| random(model, seed));
    sets.filter(|set| dispatch(model, set).is_ok() == accepted)
        .map(|set| (least(model, &set, 3, 20), set))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, set)| set)
}

fn outcome(model: &Model, request: &Request) -> String {
    match dispatch(model, request) {
        Ok(assignment) => format!("{} registers", assignment.pmcs.len() + assignment.pmds.len()),
        Err(error) => format!("refused: {}", error.kind().name()),
    }
}

fn request(model: &Model, events: impl Iterator<Item = (usize, Vec<usize>)>) -> Request {
    let mut request = Request::new(Privilege::KERNEL | Privilege::USER);
    for (number, masks) in events {
        let mut event = EventRequest::new(number);
        let needs = masks.is_empty() && model.mask_names(number).next().is_some();
        event.masks = if needs { vec![0] } else { masks };
        request.events.push(event);
    }
    request
}

/// As many events as the model counts, up to twelve, drawn from few so that they are in each other's way;
/// in every second set some registers are not available.
fn random(model: &Model, seed: u64) -> Request {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let first = draw(model.event_count());
    let few = 2 + draw(24);
    let count = model.counters().min(12);
    let events = (0..count).map(|_| ((first + draw(few)) % model.event_count(), Vec::new()));
    let events: Vec<_> = events.collect();
    let unavailable = (0..seed % 2 * 3).map(|_| draw(64) as u32).collect();
    Request { unavailable, ..request(model, events.into_iter()) }
}

fn named(model: &Model, request: &Request) -> String {
    format!("{}: {} events, {}", model.name(), request.events.len(), outcome(model, request))
}

/// The least of some rounds.
fn least(model: &Model, request: &Request, rounds: usize, turns: usize) -> f64 {
    (0..rounds).map(|_| cost(model, request, turns)).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds for one turn.
fn cost(model: &Model, request: &Request, turns: usize) -> f64 {
    each(turns, || _ = black_box(dispatch(black_box(model), black_box(request)).is_ok()))
}
