//! Evaluation over columns: one value per row, computed in blocks.

use crate::code::{Act, Code, Step, Term};
use crate::error::ColumnsError;
use crate::form::{self, Compiled, Form};

/// Rows computed together: a few blocks of them fit into the nearest cache.
const BLOCK: usize = 256;

/// The operand of steps that have none.
const ONES: &[f64; BLOCK] = &[1.0; BLOCK];

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
    /// One bit per row, set if the row has a value: row r is bit r % 64 of word r / 64. Without a bitmap every row has one.
    pub validity: Option<&'a [u64]>,
}

impl<'a> Column<'a> {
    /// A column some of whose rows have no value.
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

/// Where results go, one per row.
#[derive(Debug)]
pub struct ColumnMut<'a> {
    /// One value per row; not a number where an input has none.
    pub values: &'a mut [f64],
    /// One bit per row as in [`Column::validity`], set if every input has a value; in the last word the bits beyond the last row are cleared.
    pub validity: Option<&'a mut [u64]>,
}

pub(crate) fn eval(
    code: &Code,
    count: usize,
    inputs: &[Column<'_>],
    out: &mut ColumnMut<'_>,
) -> Result<(), ColumnsError> {
    check(count, inputs, out)?;
    let inputs = &inputs[..count];
    match code.slots {
        0 => blocks(code, inputs, out.values, &mut []),
        1..=2 => blocks(code, inputs, out.values, &mut [0.0; 2 * BLOCK]),
        3..=8 => blocks(code, inputs, out.values, &mut [0.0; 8 * BLOCK]),
        _ => blocks(code, inputs, out.values, &mut [0.0; 16 * BLOCK]),
    }
    apply_validity(inputs, out);
    Ok(())
}

/// Computes every row, a block of them at a time; the slots of one block share `slots`.
fn blocks(code: &Code, inputs: &[Column<'_>], out: &mut [f64], slots: &mut [f64]) {
    let size = slots.len().checked_div(code.slots as usize).unwrap_or(BLOCK).min(BLOCK);
    let mut first = 0;
    for acc in out.chunks_mut(size) {
        let rows = first..first + acc.len();
        first = rows.end;
        for step in &code.steps {
            let start = usize::from(step.slot) * size;
            if step.act == Act::Keep
                && let Some(slot) = slots.get_mut(start..start + acc.len())
            {
                slot.copy_from_slice(acc);
            }
            let input = |term: Term| match inputs.get(term.index as usize) {
                Some(column) => &column.values[rows.clone()],
                None => &ONES[..rows.len()],
            };
            let start = step.x.index as usize * size;
            let x = match step.from_slot {
                true => slots.get(start..start + acc.len()).unwrap_or_default(),
                false => input(step.x),
            };
            if let Some(Pass(pass)) = form::compiled(step) {
                let weights = [step.x.weight, step.y.weight, step.z.weight];
                pass(acc, [x, input(step.y), input(step.z)], weights);
            }
        }
    }
}

/// Does one step for some rows, whose operands are given with their weights.
struct Pass(fn(&mut [f64], [&[f64]; 3], [f64; 3]));

impl Compiled for Pass {
    fn of<F: Form>(step: &Step) -> Pass {
        match [step.x, step.y, step.z].iter().all(|term| term.weight == 1.0) {
            true => Pass(pass::<F, false>),
            false => Pass(pass::<F, true>),
        }
    }
}

fn pass<F: Form, const WEIGHTED: bool>(acc: &mut [f64], [x, y, z]: [&[f64]; 3], weights: [f64; 3]) {
    let [wx, wy, wz] = if WEIGHTED { weights } else { [1.0; 3] };
    for (((acc, &x), &y), &z) in acc.iter_mut().zip(x).zip(y).zip(z) {
        *acc = F::apply(*acc, wx * x, wy * y, wz * z);
    }
}

/// Marks the rows in which an input has no value.
fn apply_validity(inputs: &[Column<'_>], out: &mut ColumnMut<'_>) {
    let bitmaps = inputs.iter().filter_map(|column| column.validity);
    if out.validity.is_none() && bitmaps.clone().next().is_none() {
        return;
    }
    for (at, rows) in out.values.chunks_mut(64).enumerate() {
        let all = u64::MAX >> (64 - rows.len());
        let valid = bitmaps.clone().fold(all, |valid, bits| valid & bits[at]);
        if valid != all {
            let missing = rows.iter_mut().enumerate().filter(|(row, _)| valid >> row & 1 == 0);
            missing.for_each(|(_, value)| *value = f64::NAN);
        }
        if let Some(validity) = &mut out.validity {
            validity[at] = valid;
        }
    }
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
