//! Evaluates a formula over columns, in blocks of rows and on several threads.

use crate::column::{Column, Scratch};
use counterpoint::formula::{self, Binary, ColumnMut, ColumnsError, Formula, Op};
use std::thread;

/// Rows that are converted and evaluated together: few enough for the cache, and a multiple of 64.
const BLOCK: usize = 4096;

/// A thread takes longer to start than it needs for fewer rows than these.
const ROWS_OF_A_THREAD: usize = 32 * BLOCK;

/// Where the results go: NaN, and a bit that is not set, for a row without a value.
pub(crate) struct Results<'a> {
    pub(crate) values: &'a mut [f64],
    /// One bit per row in words of 64.
    pub(crate) validity: &'a mut [u64],
}

/// Writes the value of every row. A row has one if all inputs have, and if the formula has a finite value for them.
pub(crate) fn evaluate(
    formula: &Formula,
    columns: &[Column<'_>],
    out: Results<'_>,
    threads: usize,
) -> Result<(), ColumnsError> {
    let rows = out.values.len();
    let threads = threads.clamp(1, rows.div_ceil(ROWS_OF_A_THREAD).max(1));
    let of_each = rows.div_ceil(threads).next_multiple_of(BLOCK).max(BLOCK);
    let hides_missing = formula.ops().iter().any(hides_missing);
    let parts = out.values.chunks_mut(of_each).zip(out.validity.chunks_mut(of_each / 64));
    let mut parts = parts.enumerate().map(|(part, (values, validity))| {
        let out = Results { values, validity };
        move || blocks(formula, columns, hides_missing, part * of_each, out)
    });
    let Some(own) = parts.next() else { return Ok(()) };
    thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(part)).collect();
        let own = own();
        // A panic of a thread is passed on at the end of the scope.
        others.into_iter().filter_map(|other| other.join().ok()).fold(own, Result::and)
    })
}

/// The rows from `first` on.
fn blocks(
    formula: &Formula,
    columns: &[Column<'_>],
    hides_missing: bool,
    first: usize,
    out: Results<'_>,
) -> Result<(), ColumnsError> {
    let mut scratch: Vec<Scratch> = columns.iter().map(|_| Scratch::default()).collect();
    let blocks = out.values.chunks_mut(BLOCK).zip(out.validity.chunks_mut(BLOCK / 64));
    for (block, (values, validity)) in blocks.enumerate() {
        let start = first + block * BLOCK;
        let rows = start..start + values.len();
        let inputs = columns.iter().zip(&mut scratch);
        let inputs: Vec<formula::Column<'_>> =
            inputs.map(|(column, scratch)| column.block(rows.clone(), scratch)).collect();
        formula.eval_columns(&inputs, &mut ColumnMut { values, validity: None })?;
        if hides_missing {
            drop_missing(&inputs, values);
        }
        mark_finite(values, validity);
    }
    Ok(())
}

/// Whether an operation may have a number as its result although an operand is NaN.
fn hides_missing(op: &Op) -> bool {
    use Binary::{Add, Div, Mul, Sub};
    match op {
        Op::Constant(_) | Op::Input(_) | Op::Unary(..) => false,
        Op::Binary(op, ..) => !matches!(op, Add | Sub | Mul | Div),
        _ => true,
    }
}

/// Makes NaN of the rows in which an input is NaN: NaN is how columns without validity mark what is missing.
fn drop_missing(inputs: &[formula::Column<'_>], values: &mut [f64]) {
    for input in inputs {
        for (value, input) in values.iter_mut().zip(input.values) {
            *value = if input.is_nan() { f64::NAN } else { *value };
        }
    }
}

/// Sets the bits of the rows that have a finite value, and makes NaN of the others.
fn mark_finite(values: &mut [f64], validity: &mut [u64]) {
    for (rows, word) in values.chunks_mut(64).zip(validity) {
        let all = u64::MAX >> (64 - rows.len());
        *word = all;
        // Without a branch for each row, this is a few instructions for all of them.
        if rows.iter().fold(true, |all, value| all & value.is_finite()) {
            continue;
        }
        for (row, value) in rows.iter_mut().enumerate() {
            if !value.is_finite() {
                *value = f64::NAN;
                *word &= !(1 << row);
            }
        }
    }
}
