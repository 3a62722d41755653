//! Slopes of a formula, and the error of its value that follows from those of its inputs.

use alloc::vec;
use alloc::vec::Vec;

use crate::formula::Formula;
use crate::number;
use crate::op::{Binary, Op, Unary};

impl Formula {
    /// The slope of the value in each input, at these inputs: by how much the value grows where an input grows by 1.
    ///
    /// `inputs` holds the values of [`inputs`](Self::inputs) in their order, and so does the result; with too few, all slopes are NaN.
    /// Comparisons and logical operations have no slope (0), and a choice that of the operand that it takes.
    /// Where a part has no slope, such as the root of 0, it is infinite or NaN.
    /// Quotients and remainders that are rounded have those of the exact ones: errors are usually greater than what is rounded.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let ipc = Formula::parse("instructions / cycles", Syntax::Infix)?;
    /// assert_eq!(ipc.slopes(&[300.0, 200.0]), [1.0 / 200.0, -300.0 / 40_000.0]);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn slopes(&self, inputs: &[f64]) -> Vec<f64> {
        let count = self.names.len();
        if inputs.len() < count {
            return vec![f64::NAN; count];
        }
        let values = self.values(inputs);
        let mut slopes = vec![0.0; count];
        // The slope of the result in the value of each operation, from the result to the inputs.
        let mut of_result = vec![0.0; self.ops.len()];
        if let Some(last) = of_result.last_mut() {
            *last = 1.0;
        }
        for (at, op) in self.ops.iter().enumerate().rev() {
            let slope = of_result[at];
            if slope == 0.0 {
                continue;
            }
            let of = |operand: u32| values[operand as usize];
            let mut pass = |operand: u32, local: f64| {
                // What does not depend on an operand has no part of a slope that is infinite.
                if local != 0.0 {
                    of_result[operand as usize] += slope * local;
                }
            };
            match *op {
                Op::Constant(_) => {}
                Op::Input(input) => slopes[input as usize] += slope,
                Op::Unary(op, a) => pass(a, op.slope(of(a))),
                Op::Binary(op, a, b) => {
                    let [in_a, in_b] = op.slopes(of(a), of(b));
                    pass(a, in_a);
                    pass(b, in_b);
                }
                Op::Choice(a, c, b) => pass(if of(c) == 0.0 { b } else { a }, 1.0),
            }
        }
        slopes
    }

    /// The standard error of the value, from those of the inputs, which must be independent of each other: by the slopes at the inputs (the delta method).
    ///
    /// It is right where the formula is nearly straight over the errors of its inputs, such as a quotient whose divisor is known to within a tenth.
    /// Of inputs that are not independent, the error follows from [`slopes`](Self::slopes) and their covariances.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let sum = Formula::parse("N0 + N1", Syntax::Infix)?;
    /// assert_eq!(sum.standard_error(&[100.0, 200.0], &[3.0, 4.0]), 5.0);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn standard_error(&self, inputs: &[f64], errors: &[f64]) -> f64 {
        if errors.len() < self.names.len() {
            return f64::NAN;
        }
        let parts = self.slopes(inputs).into_iter().zip(errors);
        // An input that is exact adds nothing, whatever its slope is.
        let parts = parts.filter(|(_, error)| **error != 0.0);
        let squares = parts.map(|(slope, error)| (slope * error) * (slope * error));
        // The sum of nothing is -0.
        libm::sqrt(squares.fold(0.0, |sum, square| sum + square))
    }

    /// The value of each operation.
    fn values(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let of = |operand: u32| values[operand as usize];
            values.push(match *op {
                Op::Constant(constant) => self.constants[constant as usize].as_f64(),
                Op::Input(input) => inputs[input as usize],
                Op::Unary(op, a) => op.apply(of(a)),
                Op::Binary(op, a, b) => op.apply(of(a), of(b)),
                Op::Choice(a, c, b) => of(if of(c) == 0.0 { b } else { a }),
            });
        }
        values
    }
}

impl Unary {
    fn slope(self, a: f64) -> f64 {
        match self {
            Unary::Neg => -1.0,
            Unary::Sqrt => 0.5 / libm::sqrt(a),
            Unary::Abs if a < 0.0 => -1.0,
            Unary::Abs => 1.0,
        }
    }
}

impl Binary {
    /// The slopes in both operands.
    fn slopes(self, a: f64, b: f64) -> [f64; 2] {
        match self {
            Binary::Add => [1.0, 1.0],
            Binary::Sub => [1.0, -1.0],
            Binary::Mul => [b, a],
            Binary::DRatio if b == 0.0 => [0.0, 0.0],
            Binary::Div | Binary::Ratio | Binary::DRatio | Binary::Quot => [1.0 / b, -a / (b * b)],
            Binary::Mod => [1.0, -number::float_quot(a, b)],
            Binary::Rem | Binary::WholeRem => [1.0, -libm::trunc(a / b)],
            Binary::Pow => [b * Binary::Pow.apply(a, b - 1.0), in_exponent(a, b)],
            Binary::Min | Binary::Lesser if a < b => [1.0, 0.0],
            Binary::Max | Binary::Larger if a > b => [1.0, 0.0],
            Binary::Min | Binary::Lesser | Binary::Max | Binary::Larger => [0.0, 1.0],
            Binary::Less
            | Binary::Greater
            | Binary::AtMost
            | Binary::AtLeast
            | Binary::Equal
            | Binary::NotEqual
            | Binary::And
            | Binary::Or
            | Binary::Xor => [0.0, 0.0],
        }
    }
}

/// The slope of a power in its exponent; that of a negative number has none.
fn in_exponent(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { libm::log(a) * Binary::Pow.apply(a, b) }
}
