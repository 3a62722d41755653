//! Reading, linking and printing of a file like PAPI's, and of one a hundred times as long.
//!
//! `COUNTERPOINT_PAPI_EVENTS` can name PAPI's own file, which is then measured too.

#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::hint::black_box;

use counterpoint_definitions::papi::{self, parse, print};
use counterpoint_definitions::{Origin, link};
use row::{Limit, alone, compared};
use turns::{in_turn, once, pairs, scaled};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

fn main() {
    let mut files = vec![("presets", presets(180)), ("long", presets(18_000))];
    if let Some(path) = std::env::var_os("COUNTERPOINT_PAPI_EVENTS") {
        files.push((
            "papi_events.csv",
            std::fs::read_to_string(path).expect("the file that the variable names"),
        ));
    }
    for (name, text) in files {
        let kilobytes = text.len() / 1000;
        let rounds = if kilobytes < 1000 { 100 } else { 5 };
        let file = parse(&text).file;
        let libraries = [papi::read(&text, Origin::Text)];
        let rounds = in_turn(
            rounds,
            [
                &mut || once(|| parse(black_box(&text))),
                &mut || once(|| papi::library(parse(&text), Origin::Text)),
                &mut || once(|| papi::read_for(&text, Origin::Text, black_box(&["skx".into()]))),
                &mut || once(|| link(&libraries, black_box("skx"))),
                &mut || once(|| papi::differences(black_box(&file))),
                &mut || once(|| print(black_box(&file))),
            ],
        );
        let called = |what: &str| format!("{what} {name}, {kilobytes} KB");
        let parsed: Vec<f64> = rounds.iter().map(|round| round[0] / 1e6).collect();
        alone(&called("parse"), "ms", &parsed, Limit::None);
        for (nth, what) in
            ["parse, library", "read for one PMU", "link", "hold against PAPI", "print"]
                .iter()
                .enumerate()
        {
            let rounds = scaled(&pairs(&rounds, nth + 1, 0), 1e-6);
            compared(&called(what), "ms", "parse", &rounds, Limit::None);
        }
    }
}

/// The text of `blocks` blocks, one of them for `skx`, in the proportions of PAPI's file.
fn presets(blocks: usize) -> String {
    let mut text = String::new();
    for block in 0..blocks {
        let name = if block == blocks / 2 { "skx".to_owned() } else { format!("processor{block}") };
        text += &format!(
            "#\nCPU,{name}\n# Events of the first core of {name}, in the order of the manual\n"
        );
        for event in 0..11 {
            text += &match event {
                0..8 => {
                    format!("PRESET,PAPI_L{event}_DCM,NOT_DERIVED,L1D_CACHE_{block}:MISSES:LOADS\n")
                }
                8 => format!(
                    "PRESET,PAPI_BR_MSP,DERIVED_ADD,BRANCHES_{block}:TAKEN,BRANCHES:CONDITIONAL,RETURNS\n"
                ),
                9 => format!(
                    "PRESET,PAPI_L1_DCH,DERIVED_SUB,L1D_CACHE_{block}:REFERENCES,L1D_CACHE:MISSES\n"
                ),
                _ if block % 2 == 0 => {
                    format!(
                        "PRESET,PAPI_SP_OPS,DERIVED_POSTFIX,N0|N1|4|*|+|,FLOPS_{block}:SCALAR,FLOPS:PACKED\n"
                    )
                }
                _ => format!(
                    "PRESET,PAPI_FP_OPS,NOT_DERIVED,FLOPS_{block}:ALL,NOTE,\"With moves, and estimated\"\n"
                ),
            };
        }
    }
    text
}
