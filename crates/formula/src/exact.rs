//! Evaluation that keeps whole numbers exact.

use alloc::vec;

use crate::error::{EvalError, EvalErrorKind};
use crate::formula::Formula;
use crate::number::Number;
use crate::op::Op;
use crate::print;

/// Formulas up to this size need no allocation.
const SMALL: usize = 32;

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
    if formula.ops.len() <= SMALL {
        run(formula, &mut [Number::Int(0); SMALL], input)
    } else {
        run(formula, &mut vec![Number::Int(0); formula.ops.len()], input)
    }
}

/// Computes the value of every operation into its place in `values`.
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
    let span = match formula.spans.get(at) {
        Some(span) => span.0 as usize..span.1 as usize,
        None => print::span_in_infix(formula, at as u32),
    };
    EvalError { span, kind }
}
