//! Formulas beside the expression crates of the registry: one row a time, compiled beforehand, and compiling itself.
#![allow(missing_docs, reason = "criterion's macros make functions without any")]

use std::hint::black_box;

use counterpoint_formula::{Formula, Syntax};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use evalexpr::{ContextWithMutableVariables, HashMapContext, Value};
use exmex::Express;
use fasteval::{Compiler, Evaler};

#[allow(dead_code)]
#[path = "../../../crates/formula/benches/formulas/cases.rs"]
mod cases;

const NAMES: [&str; 8] = ["N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7"];

fn each_row(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    rows: &[[f64; 8]],
    width: usize,
    mut eval: impl FnMut(&[f64]) -> f64,
) {
    group.bench_function(name, |b| {
        b.iter(|| {
            for row in rows {
                black_box(eval(black_box(&row[..width])));
            }
        })
    });
}

/// The arithmetic that all of them have.
fn common() -> impl Iterator<Item = cases::Case> {
    cases::cases().into_iter().filter(|case| !case.text.contains(['s', 'm']))
}

fn rows(c: &mut Criterion) {
    let rows = cases::rows(256);
    for case in common() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let width = formula.inputs().len();
        let mut group = c.benchmark_group(format!("row/{}", case.name));
        group.throughput(Throughput::Elements(rows.len() as u64));
        each_row(&mut group, "native", &rows, width, &*case.native);
        each_row(&mut group, "counterpoint", &rows, width, |row| formula.eval(row));

        let mut slab = fasteval::Slab::new();
        let parsed = fasteval::Parser::new().parse(case.text, &mut slab.ps).unwrap();
        let compiled = parsed.from(&slab.ps).compile(&slab.ps, &mut slab.cs);
        each_row(&mut group, "fasteval", &rows, width, |row| {
            let mut names = |name: &str, _: Vec<f64>| {
                row.get(usize::from(name.as_bytes()[1] - b'0')).copied()
            };
            compiled.eval(&slab, &mut names).unwrap()
        });

        let flat = exmex::parse::<f64>(case.text).unwrap();
        each_row(&mut group, "exmex", &rows, width, |row| flat.eval(row).unwrap());

        let bound: meval::Expr = case.text.parse().unwrap();
        let bound = bound.bindn(&NAMES[..width]).unwrap();
        each_row(&mut group, "meval", &rows, width, |row| bound(row));

        let tree = evalexpr::build_operator_tree(case.text).unwrap();
        let mut context = HashMapContext::new();
        each_row(&mut group, "evalexpr", &rows, width, |row| {
            for (name, value) in NAMES.iter().zip(row) {
                context.set_value((*name).into(), Value::Float(*value)).unwrap();
            }
            tree.eval_number_with_context(&context).unwrap()
        });
        group.finish();
    }
}

fn compile(c: &mut Criterion) {
    let text = "N0-(N1+(N2*5))";
    let mut group = c.benchmark_group(format!("compile/{text}"));
    group.bench_function("counterpoint", |b| {
        b.iter(|| Formula::parse(black_box(text), Syntax::Infix))
    });
    group.bench_function("fasteval", |b| {
        let mut slab = fasteval::Slab::new();
        b.iter(|| {
            let parsed = fasteval::Parser::new().parse(black_box(text), &mut slab.ps).unwrap();
            parsed.from(&slab.ps).compile(&slab.ps, &mut slab.cs)
        })
    });
    group.bench_function("exmex", |b| b.iter(|| exmex::parse::<f64>(black_box(text))));
    group.bench_function("meval", |b| b.iter(|| black_box(text).parse::<meval::Expr>()));
    group.bench_function("evalexpr", |b| b.iter(|| evalexpr::build_operator_tree(black_box(text))));
    group.finish();
}

criterion_group!(benches, rows, compile);
criterion_main!(benches);
