//! Compares formulas with the fastest expression crates: evaluating one row at a time, compiled beforehand, and compiling.
#![allow(clippy::unwrap_used, reason = "the formulas are correct")]

use std::hint::black_box;
use std::process::ExitCode;

use counterpoint_formula::{Formula, Syntax};
use evalexpr::{ContextWithMutableVariables, HashMapContext, Value};
use exmex::Express;
use fasteval::{Compiler, Evaler};
use row::{Limit, compared, median};
use table::{ROWS, each_row, measure, repeated};
use turns::pairs;

#[allow(dead_code)]
#[path = "../../../crates/formula/benches/formulas/cases.rs"]
mod cases;
#[path = "../row.rs"]
mod row;
#[path = "../../../crates/formula/benches/formulas/table.rs"]
mod table;
#[path = "../turns.rs"]
mod turns;

const NAMES: [&str; 8] = ["N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7"];

const OTHERS: [&str; 4] = ["fasteval", "exmex", "meval", "evalexpr"];
/// Relative to the fastest of the other crates.
const ROW: Limit = Limit::Times(1.0 / 6.0);

fn report(name: &str, rounds: &[[f64; 5]], limit: Limit) -> bool {
    let of = |other: usize| {
        let rounds: Vec<f64> = rounds.iter().map(|round| round[other]).collect();
        median(&rounds)
    };
    let fastest = (1..5).min_by(|one, other| of(*one).total_cmp(&of(*other))).unwrap();
    compared(name, "ns", OTHERS[fastest - 1], &pairs(rounds, 0, fastest), limit)
}

fn scalar() -> bool {
    let mut ok = true;
    let rows = cases::rows(ROWS);
    // The arithmetic that all crates support.
    for case in cases::cases().into_iter().filter(|case| !case.text.contains(['s', 'm'])) {
        let formula = Formula::parse(case.text, Syntax::Infix).unwrap();
        let width = formula.inputs().len();
        let mut slab = fasteval::Slab::new();
        let parsed = fasteval::Parser::new().parse(case.text, &mut slab.ps).unwrap();
        let compiled = parsed.from(&slab.ps).compile(&slab.ps, &mut slab.cs);
        let flat = exmex::parse::<f64>(case.text).unwrap();
        let bound: meval::Expr = case.text.parse().unwrap();
        let bound = bound.bindn(&NAMES[..width]).unwrap();
        let tree = evalexpr::build_operator_tree(case.text).unwrap();
        let mut context = HashMapContext::new();
        let contenders = [
            each_row(&rows, width, |row| formula.eval(row)),
            each_row(&rows, width, |row| {
                let mut names = |name: &str, _: Vec<f64>| {
                    row.get(usize::from(name.as_bytes()[1] - b'0')).copied()
                };
                compiled.eval(&slab, &mut names).unwrap()
            }),
            each_row(&rows, width, |row| flat.eval(row).unwrap()),
            each_row(&rows, width, bound),
            each_row(&rows, width, |row| {
                for (name, value) in NAMES.iter().zip(row) {
                    context.set_value((*name).into(), Value::Float(*value)).unwrap();
                }
                tree.eval_number_with_context(&context).unwrap()
            }),
        ];
        ok &= report(&format!("a row of {}", case.name), &measure(ROWS, contenders), ROW);
    }
    ok
}

fn compile() -> bool {
    let text = "N0-(N1+(N2*5))";
    let mut slab = fasteval::Slab::new();
    let contenders = [
        repeated(|| {
            black_box(Formula::parse(black_box(text), Syntax::Infix)).unwrap();
        }),
        repeated(move || {
            let parsed = fasteval::Parser::new().parse(black_box(text), &mut slab.ps).unwrap();
            black_box(parsed.from(&slab.ps).compile(&slab.ps, &mut slab.cs));
        }),
        repeated(|| drop(black_box(exmex::parse::<f64>(black_box(text))))),
        repeated(|| drop(black_box(black_box(text).parse::<meval::Expr>()))),
        repeated(|| drop(black_box(evalexpr::build_operator_tree(black_box(text))))),
    ];
    report(&format!("parse {text}"), &measure(ROWS, contenders), Limit::Times(1.0))
}

fn main() -> ExitCode {
    let within = [scalar(), compile()];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
