//! Exact evaluation by the code for doubles, which is the fastest: for formulas and inputs whose integers are all known to be doubles.

use crate::formula::Formula;
use crate::number::Number;
use crate::op::{Binary, Op, Unary};

/// The most inputs and operations of such a formula.
const INPUTS: usize = 8;
const OPS: usize = 64;

/// No value of an operation is larger than 2^52. So integers are not rounded, and a quotient is rounded to an integer only if it is one.
const BITS: u8 = 52;

/// The inputs for which the code for doubles computes the exact value of a formula.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    /// They are integers from -2^bits to 2^bits - 1.
    bits: u8,
    /// An operation uses a quotient. A result that is an integer may then come from quotients that are not integers.
    uses_quotients: bool,
}

/// What is known of an operation: its value is no larger than `sum` times the largest input to the power of `degree`.
#[derive(Clone, Copy)]
struct Value {
    sum: u64,
    degree: u8,
    has_quotient: bool,
}

impl Bound {
    /// `None` if there are no such inputs.
    pub(crate) fn of(ops: &[Op], constants: &[Number]) -> Option<Bound> {
        let mut values = [Value { sum: 0, degree: 0, has_quotient: false }; OPS];
        let mut bound = Bound { bits: BITS, uses_quotients: false };
        for (at, op) in ops.iter().enumerate() {
            let of = |operand: u32| values[operand as usize];
            let value = Value::of(*op, constants, of)?;
            let sum = value.sum.max(1).checked_next_power_of_two()?.ilog2() as u8;
            if let Some(each) = BITS.checked_sub(sum)?.checked_div(value.degree) {
                bound.bits = bound.bits.min(each);
            }
            bound.uses_quotients |= op.operands().any(|operand| of(operand).has_quotient);
            *values.get_mut(at)? = value;
        }
        Some(bound)
    }
}

impl Value {
    /// Returns what is known of an operation from what is known of its operands; `None` if this module does not compute it.
    fn of(op: Op, constants: &[Number], of: impl Fn(u32) -> Value) -> Option<Value> {
        let (sum, degree, has_quotient) = match op {
            Op::Input(input) if (input as usize) < INPUTS => (1, 1, false),
            Op::Constant(constant) => match constants[constant as usize] {
                Number::Int(int) => (u64::try_from(int.unsigned_abs()).ok()?, 0, false),
                Number::Real(_) => return None,
            },
            Op::Unary(Unary::Neg, a) => return Some(of(a)),
            Op::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                let has_quotient = a.has_quotient || b.has_quotient;
                match op {
                    Binary::Add | Binary::Sub => {
                        (a.sum.saturating_add(b.sum), a.degree.max(b.degree), has_quotient)
                    }
                    Binary::Mul => (
                        a.sum.saturating_mul(b.sum),
                        a.degree.saturating_add(b.degree),
                        has_quotient,
                    ),
                    // The divisor is an integer: 0, for which there is no value, or at least 1 in magnitude, so that
                    // the quotient is not larger than the dividend.
                    Binary::Div if !b.has_quotient => (a.sum, a.degree, true),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Value { sum, degree, has_quotient })
    }
}

/// The value, or `None` if it may not be exact, or if there is none.
#[inline(always)]
pub(crate) fn eval(formula: &Formula, input: impl Fn(usize) -> Number) -> Option<Number> {
    let Bound { bits, uses_quotients } = formula.code.exact?;
    let mut inputs = [0.0; INPUTS];
    let inputs = inputs.get_mut(..formula.names.len())?;
    let mut magnitudes = 0;
    for (at, double) in inputs.iter_mut().enumerate() {
        let Number::Int(int) = input(at) else { return None };
        // For a negative integer, this is its magnitude less one.
        magnitudes |= (int ^ int >> (i128::BITS - 1)) as u128;
        *double = int as i64 as f64;
    }
    if magnitudes >> bits != 0 {
        return None;
    }
    let value = formula.code.eval(inputs);
    let int = value as i64;
    match int as f64 == value {
        true if uses_quotients => None,
        true => Some(Number::Int(int.into())),
        false => value.is_finite().then_some(Number::Real(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::wide;
    use crate::syntax::Syntax;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    const FORMULAS: [&str; 12] = [
        "N0",
        "-N0*3 + N1",
        "N0*N1 - N2*N3",
        "N0/N1",
        "(N0 - N1)*100/(N0 + N2)",
        "N0/N1/N2",
        "N0/N1*N2",
        "N0/N1 + N2/N3",
        "(N0/N1 - N2)*N3/7",
        "N0*N1/(N2 + N3) - N0*N2",
        "(N0*512/N1)*N2/(N3 - N0)",
        "100*(1 - N0/N1)",
    ];

    proptest! {
        #[test]
        fn the_value_has_the_bits_and_the_kind_of_that_in_128_bits(
            n in any::<[i64; 4]>(),
            shifts in any::<[u8; 4]>(),
        ) {
            let mut n = n;
            n.iter_mut().zip(shifts).for_each(|(n, shift)| *n >>= shift % 64);
            for text in FORMULAS {
                let formula = Formula::parse(text, Syntax::Infix).unwrap();
                let named = |name: &str| n[usize::from(name.as_bytes()[1] - b'0')];
                let inputs: Vec<Number> = formula.inputs().map(|name| named(name).into()).collect();
                let Some(value) = eval(&formula, |at| inputs[at]) else { continue };
                let expected = wide(&formula, |at| inputs[at]).unwrap();
                let bits = |number: Number| match number {
                    Number::Int(int) => (Some(int), 0),
                    Number::Real(real) => (None, real.to_bits()),
                };
                prop_assert_eq!(bits(value), bits(expected), "{} {:?}", text, n);
            }
        }
    }

    #[test]
    fn counts_of_usual_size_are_computed_here() {
        for text in FORMULAS {
            let formula = Formula::parse(text, Syntax::Infix).unwrap();
            assert!(
                eval(&formula, |at| Number::Int([300_001, 7001, 99, 13][at])).is_some(),
                "{text}"
            );
        }
    }
}
