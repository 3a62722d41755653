//! A benchmark as it is written for criterion, with this crate in its place.
//!
//! ```sh
//! COUNTERPOINT_BENCH='page-faults task-clock' cargo run --release -p counterpoint-criterion --example sums -- --bench
//! ```

// A manifest says `criterion = { package = "counterpoint-criterion" }` instead.
use counterpoint_criterion as criterion;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use std::hint::black_box;

fn sums(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sum");
    for length in [100_u64, 1000] {
        group.throughput(Throughput::Elements(length));
        sum(&mut group, length);
    }
    group.finish();
}

fn sum(group: &mut BenchmarkGroup<'_, WallTime>, length: u64) {
    group.bench_with_input(BenchmarkId::from_parameter(length), &length, |b, length| {
        b.iter(|| (0..black_box(*length)).map(|n| n ^ 5).sum::<u64>());
    });
}

criterion_group! { name = benches; config = Criterion::default().sample_size(10); targets = sums }
criterion_main!(benches);
