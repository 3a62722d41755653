//! A benchmark as its users write one, which a test runs.

use counterpoint_criterion::Events;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn sums(criterion: &mut Criterion<Events>) {
    let mut group = criterion.benchmark_group("sum");
    for length in [100_u64, 1000] {
        group.throughput(Throughput::Elements(length));
        let id = BenchmarkId::from_parameter(length);
        group.bench_with_input(id, &length, |b, length| {
            b.iter(|| (0..black_box(*length)).map(|n| n ^ 5).sum::<u64>());
        });
    }
    group.finish();
}

/// Instructions where there is a PMU, and else the CPU time.
fn events() -> Criterion<Events> {
    let events =
        Events::new("instructions|task-clock").and_then(|events| events.beside("page-faults"));
    let events = events.unwrap_or_else(|error| panic!("{error}"));
    Criterion::default().without_plots().sample_size(20).with_measurement(events)
}

criterion_group! { name = benches; config = events(); targets = sums }
criterion_main!(benches);
