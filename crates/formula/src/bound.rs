//! The inputs for which the code for doubles keeps integers exact.

use crate::number::Number;
use crate::op::{Binary, Op, Unary};

/// The most inputs and operations of such a formula.
pub(crate) const INPUTS: usize = 8;

const OPS: usize = 64;

/// No value of an operation is larger than 2^52. So integers are not rounded, and a quotient is rounded to an integer only if it is one.
const BITS: u8 = 52;

/// The inputs for which the code for doubles computes the exact value of a formula.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    /// They are integers from -2^bits to 2^bits - 1.
    pub(crate) bits: u8,
    /// An operation uses a quotient. A result that is an integer may then come from quotients that are not integers.
    pub(crate) uses_quotients: bool,
}

/// The facts known of an operation: its value is no larger than `sum` times the largest input to the power of `degree`.
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
