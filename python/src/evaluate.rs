//! Evaluates a formula over columns, in blocks of rows and on several threads.

use crate::column::{Column, Scratch};
use counterpoint::formula::{self, Binary, ColumnMut, ColumnsError, Formula, Op};
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

/// Rows that are converted together, a multiple of 64.
const BLOCK: usize = 4096;

/// Rows of a block that are evaluated together: the processor keeps their results at hand until they are checked.
const ROWS: usize = 1024;

/// Rows that a thread takes at a time. It takes longer to start than it needs for fewer, and these fill a large page of
/// memory, which two threads would clear twice if both came to it first.
const PART: usize = 64 * BLOCK;

/// The memory for the results: NaN, and a bit that is not set, for a row without a value.
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
    let threads = threads.clamp(1, out.values.len().div_ceil(PART).max(1));
    let parts = out.values.chunks_mut(PART).zip(out.validity.chunks_mut(PART / 64)).enumerate();
    // Whichever thread is free takes the next part: one that the system lets wait holds up no other.
    let parts = Mutex::new(parts);
    let work = || {
        let hides_missing = formula.ops().iter().any(hides_missing);
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((part, (values, validity))) = next() {
            let out = Results { values, validity };
            blocks(formula, columns, hides_missing, part * PART, out)?;
        }
        Ok(())
    };
    if threads == 1 {
        return work();
    }
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |other: ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        others.into_iter().map(join).fold(own, Result::and)
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
        let mut some = Vec::with_capacity(inputs.len());
        let parts = values.chunks_mut(ROWS).zip(validity.chunks_mut(ROWS / 64));
        for (part, (values, validity)) in parts.enumerate() {
            let rows = part * ROWS..part * ROWS + values.len();
            some.clear();
            some.extend(inputs.iter().map(|input| formula::Column {
                values: &input.values[rows.clone()],
                validity: input.validity.map(|words| &words[rows.start / 64..]),
            }));
            formula.eval_columns(&some, &mut ColumnMut { values, validity: None })?;
            if hides_missing {
                drop_missing(&some, values);
            }
            mark_finite(values, validity);
        }
    }
    Ok(())
}

/// Returns true if an operation may have a number as its result although an operand is NaN.
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
    if values.len().is_multiple_of(64) && are_finite(values) {
        validity.fill(u64::MAX);
        return;
    }
    for (rows, word) in values.chunks_mut(64).zip(validity) {
        *word = u64::MAX >> (64 - rows.len());
        if are_finite(rows) {
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

/// Returns true if all values are finite, found out without a branch for each: only what is not finite has a difference from itself.
#[expect(clippy::eq_op, reason = "the difference is 0 or NaN")]
fn are_finite(values: &[f64]) -> bool {
    values.iter().fold(0, |bits, value| bits | (value - value).to_bits()) == 0
}
