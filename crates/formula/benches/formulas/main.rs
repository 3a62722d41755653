//! Formulas beside the same arithmetic as Rust closures, and beside interpreting the text at each evaluation as PAPI does.
#![allow(clippy::unwrap_used, reason = "the formulas are correct")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;

use cases::cases;
use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};
use table::{Contender, ROWS, each_row, repeated, row};

mod cases;
mod table;

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

fn scalar() {
    println!("One row a time, ns (x native):");
    let rows = cases::rows(ROWS);
    for case in cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let postfix = formula.postfix().to_string();
        let width = formula.inputs().len();
        let mut contenders = vec![
            each_row("native", &rows, width, &*case.native),
            each_row("formula", &rows, width, |row| formula.eval(row)),
        ];
        if !postfix.contains(['s', 'm']) {
            contenders.push(each_row("text", &rows, width, |row| interpret(&postfix, row)));
        }
        row(case.name, ROWS, &mut contenders);
    }
}

fn columns() {
    const LONG: usize = 1024;
    println!("\nColumns of {LONG} rows, ns per row (x native):");
    let columns = cases::columns(LONG);
    let inputs: Vec<Column<'_>> = columns.iter().map(|c| Column::from(&c[..])).collect();
    for case in cases() {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let (mut out, mut native) = (vec![0.0; LONG], vec![0.0; LONG]);
        let mut contenders: [Contender<'_>; 2] = [
            (
                "native",
                Box::new(|| (case.native_columns)(black_box(&columns), black_box(&mut native))),
            ),
            (
                "formula",
                Box::new(|| {
                    let mut out = ColumnMut { values: black_box(&mut out), validity: None };
                    formula.eval_columns(black_box(&inputs), &mut out).unwrap();
                }),
            ),
        ];
        row(case.name, LONG, &mut contenders);
    }
}

/// What has no native counterpart.
fn others() {
    println!("\nExact evaluation and parsing, ns:");
    let formula = Formula::parse("N0-(N1+(N2*5))", Syntax::Infix).unwrap();
    let exact = || drop(black_box(formula.eval_exact(black_box(&[1 << 60, 17, 3]))));
    let mut contenders = vec![repeated("exact", exact)];
    row("N0-(N1+(N2*5))", ROWS, &mut contenders);
    for (text, syntax) in [
        ("N0-(N1+(N2*5))", Syntax::Infix),
        ("N0|N1|N2|5|*|+|-|", Syntax::PapiPostfix),
        ("cycles instructions / 100 *", Syntax::RPN_24X7),
        ("N0+N1*2+N2*4+N3*8+N4*16+N5*2+N6*4+N7*8", Syntax::Infix),
    ] {
        let parse = || drop(black_box(Formula::parse(black_box(text), syntax)));
        row(text, ROWS, &mut [repeated("parse", parse)]);
    }
}

fn main() {
    scalar();
    columns();
    others();
}
