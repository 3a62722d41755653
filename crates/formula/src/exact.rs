//! Evaluation that keeps whole numbers exact.

use alloc::vec;

use crate::error::{EvalError, EvalErrorKind};
use crate::formula::Formula;
use crate::number::Number;
use crate::op::Op;

pub(crate) fn eval(
    formula: &Formula,
    found: usize,
    input: impl Fn(usize) -> Number,
) -> Result<Number, EvalError> {
    let expected = formula.names.len();
    if found < expected {
        let first = |op: &Op| matches!(op, Op::Input(at) if *at as usize >= found);
        let at = formula.ops.iter().position(first).unwrap_or(0);
        return Err(error(formula, at, EvalErrorKind::MissingInput { expected, found }));
    }
    const ZERO: Number = Number::Int(0);
    match formula.ops.len() {
        0..=8 => run(formula, &mut [ZERO; 8], input),
        9..=32 => run(formula, &mut [ZERO; 32], input),
        33..=256 => run(formula, &mut [ZERO; 256], input),
        count => run(formula, &mut vec![ZERO; count], input),
    }
}

/// Computes the value of each operation into its slot of `values`.
fn run(
    formula: &Formula,
    values: &mut [Number],
    input: impl Fn(usize) -> Number,
) -> Result<Number, EvalError> {
    for (at, op) in formula.ops.iter().enumerate() {
        let value = match *op {
            Op::Constant(at) => Ok(formula.constants[at as usize]),
            Op::Input(at) => Ok(input(at as usize)),
            Op::Unary(op, a) => op.exact(values[a as usize]),
            Op::Binary(op, a, b) => op.exact(values[a as usize], values[b as usize]),
        };
        values[at] = value.map_err(|kind| error(formula, at, kind))?;
    }
    Ok(values[formula.ops.len() - 1])
}

#[cold]
fn error(formula: &Formula, at: usize, kind: EvalErrorKind) -> EvalError {
    EvalError { span: formula.span(at), kind }
}
