//! Compares the parser of event-definition files with the csv crate, which only splits them, on PAPI's own file and on files of 10 and 100 MB.
//!
//! PAPI's file is the one that `COUNTERPOINT_PAPI_EVENTS` names, or that of the system's PAPI; without either, a generated file of the same proportions is used.

use std::hint::black_box;
use std::process::ExitCode;

use counterpoint_definitions::papi::{self, parse};
use counterpoint_definitions::{Origin, link};
use row::{Limit, alone, compared};
use turns::{in_turn, once, pairs, scaled, turns};

#[path = "../papi_events.rs"]
mod papi_events;
#[path = "../row.rs"]
mod row;
#[path = "../turns.rs"]
mod turns;

/// In nanoseconds a byte.
const BYTE: Limit = Limit::Most(1.0);
/// In microseconds, for PAPI's file of 150 KB.
const PARSE: Limit = Limit::Most(150.0);
/// In microseconds.
const LINK: Limit = Limit::Most(25.0);

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

/// The time for a byte in a file of so many megabytes.
fn grown(megabytes: usize, rounds: usize) -> bool {
    let text = presets(770 * megabytes);
    let name = format!("parse {megabytes} MB, a byte");
    let parse = || drop(black_box(parse(black_box(&text))));
    let split = || _ = black_box(split(black_box(&text)));
    let rounds = scaled(&turns(rounds, 1, parse, split), 1.0 / text.len() as f64);
    compared(&name, "ns", "csv splits", &rounds, BYTE)
}

/// Each step from the text of PAPI's file to the presets of one processor.
fn papis() -> bool {
    let text = papi_events::text().unwrap_or_else(|| presets(98));
    let libraries = [papi::read(&text, Origin::Text)];
    let rounds = in_turn(
        300,
        [
            &mut || once(|| parse(black_box(&text))),
            &mut || once(|| split(black_box(&text))),
            &mut || once(|| papi::read(black_box(&text), Origin::Text)),
            &mut || once(|| link(black_box(&libraries), black_box("skx"))),
        ],
    );
    let of = |ours: usize, unit: f64| scaled(&pairs(&rounds, ours, 1), unit);
    let a_byte = of(0, 1.0 / text.len() as f64);
    let own: Vec<f64> = rounds.iter().map(|round| round[3] / 1e3).collect();
    compared("library of PAPI's events", "µs", "csv splits", &of(2, 1e-3), Limit::None);
    compared("parse PAPI's events", "µs", "csv splits", &of(0, 1e-3), PARSE)
        & compared("parse PAPI's events, a byte", "ns", "csv splits", &a_byte, BYTE)
        & alone("link PAPI's events for skx", "µs", &own, LINK)
}

fn main() -> ExitCode {
    let within = [papis(), grown(10, 10), grown(100, 3)];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
