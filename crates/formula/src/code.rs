//! The program that evaluates doubles: an accumulator machine whose operands are weighted inputs.
//!
//! Every operation keeps the order of the formula's text where rounding depends on it, so results are those of the operations one by one, to the bit.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::compile;
use crate::number::Number;
use crate::op::{Binary, Op, Unary};

/// Values that a program may keep besides the accumulator; what finds no place is computed again.
pub(crate) const SLOTS: usize = 1024;

/// The input index that stands for the constant 1.
pub(crate) const ONE: u32 = u32::MAX;

#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) steps: Vec<Step>,
    /// How many slots the steps use.
    pub(crate) slots: u32,
    shape: Shape,
}

/// One step: what becomes of the accumulator `acc` with x = `weight` × the input of this `index`, or with the slot of this `index`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) act: Act,
    /// The slot of `StoreLoad`.
    pub(crate) slot: u16,
    pub(crate) index: u32,
    pub(crate) weight: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// acc = x.
    Load,
    /// acc = acc + x.
    Add,
    /// acc = x − acc.
    SubFrom,
    /// acc = acc × x.
    Mul,
    /// acc = acc ÷ x.
    Div,
    /// acc = x ÷ acc.
    DivInto,
    /// acc = acc op x.
    Binary(Binary),
    /// acc = x op acc.
    BinaryFrom(Binary),
    /// acc = slot.
    LoadSlot,
    /// acc = acc + slot.
    AddSlot,
    /// acc = acc − slot.
    SubSlot,
    /// acc = slot − acc.
    SubFromSlot,
    /// acc = acc × slot.
    MulSlot,
    /// acc = acc ÷ slot.
    DivSlot,
    /// acc = slot ÷ acc.
    DivIntoSlot,
    /// acc = acc op slot.
    BinarySlot(Binary),
    /// acc = slot op acc.
    BinaryFromSlot(Binary),
    /// acc = op acc.
    Unary(Unary),
    /// slot = acc.
    Store,
    /// The slot that the step names besides = acc, and acc = x.
    StoreLoad,
}

impl Act {
    /// Whether it is more than arithmetic.
    fn calls(self) -> bool {
        use Act::{Binary, BinaryFrom, BinaryFromSlot, BinarySlot, Unary};
        matches!(self, Binary(_) | BinaryFrom(_) | BinarySlot(_) | BinaryFromSlot(_) | Unary(_))
    }
}

/// Programs that need no dispatch on their steps.
#[derive(Clone)]
enum Shape {
    /// Every step is a term of a sum, none subtracts what is before it.
    PlainSum,
    /// Every step is a term of a sum.
    Sum,
    /// numerator × scale ÷ denominator × after, numerator and denominator being as in `PlainSum`.
    Ratio { numerator: Box<[Step]>, denominator: Box<[Step]>, scale: f64, after: f64 },
    /// Every step is an addition, subtraction, multiplication or division.
    Arithmetic,
    /// Anything else.
    Steps,
}

impl Code {
    pub(crate) fn new(ops: &[Op], constants: &[Number]) -> Code {
        let (steps, slots) = compile::steps(ops, constants);
        let shape = shape(&steps);
        Code { steps, slots, shape }
    }

    /// The value for inputs that are all there.
    #[inline]
    pub(crate) fn eval(&self, inputs: &[f64]) -> f64 {
        match &self.shape {
            Shape::PlainSum => plain_sum(&self.steps, inputs),
            Shape::Sum => sum(&self.steps, inputs),
            Shape::Ratio { numerator, denominator, scale, after } => {
                plain_sum(numerator, inputs) * scale / plain_sum(denominator, inputs) * after
            }
            Shape::Arithmetic if self.slots == 0 => arithmetic::<1>(&self.steps, inputs),
            Shape::Arithmetic if self.slots <= 8 => arithmetic::<8>(&self.steps, inputs),
            Shape::Arithmetic | Shape::Steps if self.slots <= 8 => run::<8>(&self.steps, inputs),
            Shape::Arithmetic | Shape::Steps if self.slots <= 64 => run::<64>(&self.steps, inputs),
            Shape::Arithmetic | Shape::Steps => run::<SLOTS>(&self.steps, inputs),
        }
    }
}

impl Step {
    pub(crate) fn new(act: Act, index: u32, weight: f64) -> Step {
        Step { act, slot: 0, index, weight }
    }

    /// The weighted input.
    #[inline(always)]
    fn x(&self, inputs: &[f64]) -> f64 {
        self.weight * inputs.get(self.index as usize).copied().unwrap_or(1.0)
    }

    fn is_term(&self) -> bool {
        matches!(self.act, Act::Load | Act::Add | Act::SubFrom)
    }
}

/// The sum of terms none of which subtracts what is before it.
#[inline]
fn plain_sum(terms: &[Step], inputs: &[f64]) -> f64 {
    let Some((first, rest)) = terms.split_first() else { return f64::NAN };
    rest.iter().fold(first.x(inputs), |acc, term| acc + term.x(inputs))
}

/// The sum of terms; what the first one does with the accumulator is not asked.
#[inline]
fn sum(terms: &[Step], inputs: &[f64]) -> f64 {
    let Some((first, rest)) = terms.split_first() else { return f64::NAN };
    let mut acc = first.x(inputs);
    for term in rest {
        let x = term.x(inputs);
        acc = if term.act == Act::SubFrom { x - acc } else { acc + x };
    }
    acc
}

/// Runs a program of arithmetic; `N` is a power of two above every slot.
///
/// Without calls of other functions in its loop it is faster than `run`.
#[inline]
fn arithmetic<const N: usize>(steps: &[Step], inputs: &[f64]) -> f64 {
    let mut slots = [0.0; N];
    let mut acc = f64::NAN;
    // Written out four times, the steps' jumps are predicted better; short programs do without.
    let (fours, last) = if N == 1 { (&[][..], steps) } else { steps.as_chunks::<4>() };
    for four in fours {
        for step in four {
            acc = arithmetic_step(step, acc, inputs, &mut slots);
        }
    }
    for step in last {
        acc = arithmetic_step(step, acc, inputs, &mut slots);
    }
    acc
}

#[inline(always)]
fn arithmetic_step<const N: usize>(
    step: &Step,
    acc: f64,
    inputs: &[f64],
    slots: &mut [f64; N],
) -> f64 {
    let x = step.x(inputs);
    let slot = step.index as usize % N;
    match step.act {
        Act::Add => acc + x,
        Act::Mul => acc * x,
        Act::Div => acc / x,
        Act::SubFrom => x - acc,
        Act::DivInto => x / acc,
        Act::LoadSlot => slots[slot],
        Act::AddSlot => acc + slots[slot],
        Act::SubSlot => acc - slots[slot],
        Act::SubFromSlot => slots[slot] - acc,
        Act::MulSlot => acc * slots[slot],
        Act::DivSlot => acc / slots[slot],
        Act::DivIntoSlot => slots[slot] / acc,
        Act::Store => {
            slots[slot] = acc;
            acc
        }
        Act::StoreLoad => {
            slots[step.slot as usize % N] = acc;
            x
        }
        // The other acts are not there.
        _ => x,
    }
}

/// Runs any program; `N` is a power of two above every slot.
///
/// A function of its own for each size: the largest frame would slow down every evaluation.
#[inline(never)]
fn run<const N: usize>(steps: &[Step], inputs: &[f64]) -> f64 {
    let mut slots = [0.0; N];
    let mut acc = f64::NAN;
    for step in steps {
        let slot = step.index as usize % N;
        match step.act {
            Act::Load => acc = step.x(inputs),
            Act::Add => acc += step.x(inputs),
            Act::SubFrom => acc = step.x(inputs) - acc,
            Act::Mul => acc *= step.x(inputs),
            Act::Div => acc /= step.x(inputs),
            Act::DivInto => acc = step.x(inputs) / acc,
            Act::Binary(op) => acc = op.apply(acc, step.x(inputs)),
            Act::BinaryFrom(op) => acc = op.apply(step.x(inputs), acc),
            Act::LoadSlot => acc = slots[slot],
            Act::AddSlot => acc += slots[slot],
            Act::SubSlot => acc -= slots[slot],
            Act::SubFromSlot => acc = slots[slot] - acc,
            Act::MulSlot => acc *= slots[slot],
            Act::DivSlot => acc /= slots[slot],
            Act::DivIntoSlot => acc = slots[slot] / acc,
            Act::BinarySlot(op) => acc = op.apply(acc, slots[slot]),
            Act::BinaryFromSlot(op) => acc = op.apply(slots[slot], acc),
            Act::Unary(op) => acc = op.apply(acc),
            Act::Store => slots[slot] = acc,
            Act::StoreLoad => {
                slots[step.slot as usize % N] = acc;
                acc = step.x(inputs);
            }
        }
    }
    acc
}

/// Recognises sums and ratios of sums.
fn shape(steps: &[Step]) -> Shape {
    let terms = |from: usize| steps[from..].iter().take_while(|step| step.is_term()).count();
    let first = terms(0);
    if first == steps.len() {
        let plain = steps.iter().all(|step| step.act != Act::SubFrom);
        return if plain { Shape::PlainSum } else { Shape::Sum };
    }
    let calls = steps.iter().any(|step| step.act.calls());
    let otherwise = if calls { Shape::Steps } else { Shape::Arithmetic };
    ratio(steps, first, terms).unwrap_or(otherwise)
}

/// Recognises a ratio whose first sum has `first` terms.
fn ratio(steps: &[Step], first: usize, terms: impl Fn(usize) -> usize) -> Option<Shape> {
    // A factor is 1 where there is none: multiplying by it changes nothing.
    let factor = |at: &mut usize| match steps.get(*at) {
        Some(step) if step.act == Act::Mul && step.index == ONE => {
            *at += 1;
            step.weight
        }
        _ => 1.0,
    };
    let range = |from: usize, to: usize| Box::<[Step]>::from(&steps[from..to]);
    let mut at = first;
    let mut scale = factor(&mut at);
    let (numerator, denominator) = match steps.get(at)?.act {
        Act::Div => (range(0, first), range(at, at + 1)),
        Act::DivInto if scale == 1.0 => (range(at, at + 1), range(0, first)),
        Act::StoreLoad => {
            let stored = scale;
            let start = at;
            at += 1 + terms(start + 1);
            let second = range(start, at);
            scale = factor(&mut at);
            match steps.get(at)?.act {
                Act::DivIntoSlot if scale == 1.0 => {
                    scale = stored;
                    (range(0, first), second)
                }
                Act::DivSlot if stored == 1.0 => (second, range(0, first)),
                _ => return None,
            }
        }
        _ => return None,
    };
    at += 1;
    let after = factor(&mut at);
    let plain = |sum: &[Step]| sum[1..].iter().all(|step| step.act != Act::SubFrom);
    let recognised = at == steps.len() && plain(&numerator) && plain(&denominator);
    recognised.then_some(Shape::Ratio { numerator, denominator, scale, after })
}
