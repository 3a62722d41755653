//! From a PMU's name to its presets, and from their names to what the kernel is asked for.

use std::hint::black_box;

use counterpoint::pmu::{Context, Layer, Machine, find, program};
use counterpoint::presets::{self, Preset};
use criterion::{Criterion, criterion_group, criterion_main};

fn of_one_pmu(c: &mut Criterion) {
    let mut group = c.benchmark_group("skx");
    group.bench_function("definitions", |b| b.iter(|| presets::definitions(black_box("skx"))));
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
    group.bench_function("50 expanded", |b| {
        b.iter(|| {
            fifty.iter().map(|name| skx.expand(skx.get(name)?).ok()).filter(Option::is_some).count()
        })
    });
    group.bench_function("50 resolved", |b| {
        b.iter(|| {
            for name in &fifty {
                let whole = skx.get(name).and_then(|preset| skx.expand(preset).ok());
                for term in whole.iter().flat_map(|whole| &whole.terms) {
                    _ = black_box(program(term, &context));
                }
            }
        })
    });
    group.finish();
}

criterion_group!(benches, of_one_pmu);
criterion_main!(benches);
