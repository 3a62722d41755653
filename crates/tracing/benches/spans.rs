//! The cost of entering and exiting a span that is counted, beside a span that is not counted and two reads of the kernel.
//!
//! `cargo bench -p counterpoint-tracing --bench spans` fails if it takes more than twice as long.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::{EventSet, Target};
use counterpoint_tracing::SpanCounts;
use row::{Limit, compared};
use std::process::ExitCode;
use tracing::subscriber::with_default;
use tracing::{Span, info_span};
use tracing_subscriber::layer::SubscriberExt;
use turns::{each, in_turn, pairs};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 9;
const CALLS: usize = 20_000;
const LIMIT: Limit = Limit::Times(2.0);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let mut within = true;
    for events in [&["task-clock"][..], &["task-clock", "page-faults", "context-switches"]] {
        let own = SpanCounts::new(events).unwrap();
        let mut counters =
            EventSet::new(Target::ThisThread).event(events.join(",")).open().unwrap();
        let mut snapshot = counters.zero();
        let counted = span(own.layer());
        let bare = with_default(tracing_subscriber::registry(), || info_span!("bare"));
        let mut ours = || each(CALLS, || counted.in_scope(|| ()));
        let mut theirs = || {
            each(CALLS, || {
                counters.read_into(&mut snapshot).unwrap();
                bare.in_scope(|| ());
                counters.read_into(&mut snapshot).unwrap();
            })
        };
        let rounds = in_turn(ROUNDS, [&mut ours, &mut theirs]);
        let name = format!("enter and exit a span, {} events", events.len());
        within &= compared(&name, "ns", "a span and two reads", &pairs(&rounds, 0, 1), LIMIT);
        let mut plain = || each(CALLS, || bare.in_scope(|| ()));
        let rounds = in_turn(ROUNDS, [&mut || each(CALLS, || counted.in_scope(|| ())), &mut plain]);
        within &= compared(&name, "ns", "a span", &pairs(&rounds, 0, 1), Limit::None);
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn span(layer: counterpoint_tracing::CountingLayer) -> Span {
    with_default(tracing_subscriber::registry().with(layer), || info_span!("counted"))
}
