//! Evaluates a formula over doubles, integers or columns.

use crate::column::{Column, ColumnMut};
use crate::error::{ColumnsError, EvalError};
use crate::formula::Formula;
use crate::number::Number;
use crate::{columns, exact};

impl Formula {
    /// The value by the rules of IEEE 754 doubles; division by zero, for example, yields an infinity.
    ///
    /// `inputs` holds the values of [`inputs`](Self::inputs) in their order; extra values are ignored, and with too few the result is NaN.
    /// Does not allocate.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0 / N1", Syntax::Infix)?;
    /// assert_eq!(formula.eval(&[3.0, 2.0]), 1.5);
    /// assert_eq!(formula.eval(&[3.0, 0.0]), f64::INFINITY);
    /// assert!(formula.eval(&[3.0]).is_nan());
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    #[inline]
    pub fn eval(&self, inputs: &[f64]) -> f64 {
        if inputs.len() < self.names.len() { f64::NAN } else { self.code.eval(inputs) }
    }

    /// The value of every row of the columns, bit-identical to that of [`eval`](Self::eval), or NaN where `eval` returns NaN.
    ///
    /// `inputs` holds the columns of [`inputs`](Self::inputs) in their order, all as long as `out`; extra columns are ignored.
    /// A row has a value if all its inputs have one.
    /// Does not allocate, and uses at most 70 KB of stack in an optimized build; without the feature `fast`, it evaluates row by row, and allocates memory for one.
    ///
    /// ```
    /// use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};
    ///
    /// let difference = Formula::parse("N0 - N1", Syntax::Infix)?;
    /// let inputs = [Column::from(&[5.0, 6.0][..]), Column::from(&[1.0, 4.0][..])];
    /// let mut values = [0.0; 2];
    /// difference.eval_columns(&inputs, &mut ColumnMut { values: &mut values, validity: None })?;
    /// assert_eq!(values, [4.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if columns are missing or differ in length; nothing is written in that case.
    pub fn eval_columns(
        &self,
        inputs: &[Column<'_>],
        out: &mut ColumnMut<'_>,
    ) -> Result<(), ColumnsError> {
        columns::eval(&self.code, self.names.len(), inputs, out)
    }

    /// The value for integer inputs, exact if it is an integer.
    ///
    /// Integers are kept in 128 bits through `+ - *`, signs, `min max abs`, and through `/ % //` and powers whose result is an integer; any other result is a double from there on.
    /// Does not allocate unless the formula has more than 256 operations.
    ///
    /// ```
    /// use counterpoint_formula::{EvalErrorKind, Formula, Number, Syntax};
    ///
    /// let formula = Formula::parse("N0 / N1", Syntax::Infix)?;
    /// assert_eq!(formula.eval_exact(&[1 << 100, 2]), Ok(Number::Int(1 << 99)));
    /// assert_eq!(formula.eval_exact(&[1, 2]), Ok(Number::Real(0.5)));
    /// let error = formula.eval_exact(&[1, 0]).unwrap_err();
    /// assert_eq!((error.span, error.kind), (3..4, EvalErrorKind::DivisionByZero));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first operation that has no value, in the order of the text, or that there are too few inputs.
    pub fn eval_exact(&self, inputs: &[i128]) -> Result<Number, EvalError> {
        exact::eval(self, inputs.len(), |at| Number::Int(inputs[at]))
    }

    /// The value for a mix of integer and real inputs; integers are kept exact as in [`eval_exact`](Self::eval_exact).
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Number, Syntax};
    ///
    /// let formula = Formula::parse("N0 * N1", Syntax::Infix)?;
    /// let inputs = [Number::Int(1 << 80), Number::Real(0.5)];
    /// assert_eq!(formula.eval_numbers(&inputs), Ok(Number::Real(f64::powi(2.0, 79))));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first operation that has no value, in the order of the text, or that there are too few inputs.
    pub fn eval_numbers(&self, inputs: &[Number]) -> Result<Number, EvalError> {
        exact::eval(self, inputs.len(), |at| inputs[at])
    }
}
