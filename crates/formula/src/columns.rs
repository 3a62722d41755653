//! Evaluation over columns: one value per row, computed in blocks.

#[cfg(not(feature = "fast"))]
use alloc::vec;

use crate::code::Code;
use crate::column::{Column, ColumnMut};
use crate::error::ColumnsError;
#[cfg(feature = "fast")]
use crate::{passes, sums};

pub(crate) fn eval(
    code: &Code,
    count: usize,
    inputs: &[Column<'_>],
    out: &mut ColumnMut<'_>,
) -> Result<(), ColumnsError> {
    check(count, inputs, out)?;
    let inputs = &inputs[..count];
    if out.validity.is_none() && inputs.iter().all(|column| column.validity.is_none()) {
        values(code, inputs, 0, out.values);
        return Ok(());
    }
    let mut bits = [0; BLOCK / 64];
    for (at, block) in out.values.chunks_mut(BLOCK).enumerate() {
        let (first, bits) = (at * (BLOCK / 64), &mut bits[..block.len().div_ceil(64)]);
        values(code, inputs, at * BLOCK, block);
        combine_validity(inputs, first, block.len(), bits);
        apply_validity(bits, block);
        if let Some(validity) = &mut out.validity {
            validity[first..first + bits.len()].copy_from_slice(bits);
        }
    }
    Ok(())
}

/// Evaluates the rows from `first` on, each step on many rows at a time.
#[cfg(feature = "fast")]
fn values(code: &Code, inputs: &[Column<'_>], first: usize, out: &mut [f64]) {
    match &code.shape {
        Some(shape) if code.steps.is_empty() => sums::eval(shape, inputs, first, out),
        _ => passes::eval(&code.steps, code.slots, inputs, first, out),
    }
}

/// Evaluates the rows from `first` on, one by one.
#[cfg(not(feature = "fast"))]
fn values(code: &Code, inputs: &[Column<'_>], first: usize, out: &mut [f64]) {
    let mut of_row = vec![0.0; inputs.len()];
    for (row, out) in (first..).zip(out) {
        of_row.iter_mut().zip(inputs).for_each(|(value, column)| *value = column.values[row]);
        *out = code.eval(&of_row);
    }
}

/// The rows whose validity is applied while their values are in the first-level cache.
const BLOCK: usize = 1024;

/// For each set of four rows of which those with a set bit have a value: what makes NaN of the others.
const MISSING: [[u64; 4]; 16] = {
    let mut missing = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut row = 0;
        while row < 4 {
            // NaN with all bits set.
            missing[bits][row] = if bits >> row & 1 == 0 { u64::MAX } else { 0 };
            row += 1;
        }
        bits += 1;
    }
    missing
};

/// Sets the bit of each of the rows in which every input has a value, and clears the others; the word `first` of the inputs'
/// bitmaps is that of the first row.
fn combine_validity(inputs: &[Column<'_>], first: usize, rows: usize, bits: &mut [u64]) {
    bits.fill(u64::MAX);
    for of_input in inputs.iter().filter_map(|column| column.validity) {
        let of_input = &of_input[first..first + bits.len()];
        bits.iter_mut().zip(of_input).for_each(|(bits, of_input)| *bits &= of_input);
    }
    if let (Some(last), in_last @ 1..) = (bits.last_mut(), rows % 64) {
        *last &= (1 << in_last) - 1;
    }
}

/// Makes NaN of the rows whose bits are not set.
#[cfg_attr(feature = "avx2", multiversion::multiversion(targets("x86_64+avx2")))]
fn apply_validity(valid: &[u64], block: &mut [f64]) {
    for (valid, rows) in valid.iter().zip(block.chunks_mut(64)) {
        if *valid == u64::MAX {
            continue;
        }
        let mut bits = *valid;
        let (fours, rest) = rows.as_chunks_mut();
        for rows in fours {
            make_missing(rows, bits);
            bits >>= 4;
        }
        let mut last = [0.0; 4];
        last[..rest.len()].copy_from_slice(rest);
        make_missing(&mut last, bits);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Makes NaN of the rows whose bits, of the lowest four, are not set.
#[inline(always)]
fn make_missing(rows: &mut [f64; 4], bits: u64) {
    let missing = &MISSING[(bits & 15) as usize];
    *rows = core::array::from_fn(|row| f64::from_bits(rows[row].to_bits() | missing[row]));
}

fn check(expected: usize, inputs: &[Column<'_>], out: &ColumnMut<'_>) -> Result<(), ColumnsError> {
    let rows = out.values.len();
    if inputs.len() < expected {
        return Err(ColumnsError::MissingInput { expected, found: inputs.len() });
    }
    for (input, column) in inputs[..expected].iter().enumerate() {
        let found = column.values.len();
        if found != rows {
            return Err(ColumnsError::Length { input, expected: rows, found });
        }
    }
    let short = |bits: usize| bits < rows.div_ceil(64);
    let bitmaps = inputs[..expected].iter().map(|column| column.validity);
    if bitmaps.chain([out.validity.as_deref()]).flatten().any(|bits| short(bits.len())) {
        return Err(ColumnsError::ShortBitmap { expected: rows.div_ceil(64) });
    }
    Ok(())
}
