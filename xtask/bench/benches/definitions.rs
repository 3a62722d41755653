//! Event-definition files beside the csv crate, which only splits them: PAPI's own, and one of 100 MB.
//!
//! `COUNTERPOINT_PAPI_EVENTS` names PAPI's file; without it, one of the same proportions stands for it.
#![allow(missing_docs, reason = "criterion's macros make functions without any")]

use std::hint::black_box;

use counterpoint_definitions::parse;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// How many fields the csv crate sees, no row like the other.
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

/// So many blocks of twenty presets, one in twenty with a formula.
fn presets(blocks: usize) -> String {
    let mut text = String::new();
    for block in 0..blocks {
        text += &format!("#\nCPU,processor{block}\n# Events in the order of the manual\n");
        for event in 0..18 {
            text += &format!("PRESET,PAPI_L{event}_DCM,NOT_DERIVED,L1D_CACHE_{block}:MISSES:LOADS\n");
        }
        text += &format!("PRESET,PAPI_BR_INS,DERIVED_ADD,BRANCHES_{block}:TAKEN,BRANCHES:OTHER\n");
        text += &format!("PRESET,PAPI_FP_OPS,DERIVED_POSTFIX,N0|N1|4|*|+|,FLOPS_{block}:ONE,FLOPS:FOUR\n");
    }
    text
}

fn files(c: &mut Criterion) {
    let papi = std::env::var_os("COUNTERPOINT_PAPI_EVENTS")
        .map(|path| std::fs::read_to_string(path).expect("the file that the variable names"));
    let files = [("papi_events.csv", papi.unwrap_or_else(|| presets(98))), ("100 MB", presets(77_000))];
    for (name, text) in files {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(if text.len() > 1 << 24 { 10 } else { 100 });
        group.bench_function("parse", |b| b.iter(|| parse(black_box(&text))));
        group.bench_function("csv splits", |b| b.iter(|| split(black_box(&text))));
        group.finish();
    }
}

criterion_group!(benches, files);
criterion_main!(benches);
