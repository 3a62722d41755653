//! Formulas beside the expression crates of the registry: one row a time, compiled beforehand, and compiling itself.
#![allow(clippy::unwrap_used, reason = "the formulas are correct")]

use std::hint::black_box;

use counterpoint_formula::{Formula, Syntax};
use evalexpr::{ContextWithMutableVariables, HashMapContext, Value};
use exmex::Express;
use fasteval::{Compiler, Evaler};
use table::{ROWS, each_row, repeated, row};

#[allow(dead_code)]
#[path = "../../../crates/formula/benches/formulas/cases.rs"]
mod cases;
#[path = "../../../crates/formula/benches/formulas/table.rs"]
mod table;

const NAMES: [&str; 8] = ["N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7"];

fn scalar() {
    println!("One row a time, ns (x native):");
    let rows = cases::rows(ROWS);
    // The arithmetic that all of them have.
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
        let mut contenders = [
            each_row("native", &rows, width, &*case.native),
            each_row("counterpoint", &rows, width, |row| formula.eval(row)),
            each_row("fasteval", &rows, width, |row| {
                let mut names = |name: &str, _: Vec<f64>| {
                    row.get(usize::from(name.as_bytes()[1] - b'0')).copied()
                };
                compiled.eval(&slab, &mut names).unwrap()
            }),
            each_row("exmex", &rows, width, |row| flat.eval(row).unwrap()),
            each_row("meval", &rows, width, bound),
            each_row("evalexpr", &rows, width, |row| {
                for (name, value) in NAMES.iter().zip(row) {
                    context.set_value((*name).into(), Value::Float(*value)).unwrap();
                }
                tree.eval_number_with_context(&context).unwrap()
            }),
        ];
        row(case.name, ROWS, &mut contenders);
    }
}

fn compile() {
    println!("\nCompiling, ns (x the first):");
    let text = "N0-(N1+(N2*5))";
    let mut slab = fasteval::Slab::new();
    let mut contenders = [
        repeated("counterpoint", || {
            black_box(Formula::parse(black_box(text), Syntax::Infix)).unwrap();
        }),
        repeated("fasteval", move || {
            let parsed = fasteval::Parser::new().parse(black_box(text), &mut slab.ps).unwrap();
            black_box(parsed.from(&slab.ps).compile(&slab.ps, &mut slab.cs));
        }),
        repeated("exmex", || drop(black_box(exmex::parse::<f64>(black_box(text))))),
        repeated("meval", || drop(black_box(black_box(text).parse::<meval::Expr>()))),
        repeated("evalexpr", || drop(black_box(evalexpr::build_operator_tree(black_box(text))))),
    ];
    row(text, ROWS, &mut contenders);
}

fn main() {
    scalar();
    compile();
}
