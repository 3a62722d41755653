//! Compares the parser of event-definition files with the csv crate, which only splits them, on PAPI's own file and on files of 10 and 100 MB.
//!
//! `COUNTERPOINT_PAPI_EVENTS` names PAPI's file; without it, a generated file of the same proportions is used.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use counterpoint_definitions::papi::parse;
use row::{Limit, row};

#[path = "../row.rs"]
mod row;

/// The number of fields that the csv crate finds, with rows of varying length.
fn split(text: &str) -> usize {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut record = csv::ByteRecord::new();
    let mut fields = 0;
    while reader.read_byte_record(&mut record).is_ok_and(|more| more) {
        fields += record.len();
    }
    fields
}

/// The given number of blocks of twenty presets, of which one in twenty has a formula.
fn presets(blocks: usize) -> String {
    let mut text = String::new();
    for block in 0..blocks {
        text += &format!("#\nCPU,processor{block}\n# Events in the order of the manual\n");
        for event in 0..18 {
            text +=
                &format!("PRESET,PAPI_L{event}_DCM,NOT_DERIVED,L1D_CACHE_{block}:MISSES:LOADS\n");
        }
        text += &format!("PRESET,PAPI_BR_INS,DERIVED_ADD,BRANCHES_{block}:TAKEN,BRANCHES:OTHER\n");
        text += &format!(
            "PRESET,PAPI_FP_OPS,DERIVED_POSTFIX,N0|N1|4|*|+|,FLOPS_{block}:ONE,FLOPS:FOUR\n"
        );
    }
    text
}

/// The shortest of several rounds, taken in turn, so that other load on the machine affects both.
fn rounds(name: &str, text: &str, rounds: usize, limit: Limit) -> bool {
    let mut best = [f64::INFINITY; 2];
    let timed = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    for _ in 0..rounds {
        best[0] = best[0].min(timed(&mut || drop(black_box(parse(black_box(text))))));
        best[1] = best[1].min(timed(&mut || _ = black_box(split(black_box(text)))));
    }
    let [ours, csv] = best.map(|seconds| seconds * 1e3);
    row(name, "ms", ours, Some(("csv splits", csv)), limit)
}

fn main() -> ExitCode {
    let papi = std::env::var_os("COUNTERPOINT_PAPI_EVENTS")
        .map(|path| std::fs::read_to_string(path).expect("the file that the variable names"));
    let papi = papi.unwrap_or_else(|| presets(98));
    let within = [
        rounds("parse PAPI's events", &papi, 500, Limit::Most(0.5)),
        rounds("parse 10 MB", &presets(7_700), 10, Limit::None),
        rounds("parse 100 MB", &presets(77_000), 3, Limit::None),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
