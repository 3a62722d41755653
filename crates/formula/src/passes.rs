//! Evaluates steps over columns: each step processes a few rows and hands them to the next step.

use crate::column::Column;
use crate::form::{Compiled, Form};
use crate::step::{Act, Pass, ROWS, Rows, SLOTS, Step, Term};

/// Programs of at most this many steps, which most are, look up their columns once and not in every pass.
const FEW: usize = 8;

/// The operand of steps without an operand, and of constants.
const ONES: &Rows = &[1.0; ROWS];

/// Evaluates the rows from `first` on, which is a multiple of [`ROWS`].
pub(crate) fn eval(
    steps: &[Step],
    slots: u32,
    inputs: &[Column<'_>],
    first: usize,
    out: &mut [f64],
) {
    let first = first / ROWS;
    match slots {
        0 => every_row(steps, inputs, first, out, &mut []),
        1..=4 => with_slots::<4>(steps, inputs, first, out),
        5..=64 => with_slots::<64>(steps, inputs, first, out),
        _ => with_slots::<SLOTS>(steps, inputs, first, out),
    }
}

/// A separate function, because a large stack frame costs time even if it is not used.
#[inline(never)]
fn with_slots<const SLOTS: usize>(
    steps: &[Step],
    inputs: &[Column<'_>],
    first: usize,
    out: &mut [f64],
) {
    every_row(steps, inputs, first, out, &mut [[0.0; ROWS]; SLOTS]);
}

/// Evaluates the rows from those of pass `first` on. Compiled once for all numbers of slots.
#[inline(never)]
fn every_row(
    steps: &[Step],
    inputs: &[Column<'_>],
    first: usize,
    out: &mut [f64],
    slots: &mut [Rows],
) {
    let (whole, rest) = out.as_chunks_mut();
    let last = first + whole.len();
    if slots.is_empty() && steps.len() <= FEW && whole.len() > 1 {
        few_steps(steps, inputs, first, whole);
    } else {
        for (at, acc) in whole.iter_mut().enumerate() {
            some_rows(steps, inputs, first + at, acc, slots, &mut []);
        }
    }
    if !rest.is_empty() {
        let mut acc = [0.0; ROWS];
        some_rows(steps, inputs, last, &mut acc, slots, &mut [[0.0; ROWS]; 3]);
        rest.copy_from_slice(&acc[..rest.len()]);
    }
}

/// Runs all passes of at most `FEW` steps that use no slots.
#[inline(never)]
fn few_steps(steps: &[Step], inputs: &[Column<'_>], first: usize, out: &mut [Rows]) {
    let passes = |term: Term| match inputs.get(term.index as usize) {
        Some(column) => column.values.as_chunks().0.get(first..).unwrap_or_default(),
        None => &[],
    };
    let mut columns = [[&[][..]; 3]; FEW];
    for (columns, step) in columns.iter_mut().zip(steps) {
        *columns = step.terms().map(passes);
    }
    for (at, acc) in out.iter_mut().enumerate() {
        for (step, [x, y, z]) in steps.iter().zip(&columns) {
            let x = x.get(at).unwrap_or(ONES);
            let y = y.get(at).unwrap_or(ONES);
            let z = z.get(at).unwrap_or(ONES);
            (step.pass.0)(acc, x, y, z, step);
        }
    }
}

/// Runs all steps on the rows of one pass; `pads` holds copies of operands that are shorter than a pass.
///
/// Inlined, so that full passes spend nothing on pads.
#[inline(always)]
fn some_rows(
    steps: &[Step],
    inputs: &[Column<'_>],
    at: usize,
    acc: &mut Rows,
    slots: &mut [Rows],
    pads: &mut [Rows],
) {
    for step in steps {
        if step.act == Act::Keep
            && let Some(slot) = slots.get_mut(usize::from(step.slot))
        {
            *slot = *acc;
        }
        let mut pads = pads.iter_mut();
        let x = if step.from_slot {
            slots.get(step.x.index as usize).unwrap_or(ONES)
        } else {
            operand(step.x, inputs, at, pads.next())
        };
        let y = match step.act {
            Act::Choose(_) => slots.get(usize::from(step.slot)).unwrap_or(ONES),
            _ => operand(step.y, inputs, at, pads.next()),
        };
        let z = operand(step.z, inputs, at, pads.next());
        (step.pass.0)(acc, x, y, z, step);
    }
}

#[inline(always)]
fn operand<'a>(
    term: Term,
    inputs: &'a [Column<'_>],
    at: usize,
    pad: Option<&'a mut Rows>,
) -> &'a Rows {
    let Some(column) = inputs.get(term.index as usize) else { return ONES };
    let (whole, rest) = column.values.as_chunks();
    match (whole.get(at), pad) {
        (Some(rows), _) => rows,
        (None, Some(pad)) => {
            pad[..rest.len()].copy_from_slice(rest);
            pad
        }
        (None, None) => ONES,
    }
}

impl Compiled for Pass {
    fn compile<F: Form>(step: &Step) -> Pass {
        if step.is_weighted() { Pass(pass::<F, true>) } else { Pass(pass::<F, false>) }
    }
}

fn pass<F: Form, const WEIGHTED: bool>(acc: &mut Rows, x: &Rows, y: &Rows, z: &Rows, step: &Step) {
    let [wx, wy, wz] = if WEIGHTED { step.weights() } else { [1.0; 3] };
    for (((acc, &x), &y), &z) in acc.iter_mut().zip(x).zip(y).zip(z) {
        *acc = F::apply(*acc, wx * x, wy * y, wz * z);
    }
}
