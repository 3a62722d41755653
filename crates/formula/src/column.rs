//! Values of one input or result, one per row.

/// The values of one input, one per row.
///
/// ```
/// use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};
///
/// let ipc = Formula::parse("N0 / N1", Syntax::Infix)?;
/// let (instructions, cycles) = ([6.0, 8.0, 9.0], [3.0, 2.0, 0.0]);
/// // The last row has no cycles: its bit is not set.
/// let inputs = [Column::from(&instructions[..]), Column::with_validity(&cycles, &[0b011])];
/// let (mut values, mut validity) = ([0.0; 3], [0]);
/// let mut out = ColumnMut { values: &mut values, validity: Some(&mut validity) };
/// ipc.eval_columns(&inputs, &mut out)?;
/// assert_eq!(values[..2], [2.0, 4.0]);
/// assert!(values[2].is_nan());
/// assert_eq!(validity, [0b011]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// One value per row.
    pub values: &'a [f64],
    /// One bit per row, set if the row has a value: row r is bit r % 64 of word r / 64. Without a bitmap every row has a value.
    pub validity: Option<&'a [u64]>,
}

impl<'a> Column<'a> {
    /// A column in which some rows have no value.
    ///
    /// ```
    /// use counterpoint_formula::Column;
    ///
    /// let third_is_missing = Column::with_validity(&[1.0, 2.0, 0.0], &[0b011]);
    /// assert_eq!(third_is_missing.values.len(), 3);
    /// ```
    pub fn with_validity(values: &'a [f64], validity: &'a [u64]) -> Column<'a> {
        Column { values, validity: Some(validity) }
    }
}

impl<'a> From<&'a [f64]> for Column<'a> {
    fn from(values: &'a [f64]) -> Column<'a> {
        Column { values, validity: None }
    }
}

/// The memory for the results, one per row.
#[derive(Debug)]
pub struct ColumnMut<'a> {
    /// One value per row; NaN for a row in which an input has no value.
    pub values: &'a mut [f64],
    /// One bit per row as in [`Column::validity`], set if every input has a value; bits beyond the last row are cleared in the last word.
    pub validity: Option<&'a mut [u64]>,
}
