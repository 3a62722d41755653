//! Formulas against the same arithmetic as Rust closures, and against interpreting the text at each evaluation as PAPI does.
#![allow(missing_docs, reason = "criterion's macros make functions without any")]
#![allow(clippy::unwrap_used, reason = "the formulas are correct")]

use std::hint::black_box;

use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

mod cases;

/// The value of postfix text, read character by character.
fn interpret(text: &str, n: &[f64]) -> f64 {
    let mut stack = [0.0; 32];
    let mut top = 0;
    let mut rest = text.as_bytes();
    let number = |rest: &mut &[u8]| {
        let mut number = 0;
        while let [digit @ b'0'..=b'9', after @ ..] = *rest {
            number = number * 10 + usize::from(digit - b'0');
            *rest = after;
        }
        number
    };
    while let [byte, after @ ..] = rest {
        if byte.is_ascii_digit() {
            stack[top] = number(&mut rest) as f64;
            top += 1;
            continue;
        }
        rest = after;
        match byte {
            b'N' => {
                stack[top] = n[number(&mut rest)];
                top += 1;
            }
            b'|' => {}
            operator => {
                let (a, b) = (stack[top - 2], stack[top - 1]);
                top -= 1;
                stack[top - 1] = match operator {
                    b'+' => a + b,
                    b'-' => a - b,
                    b'*' => a * b,
                    _ => a / b,
                };
            }
        }
    }
    stack[0]
}

/// Evaluates every row; the evaluation is inlined where it can be.
fn each_row(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    rows: &[[f64; 8]],
    width: usize,
    eval: impl Fn(&[f64]) -> f64,
) {
    group.bench_function(name, |b| {
        b.iter(|| {
            for row in rows {
                black_box(eval(black_box(&row[..width])));
            }
        })
    });
}

fn scalar(c: &mut Criterion) {
    let rows = cases::rows(256);
    for case in cases::cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let postfix = formula.postfix().to_string();
        let width = formula.inputs().len();
        let mut group = c.benchmark_group(format!("row/{}", case.name));
        group.throughput(Throughput::Elements(rows.len() as u64));
        each_row(&mut group, "native", &rows, width, &*case.native);
        each_row(&mut group, "formula", &rows, width, |row| formula.eval(row));
        if !postfix.contains(['s', 'm']) {
            each_row(&mut group, "interpreted text", &rows, width, |row| interpret(&postfix, row));
        }
        group.finish();
    }
}

fn columns(c: &mut Criterion) {
    let columns = cases::columns(1024);
    let mut out = vec![0.0; 1024];
    for case in cases::cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let inputs: Vec<Column<'_>> = columns.iter().map(|c| Column::from(&c[..])).collect();
        let mut group = c.benchmark_group(format!("columns/{}", case.name));
        group.throughput(Throughput::Elements(1024));
        group.bench_function("native", |b| {
            b.iter(|| (case.native_columns)(black_box(&columns), black_box(&mut out)))
        });
        group.bench_function("formula", |b| {
            b.iter(|| {
                let mut out = ColumnMut { values: black_box(&mut out), validity: None };
                formula.eval_columns(black_box(&inputs), &mut out)
            })
        });
        group.finish();
    }
}

fn exact(c: &mut Criterion) {
    let formula = Formula::parse("N0-(N1+(N2*5))", Syntax::Infix).unwrap();
    c.bench_function("exact/nested-sum", |b| {
        b.iter(|| formula.eval_exact(black_box(&[1 << 60, 17, 3])))
    });
}

fn parse(c: &mut Criterion) {
    for (text, syntax) in [
        ("N0-(N1+(N2*5))", Syntax::Infix),
        ("N0|N1|N2|5|*|+|-|", Syntax::PapiPostfix),
        ("cycles instructions / 100 *", Syntax::RPN_24X7),
        ("N0+N1*2+N2*4+N3*8+N4*16+N5*2+N6*4+N7*8", Syntax::Infix),
    ] {
        c.bench_function(&format!("parse/{text}"), |b| {
            b.iter(|| Formula::parse(black_box(text), syntax))
        });
    }
}

criterion_group!(benches, scalar, columns, exact, parse);
criterion_main!(benches);
