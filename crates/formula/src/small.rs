//! Exact evaluation in 64 bits, which is enough for most counts.

use crate::formula::Formula;
use crate::number::Number;
use crate::op::{Binary, Op, Unary};

/// An integer of 64 bits, or a double.
#[derive(Clone, Copy)]
enum Small {
    Int(i64),
    Real(f64),
}

/// 2^53: up to this magnitude every integer is a double, so that a quotient is rounded once.
const EXACT: u64 = 1 << 53;

/// The value, or `None` if a value does not fit or if there is none: the evaluation in 128 bits then finds the value or the error.
// Kept out of the caller, whose evaluation in doubles needs none of its stack.
#[inline(never)]
pub(crate) fn eval(formula: &Formula, input: impl Fn(usize) -> Number) -> Option<Number> {
    const ZERO: Small = Small::Int(0);
    let result = match formula.ops.len() {
        0..=8 => run(formula, &mut [ZERO; 8], input),
        9..=32 => run(formula, &mut [ZERO; 32], input),
        33..=256 => run(formula, &mut [ZERO; 256], input),
        _ => None,
    };
    result.map(Small::number)
}

#[inline(always)]
fn run<const N: usize>(
    formula: &Formula,
    values: &mut [Small; N],
    input: impl Fn(usize) -> Number,
) -> Option<Small> {
    let mut last = Small::Int(0);
    for (slot, op) in formula.ops.iter().enumerate() {
        // The operands of a formula are earlier operations.
        let of = |at: u32| values.get(at as usize).copied();
        last = match *op {
            Op::Input(at) => Small::new(input(at as usize))?,
            Op::Constant(at) => Small::new(*formula.constants.get(at as usize)?)?,
            Op::Binary(Binary::Add, a, b) => both(of(a)?, of(b)?, i64::checked_add, |a, b| a + b)?,
            Op::Binary(Binary::Sub, a, b) => both(of(a)?, of(b)?, i64::checked_sub, |a, b| a - b)?,
            Op::Binary(Binary::Mul, a, b) => both(of(a)?, of(b)?, i64::checked_mul, |a, b| a * b)?,
            Op::Binary(Binary::Div, a, b) => divide(of(a)?, of(b)?)?,
            Op::Binary(op, a, b) => general(op, of(a)?, of(b)?)?,
            Op::Unary(op, a) => alone(op, of(a)?)?,
            Op::Choice(a, c, b) => {
                if of(c)?.number().is_true() {
                    of(a)?
                } else {
                    of(b)?
                }
            }
        };
        *values.get_mut(slot)? = last;
    }
    Some(last)
}

#[inline(always)]
fn both(
    a: Small,
    b: Small,
    whole: impl FnOnce(i64, i64) -> Option<i64>,
    float: impl FnOnce(f64, f64) -> f64,
) -> Option<Small> {
    match (a, b) {
        (Small::Int(a), Small::Int(b)) => whole(a, b).map(Small::Int),
        _ => Small::real(float(a.as_f64(), b.as_f64())),
    }
}

#[inline(always)]
fn divide(a: Small, b: Small) -> Option<Small> {
    let (Small::Int(whole), Small::Int(by)) = (a, b) else {
        return Small::real(a.as_f64() / b.as_f64());
    };
    let is_exact = whole.unsigned_abs() <= EXACT && by.unsigned_abs() <= EXACT;
    match whole.checked_rem(by)? {
        0 => Some(Small::Int(whole / by)),
        _ if is_exact => Small::real(whole as f64 / by as f64),
        _ => None,
    }
}

#[inline(never)]
fn general(op: Binary, a: Small, b: Small) -> Option<Small> {
    Small::new(op.exact(a.number(), b.number()).ok()?)
}

#[inline(never)]
fn alone(op: Unary, a: Small) -> Option<Small> {
    Small::new(op.exact(a.number()).ok()?)
}

impl Small {
    #[inline(always)]
    fn new(number: Number) -> Option<Small> {
        match number {
            Number::Int(int) => i64::try_from(int).ok().map(Small::Int),
            Number::Real(real) => Some(Small::Real(real)),
        }
    }

    /// A computed double; `None` if it may be an error.
    #[inline(always)]
    fn real(real: f64) -> Option<Small> {
        real.is_finite().then_some(Small::Real(real))
    }

    #[inline(always)]
    fn as_f64(self) -> f64 {
        match self {
            Small::Int(int) => int as f64,
            Small::Real(real) => real,
        }
    }

    fn number(self) -> Number {
        match self {
            Small::Int(int) => Number::Int(int.into()),
            Small::Real(real) => Number::Real(real),
        }
    }
}
