//! Reading, linking and printing: a file like PAPI's, and one a thousand times as long.
//!
//! `COUNTERPOINT_PAPI_EVENTS` names PAPI's own file, to be measured too.

use std::hint::black_box;

use counterpoint_definitions::{link, papi, parse, print};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn read(c: &mut Criterion) {
    let mut files = vec![("presets", presets(180)), ("long", presets(18_000))];
    if let Some(path) = std::env::var_os("COUNTERPOINT_PAPI_EVENTS") {
        files.push((
            "papi_events.csv",
            std::fs::read_to_string(path).expect("the file that the variable names"),
        ));
    }
    for (name, text) in files {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("parse", |b| b.iter(|| parse(black_box(&text))));
        let file = parse(&text).file;
        group.bench_function("link", |b| b.iter(|| link(&[&file], black_box("skx"))));
        group.bench_function("papi", |b| b.iter(|| papi::check(black_box(&file))));
        group.bench_function("print", |b| b.iter(|| print(black_box(&file))));
        group.finish();
    }
}

/// Blocks for so many processors, one of them `skx`, in the proportions of PAPI's file.
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

criterion_group!(benches, read);
criterion_main!(benches);
