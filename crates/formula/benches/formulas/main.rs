//! Compares formulas with the same arithmetic as Rust closures, and with interpreting the text at each evaluation as PAPI does.
//!
//! PAPI's library does not export its own evaluator, so the interpreter is a model of it.
#![allow(clippy::unwrap_used, reason = "the formulas are correct")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::process::ExitCode;

use cases::cases;
use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};
use row::{Limit, compared};
use table::{Contender, ROWS, each_row, measure, repeated};
use turns::pairs;

mod cases;
#[path = "../../../../xtask/bench/row.rs"]
mod row;
mod table;
#[path = "../../../../xtask/bench/turns.rs"]
mod turns;

/// Most formulas in PAPI's file have one of these forms.
const SUMS_AND_RATIOS: [&str; 6] =
    ["nested-sum", "sum-of-3", "ratio", "percentage", "sum-of-8", "weighted-8"];

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

/// Evaluates one row at a time.
fn scalar() -> bool {
    let mut ok = true;
    let inputs = cases::rows(ROWS);
    for case in cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let postfix = formula.postfix().to_string();
        let width = formula.inputs().len();
        let contenders = [
            each_row(&inputs, width, &*case.native),
            each_row(&inputs, width, |row| formula.eval(row)),
        ];
        let rounds = pairs(&measure(ROWS, contenders), 1, 0);
        let simple = SUMS_AND_RATIOS.contains(&case.name);
        let limit = Limit::Times(if simple { 2.5 } else { 6.0 });
        let name = format!("a row of {}", case.name);
        ok &= compared(&name, "ns", "native", &rounds, limit);
        if !postfix.contains(['s', 'm']) {
            let contenders = [
                each_row(&inputs, width, |row| interpret(&postfix, row)),
                each_row(&inputs, width, |row| formula.eval(row)),
            ];
            let rounds = pairs(&measure(ROWS, contenders), 1, 0);
            compared(&name, "ns", "text read each time", &rounds, Limit::None);
        }
    }
    ok
}

fn columns() -> bool {
    const LONG: usize = 1024;
    let mut ok = true;
    let columns = cases::columns(LONG);
    let inputs: Vec<Column<'_>> = columns.iter().map(|c| Column::from(&c[..])).collect();
    for case in cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let (mut out, mut native) = (vec![0.0; LONG], vec![0.0; LONG]);
        let contenders: [Contender<'_>; 2] = [
            Box::new(|| (case.native_columns)(black_box(&columns), black_box(&mut native))),
            Box::new(|| {
                let mut out = ColumnMut { values: black_box(&mut out), validity: None };
                formula.eval_columns(black_box(&inputs), &mut out).unwrap();
            }),
        ];
        let rounds = pairs(&measure(LONG, contenders), 1, 0);
        let name = format!("columns of {}", case.name);
        let limit = Limit::Times(if case.name.starts_with("chain") { 1.3 } else { 1.5 });
        ok &= compared(&name, "ns", "native", &rounds, limit);
    }
    ok
}

/// Rows of which a quarter has no value, beside the same rows that all have one.
fn validity() -> bool {
    const MANY: usize = 1 << 16;
    let mut ok = true;
    let columns = cases::columns(MANY);
    // Bits without a pattern, three of four set.
    let word = |at: u64| {
        let random = |seed: u64| (at + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        random(1).wrapping_mul(random(3)) | random(7).wrapping_mul(random(9))
    };
    let bits: Vec<u64> = (0..MANY as u64 / 64).map(word).collect();
    let plain: Vec<Column<'_>> = columns.iter().map(|c| Column::from(&c[..])).collect();
    let some: Vec<Column<'_>> = columns.iter().map(|c| Column::with_validity(c, &bits)).collect();
    for case in cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let (mut one, mut two) = (vec![0.0; MANY], vec![0.0; MANY]);
        let mut valid = vec![0; MANY / 64];
        let contenders: [Contender<'_>; 2] = [
            Box::new(|| {
                let mut out = ColumnMut { values: black_box(&mut one), validity: None };
                formula.eval_columns(black_box(&plain), &mut out).unwrap();
            }),
            Box::new(|| {
                let validity = Some(&mut valid[..]);
                let mut out = ColumnMut { values: black_box(&mut two), validity };
                formula.eval_columns(black_box(&some), &mut out).unwrap();
            }),
        ];
        let rounds = pairs(&measure(MANY, contenders), 1, 0);
        let name = format!("validity of {}", case.name);
        ok &= compared(&name, "ns", "without", &rounds, Limit::Times(1.15));
    }
    ok
}

/// All metrics over a million rows, which are more than the caches hold.
fn metrics() -> bool {
    const MANY: usize = 1 << 20;
    let columns = cases::columns(MANY);
    let inputs: Vec<Column<'_>> = columns.iter().map(|c| Column::from(&c[..])).collect();
    let (mut out, mut native) = (vec![0.0; MANY], vec![0.0; MANY]);
    let mut all = Vec::new();
    for case in cases::metrics() {
        let formula = Formula::parse(case.text, Syntax::PerfMetric).unwrap();
        let inputs: Vec<Column<'_>> =
            formula.inputs().map(|name| inputs[name[1..].parse::<usize>().unwrap()]).collect();
        let contenders: [Contender<'_>; 2] = [
            Box::new(|| (case.native_columns)(black_box(&columns), black_box(&mut native))),
            Box::new(|| {
                let mut out = ColumnMut { values: black_box(&mut out), validity: None };
                formula.eval_columns(black_box(&inputs), &mut out).unwrap();
            }),
        ];
        let rounds = pairs(&measure(MANY, contenders), 1, 0);
        let name = format!("a million rows of metric {}", case.name);
        compared(&name, "ns", "native", &rounds, Limit::None);
        all.resize(rounds.len(), (0.0, 0.0));
        for ((ours_all, native_all), (ours, native)) in all.iter_mut().zip(rounds) {
            *ours_all += ours;
            *native_all += native;
        }
    }
    compared("a million rows of all metrics", "ns", "native", &all, Limit::Times(1.0 / 0.7))
}

/// Evaluates integers exactly, beside doubles from the text, as PAPI does for derived events.
fn exact() -> bool {
    let mut ok = true;
    let rows = cases::rows(ROWS);
    let integers: Vec<[i128; 8]> = rows.iter().map(|row| row.map(|value| value as i128)).collect();
    for case in cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let postfix = formula.postfix().to_string();
        if postfix.contains(['s', 'm']) {
            continue;
        }
        let width = formula.inputs().len();
        let ours: Contender<'_> = Box::new(|| {
            for row in &integers {
                black_box(&formula.eval_exact(black_box(&row[..width])));
            }
        });
        let text = each_row(&rows, width, |row| interpret(&postfix, row));
        let rounds = pairs(&measure(ROWS, [text, ours]), 1, 0);
        let name = format!("exact {}", case.name);
        ok &= compared(&name, "ns", "text read each time", &rounds, Limit::Times(0.5));
    }
    ok
}

/// Compiles text, beside reading the same formula's text once for its value.
fn parse() -> bool {
    let mut ok = true;
    let inputs = cases::rows(1);
    let sum = "N0|N1|N2|5|*|+|-|";
    let ratio = "N0|N1|/|100|*|";
    let weighted = "N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|N4|16|*|+|N5|2|*|+|N6|4|*|+|N7|8|*|+|";
    for (text, syntax, postfix, limit) in [
        ("N0-(N1+(N2*5))", Syntax::Infix, sum, Limit::Times(50.0)),
        (sum, Syntax::PapiPostfix, sum, Limit::Times(50.0)),
        ("cycles instructions / 100 *", Syntax::RPN_24X7, ratio, Limit::Times(50.0)),
        ("N0+N1*2+N2*4+N3*8+N4*16+N5*2+N6*4+N7*8", Syntax::Infix, weighted, Limit::None),
    ] {
        let contenders = [
            repeated(|| drop(black_box(Formula::parse(black_box(text), syntax)))),
            repeated(|| _ = black_box(interpret(black_box(postfix), black_box(&inputs[0])))),
        ];
        let rounds = pairs(&measure(ROWS, contenders), 0, 1);
        ok &= compared(&format!("parse {text}"), "ns", "text read once", &rounds, limit);
    }
    ok
}

fn main() -> ExitCode {
    let within = [scalar(), exact(), columns(), validity(), metrics(), parse()];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
