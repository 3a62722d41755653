//! Steps over a block of rows, up to four of them in one pass.

use alloc::vec::Vec;
use core::mem;

use crate::code::{Act, ONE, Step};
use crate::columns::Column;
use crate::op::Binary;

/// Rows computed together: a few blocks of them fit into the nearest cache.
pub(crate) const BLOCK: usize = 1024;

/// The rows that are being computed.
pub(crate) struct Block<'a> {
    pub(crate) inputs: &'a [Column<'a>],
    /// The first row of the block.
    pub(crate) first: usize,
    pub(crate) rows: usize,
    /// Each with `BLOCK` rows.
    pub(crate) slots: &'a mut [Vec<f64>],
}

/// What a step does with the accumulator and its operand; x stands for `weight` times the operand.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// acc = x.
    Load,
    /// acc = acc + x.
    Add,
    /// acc = acc − x.
    Sub,
    /// acc = x − acc.
    SubFrom,
    /// acc = acc × the weight alone.
    Scale,
    /// acc = acc × x.
    Mul,
    /// acc = acc ÷ x.
    Div,
    /// acc = x ÷ acc.
    DivInto,
    /// Anything else.
    Other,
}

/// Compiles an expression for each kind of step that has an operand and the accumulator.
macro_rules! with_kind {
    ($step:expr, $f:ident, $body:expr) => {
        match Kind::of(&$step) {
            Kind::Add => {
                let $f = |acc: f64, x: f64| acc + x;
                $body
            }
            Kind::Sub => {
                let $f = |acc: f64, x: f64| acc - x;
                $body
            }
            Kind::SubFrom => {
                let $f = |acc: f64, x: f64| x - acc;
                $body
            }
            Kind::Scale => {
                let weight = $step.weight;
                let $f = move |acc: f64, _: f64| acc * weight;
                $body
            }
            Kind::Mul => {
                let $f = |acc: f64, x: f64| acc * x;
                $body
            }
            Kind::Div => {
                let $f = |acc: f64, x: f64| acc / x;
                $body
            }
            Kind::DivInto => {
                let $f = |acc: f64, x: f64| x / acc;
                $body
            }
            Kind::Load | Kind::Other => {}
        }
    };
}

impl Kind {
    fn of(step: &Step) -> Kind {
        match step.act {
            Act::Load | Act::StoreLoad | Act::LoadSlot => Kind::Load,
            Act::Add if step.weight < 0.0 => Kind::Sub,
            Act::Add | Act::AddSlot => Kind::Add,
            Act::SubSlot => Kind::Sub,
            Act::SubFrom | Act::SubFromSlot => Kind::SubFrom,
            Act::Mul if step.index == ONE => Kind::Scale,
            Act::Mul | Act::MulSlot => Kind::Mul,
            Act::Div | Act::DivSlot => Kind::Div,
            Act::DivInto | Act::DivIntoSlot => Kind::DivInto,
            _ => Kind::Other,
        }
    }
}

/// The slot that a step puts the accumulator into.
fn stored(step: &Step) -> Option<usize> {
    match step.act {
        Act::Store => Some(step.index as usize),
        Act::StoreLoad => Some(step.slot.into()),
        _ => None,
    }
}

/// The slot that a step takes its operand from.
fn taken(step: &Step) -> Option<usize> {
    let from_slot = matches!(
        step.act,
        Act::LoadSlot
            | Act::AddSlot
            | Act::SubSlot
            | Act::SubFromSlot
            | Act::MulSlot
            | Act::DivSlot
            | Act::DivIntoSlot
            | Act::BinarySlot(_)
            | Act::BinaryFromSlot(_)
    );
    from_slot.then_some(step.index as usize)
}

/// How many of these steps make one pass.
fn pass(steps: &[Step]) -> usize {
    let kind = |at: usize| steps.get(at).map_or(Kind::Other, Kind::of);
    let inner =
        |at: usize| !matches!(kind(at), Kind::Load | Kind::Other) && stored(&steps[at]).is_none();
    let term = |at: usize| matches!(kind(at), Kind::Add | Kind::Sub);
    let sum = (kind(0) == Kind::Load || term(0)) && (1..4).all(term);
    match kind(0) {
        Kind::Other => 1,
        _ if sum => 4,
        Kind::Load if inner(1) && inner(2) => 3,
        Kind::Load if inner(1) => 2,
        _ => 1,
    }
}

impl Block<'_> {
    /// Computes the steps; the last value of each row is in `acc` then.
    ///
    /// After a value was stored no step reads it from the accumulator: the next one loads.
    pub(crate) fn run(&mut self, steps: &[Step], acc: &mut [f64]) {
        let mut rest = steps;
        // Whether the slot that the next step stores into has the accumulator's values already.
        let mut is_stored = false;
        while !rest.is_empty() {
            let (steps, after) = rest.split_at(pass(rest));
            if let Some(slot) = stored(&steps[0])
                && !is_stored
            {
                self.slots[slot][..acc.len()].copy_from_slice(acc);
            }
            let next = after.first().and_then(stored);
            let next = next.filter(|slot| !steps.iter().any(|step| taken(step) == Some(*slot)));
            is_stored = Kind::of(&steps[0]) == Kind::Load && next.is_some();
            match next {
                // What is stored next is computed into its slot.
                Some(slot) if is_stored => {
                    let mut values = mem::take(&mut self.slots[slot]);
                    self.pass(steps, &mut values[..acc.len()]);
                    self.slots[slot] = values;
                }
                _ => self.pass(steps, acc),
            }
            rest = after;
        }
    }

    /// The operand of a step and its weight; that of what is subtracted is positive, a scale's is not the operand's.
    fn operand(&self, step: &Step) -> (&[f64], f64) {
        const ONES: &[f64; BLOCK] = &[1.0; BLOCK];
        let weight = match Kind::of(step) {
            Kind::Sub => step.weight.abs(),
            Kind::Scale => 1.0,
            _ => step.weight,
        };
        if let Some(slot) = taken(step) {
            return (&self.slots[slot][..self.rows], weight);
        }
        match self.inputs.get(step.index as usize) {
            Some(column) => (&column.values[self.first..self.first + self.rows], weight),
            None => (&ONES[..self.rows], weight),
        }
    }

    /// Computes one to four steps for every row.
    fn pass(&self, steps: &[Step], acc: &mut [f64]) {
        if steps.iter().all(|step| self.operand(step).1 == 1.0) {
            self.weighted_pass::<false>(steps, acc);
        } else {
            self.weighted_pass::<true>(steps, acc);
        }
    }

    /// As `pass`; without `WEIGHTED` every weight is 1 and saves a multiplication.
    fn weighted_pass<const WEIGHTED: bool>(&self, steps: &[Step], acc: &mut [f64]) {
        let loads = Kind::of(&steps[0]) == Kind::Load;
        let operand = |at: usize| self.operand(&steps[at]);
        let x = |weight: f64, x: f64| if WEIGHTED { weight * x } else { x };
        match steps.len() {
            4 => self.sum_of_4(steps, acc, loads),
            3 => {
                let ((a, wa), (b, wb), (c, wc)) = (operand(0), operand(1), operand(2));
                with_kind!(steps[1], f, {
                    with_kind!(steps[2], g, {
                        each_3(acc, a, b, c, move |a, b, c| g(f(x(wa, a), x(wb, b)), x(wc, c)));
                    })
                });
            }
            2 => {
                let ((a, wa), (b, wb)) = (operand(0), operand(1));
                with_kind!(steps[1], f, {
                    each_2(acc, a, b, move |a, b| f(x(wa, a), x(wb, b)));
                });
            }
            _ => self.single(&steps[0], acc),
        }
    }

    /// Sums four terms, the first of them with the accumulator unless it is loaded.
    fn sum_of_4(&self, steps: &[Step], acc: &mut [f64], loads: bool) {
        let operand = |at: usize| {
            let (x, weight) = self.operand(&steps[at]);
            (x, if Kind::of(&steps[at]) == Kind::Sub { -weight } else { weight })
        };
        let ((a, wa), (b, wb), (c, wc), (d, wd)) = (operand(0), operand(1), operand(2), operand(3));
        let units = [wa, wb, wc, wd] == [1.0; 4];
        match (loads, units) {
            (true, true) => each_4(acc, a, b, c, d, |_, a, b, c, d| a + b + c + d),
            (false, true) => each_4(acc, a, b, c, d, |acc, a, b, c, d| acc + a + b + c + d),
            (true, false) => {
                each_4(acc, a, b, c, d, move |_, a, b, c, d| wa * a + wb * b + wc * c + wd * d)
            }
            (false, false) => each_4(acc, a, b, c, d, move |acc, a, b, c, d| {
                acc + wa * a + wb * b + wc * c + wd * d
            }),
        }
    }

    /// Computes one step for every row.
    fn single(&self, step: &Step, acc: &mut [f64]) {
        let (x, w) = self.operand(step);
        match step.act {
            Act::Unary(op) => acc.iter_mut().for_each(move |acc| *acc = op.apply(*acc)),
            // With the operation known when this is compiled the loop is faster.
            Act::Binary(Binary::Max) => each(acc, x, move |acc, x| Binary::Max.apply(acc, w * x)),
            Act::Binary(Binary::Min) => each(acc, x, move |acc, x| Binary::Min.apply(acc, w * x)),
            Act::Binary(op) | Act::BinarySlot(op) => {
                each(acc, x, move |acc, x| op.apply(acc, w * x))
            }
            Act::BinaryFrom(op) | Act::BinaryFromSlot(op) => {
                each(acc, x, move |acc, x| op.apply(w * x, acc));
            }
            _ if Kind::of(step) == Kind::Load => each(acc, x, move |_, x| w * x),
            _ => with_kind!(*step, f, each(acc, x, move |acc, x| f(acc, w * x))),
        }
    }
}

// Each loop is a function of its own: then the compiler knows that its operands do not overlap, and uses vector instructions.

#[inline(never)]
fn each_4(
    acc: &mut [f64],
    a: &[f64],
    b: &[f64],
    c: &[f64],
    d: &[f64],
    f: impl Fn(f64, f64, f64, f64, f64) -> f64,
) {
    for ((((acc, &a), &b), &c), &d) in acc.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *acc = f(*acc, a, b, c, d);
    }
}

#[inline(never)]
fn each_3(acc: &mut [f64], a: &[f64], b: &[f64], c: &[f64], f: impl Fn(f64, f64, f64) -> f64) {
    for (((acc, &a), &b), &c) in acc.iter_mut().zip(a).zip(b).zip(c) {
        *acc = f(a, b, c);
    }
}

#[inline(never)]
fn each_2(acc: &mut [f64], a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) {
    for ((acc, &a), &b) in acc.iter_mut().zip(a).zip(b) {
        *acc = f(a, b);
    }
}

#[inline(never)]
fn each(acc: &mut [f64], a: &[f64], f: impl Fn(f64, f64) -> f64) {
    for (acc, &a) in acc.iter_mut().zip(a) {
        *acc = f(*acc, a);
    }
}
