//! Evaluation that keeps whole numbers exact.

use alloc::vec;
use alloc::vec::Vec;

use crate::doubles;
use crate::error::{EvalError, EvalErrorKind};
use crate::formula::Formula;
use crate::number::Number;
use crate::op::Op;
use crate::small;

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
    if let Some(value) = doubles::eval(formula, &input) {
        return Ok(value);
    }
    if let Some(value) = small::eval(formula, &input) {
        return Ok(value);
    }
    wide(formula, input)
}

/// As [`small::eval`], in 128 bits.
#[cold]
pub(crate) fn wide(
    formula: &Formula,
    input: impl Fn(usize) -> Number,
) -> Result<Number, EvalError> {
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
        match value(formula, *op, values, &input) {
            Ok(value) => values[at] = value,
            Err(_) if formula.ops.iter().any(is_lenient) => {
                return run_leniently(formula, values, at, input);
            }
            Err(kind) => return Err(error(formula, at, kind)),
        }
    }
    Ok(values[formula.ops.len() - 1])
}

/// The value of one operation, given those of its operands.
fn value(
    formula: &Formula,
    op: Op,
    values: &[Number],
    input: impl Fn(usize) -> Number,
) -> Result<Number, EvalErrorKind> {
    let of = |at: u32| values[at as usize];
    match op {
        Op::Constant(at) => Ok(formula.constants[at as usize]),
        Op::Input(at) => Ok(input(at as usize)),
        Op::Unary(op, a) => op.exact(of(a)),
        Op::Binary(op, a, b) => op.exact(of(a), of(b)),
        Op::Choice(a, c, b) => Ok(if of(c).is_true() { of(a) } else { of(b) }),
    }
}

/// Returns true if an operation may have a value although an operand has none.
fn is_lenient(op: &Op) -> bool {
    match op {
        Op::Choice(..) => true,
        Op::Binary(op, ..) => op.is_lenient(),
        _ => false,
    }
}

/// As `run` from the operation `first` on; an operation without a value is an error only if the result depends on it.
#[cold]
fn run_leniently(
    formula: &Formula,
    values: &mut [Number],
    first: usize,
    input: impl Fn(usize) -> Number,
) -> Result<Number, EvalError> {
    // The value of a failed operation is NaN, and its error is kept beside it.
    let mut errors: Vec<Option<(usize, EvalErrorKind)>> = vec![None; formula.ops.len()];
    for (at, op) in formula.ops.iter().enumerate().skip(first) {
        let failed = |operand: u32| errors[operand as usize];
        let error = match (value(formula, *op, values, &input), *op) {
            (Ok(value), Op::Choice(a, c, b)) => {
                let chosen = if values[c as usize].is_true() { a } else { b };
                values[at] = value;
                failed(chosen)
            }
            (Ok(value), _) => {
                values[at] = value;
                None
            }
            (Err(kind), op) => op.operands().find_map(failed).or(Some((at, kind))),
        };
        if error.is_some() {
            values[at] = Number::Real(f64::NAN);
            errors[at] = error;
        }
    }
    let last = formula.ops.len() - 1;
    errors[last].map_or(Ok(values[last]), |(at, kind)| Err(error(formula, at, kind)))
}

#[cold]
fn error(formula: &Formula, at: usize, kind: EvalErrorKind) -> EvalError {
    EvalError { span: formula.span(at), kind }
}
