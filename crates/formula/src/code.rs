//! The program that evaluates doubles: an accumulator machine whose operands are weighted inputs.
//!
//! Every operation keeps the order of the formula's text where rounding depends on it, so results are bit-identical to evaluating the operations one by one.

use alloc::vec::Vec;

use crate::compile;
use crate::doubles::Bound;
use crate::form::{self, Compiled, Form};
use crate::number::Number;
use crate::op::{Binary, Op, Unary};
use crate::passes::Pass;
use crate::shape::Shape;
use crate::sums;

/// The number of values that a program may keep besides the accumulator; further values are computed again.
///
/// In the evaluation of columns each slot takes 256 bytes of the stack, and a thread's whole stack may be 128 KB.
pub(crate) const SLOTS: usize = 256;

/// The input index that denotes the constant 1.
pub(crate) const ONE: u32 = u32::MAX;

/// The number of steps that call each other in a row; in an optimized build these calls are jumps.
const RUN: usize = 64;

#[derive(Clone)]
pub(crate) struct Code {
    /// Empty if the shape also evaluates columns.
    pub(crate) steps: Vec<Step>,
    /// The number of slots that the steps use.
    pub(crate) slots: u32,
    /// The inputs for which the value is exact.
    pub(crate) exact: Option<Bound>,
    pub(crate) shape: Option<Shape>,
}

/// One to three operations on the accumulator `acc`.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) second: Second,
    /// Whether x is read, unweighted, from the slot that `x.index` names.
    pub(crate) from_slot: bool,
    /// The slot that `Act::Keep` writes, and from which `Act::Choose` reads y, unweighted.
    pub(crate) slot: u16,
    pub(crate) x: Term,
    pub(crate) y: Term,
    pub(crate) z: Term,
    run: Run,
    next: Run,
    pub(crate) pass: Pass,
}

/// A weighted input, or a constant.
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub(crate) index: u32,
    pub(crate) weight: f64,
}

/// The first operation of a step.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Act {
    /// acc = x.
    Load,
    /// slot = acc, then acc = x.
    Keep,
    /// acc = acc op x.
    With(Binary),
    /// acc = x op acc.
    From(Binary),
    /// acc = op acc.
    Alone(Unary),
    /// acc = the choice among acc, x and y, which are its operands in the order of the text if acc is put at this place.
    Choose(Place),
}

/// The operand of `a if c else b` that the accumulator holds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Then,
    Condition,
    Else,
}

/// What a step does in addition.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Second {
    None,
    /// x is replaced by x op y.
    Inside(Binary),
    /// x is replaced by (x op y) op z.
    InsideTwo(Binary, Binary),
    /// acc = acc op y.
    After(Binary),
    /// acc = acc op y, then acc = acc op z.
    AfterTwo(Binary, Binary),
}

impl Term {
    pub(crate) const NONE: Term = Term { index: ONE, weight: 1.0 };

    #[inline(always)]
    pub(crate) fn of(&self, inputs: &[f64]) -> f64 {
        match inputs.get(self.index as usize) {
            Some(input) => self.weight * input,
            None => self.weight,
        }
    }
}

/// Runs the first of the steps and then the rest.
type Run = fn(&[Step], f64, &[f64], &mut [f64]) -> f64;

impl Compiled for Run {
    fn of<F: Form>(step: &Step) -> Run {
        match (step.act, step.from_slot) {
            (Act::Choose(_), _) => choose::<F>,
            (Act::Keep, false) => run::<F, false, true>,
            (Act::Keep, true) => run::<F, true, true>,
            (_, false) => run::<F, false, false>,
            (_, true) => run::<F, true, false>,
        }
    }
}

fn run<F: Form, const FROM_SLOT: bool, const KEEP: bool>(
    steps: &[Step],
    acc: f64,
    inputs: &[f64],
    slots: &mut [f64],
) -> f64 {
    let Some((step, rest)) = steps.split_first() else { return acc };
    if KEEP && let Some(slot) = slots.get_mut(usize::from(step.slot)) {
        *slot = acc;
    }
    let x = if FROM_SLOT {
        slots.get(step.x.index as usize).copied().unwrap_or(f64::NAN)
    } else {
        step.x.of(inputs)
    };
    let acc = F::apply(acc, x, step.y.of(inputs), step.z.of(inputs));
    (step.next)(rest, acc, inputs, slots)
}

fn choose<F: Form>(steps: &[Step], acc: f64, inputs: &[f64], slots: &mut [f64]) -> f64 {
    let Some((step, rest)) = steps.split_first() else { return acc };
    let slot = |at: usize| slots.get(at).copied().unwrap_or(f64::NAN);
    let acc = F::apply(acc, slot(step.x.index as usize), slot(step.slot.into()), 1.0);
    (step.next)(rest, acc, inputs, slots)
}

fn end(_: &[Step], acc: f64, _: &[f64], _: &mut [f64]) -> f64 {
    acc
}

impl Step {
    pub(crate) fn new(act: Act, x: Term, from_slot: bool) -> Step {
        let (y, z) = (Term::NONE, Term::NONE);
        Step {
            act,
            second: Second::None,
            from_slot,
            slot: 0,
            x,
            y,
            z,
            run: end,
            next: end,
            pass: Pass::NONE,
        }
    }

    pub(crate) fn terms(&self) -> [Term; 3] {
        [self.x, self.y, self.z]
    }

    pub(crate) fn has_form(&self) -> bool {
        form::compiled::<Run>(self).is_some()
    }
}

impl Code {
    pub(crate) fn new(ops: &[Op], constants: &[Number]) -> Code {
        let (single, shared) = compile::steps(ops, constants);
        let shape = Shape::of(&single);
        let mut steps = match &shape {
            Some(shape) if shape.widest() <= sums::WIDEST => Vec::new(),
            _ => compile::fused(&single, shared),
        };
        let kept = steps.iter().filter(|step| step.act == Act::Keep);
        let slots = kept.map(|step| u32::from(step.slot) + 1).max().unwrap_or(0);
        let mut next: Run = end;
        for (at, step) in steps.iter_mut().enumerate().rev() {
            step.run = form::compiled(step).unwrap_or(end);
            step.pass = form::compiled(step).unwrap_or(Pass::NONE);
            step.next = if at % RUN == RUN - 1 { end } else { next };
            next = step.run;
        }
        Code { steps, slots, exact: Bound::of(ops, constants), shape }
    }

    /// The value, given all inputs.
    #[inline]
    pub(crate) fn eval(&self, inputs: &[f64]) -> f64 {
        match &self.shape {
            Some(shape) => shape.eval(inputs),
            None => match &self.steps[..] {
                // Short programs need no stack frame.
                steps @ [first, ..] if self.slots == 0 && steps.len() <= RUN => {
                    (first.run)(steps, f64::NAN, inputs, &mut [])
                }
                _ => self.run(inputs),
            },
        }
    }

    /// Kept out of `eval`, since its use of registers would slow down the shapes.
    #[inline(never)]
    fn run(&self, inputs: &[f64]) -> f64 {
        match self.slots {
            0..=8 => self.run_with(inputs, &mut [0.0; 8]),
            9..=64 => self.run_with_many::<64>(inputs),
            _ => self.run_with_many::<SLOTS>(inputs),
        }
    }

    #[inline(always)]
    fn run_with(&self, inputs: &[f64], slots: &mut [f64]) -> f64 {
        self.steps
            .chunks(RUN)
            .fold(f64::NAN, |acc, steps| (steps[0].run)(steps, acc, inputs, slots))
    }

    /// A separate function, because its stack frame would slow down every evaluation.
    #[inline(never)]
    fn run_with_many<const N: usize>(&self, inputs: &[f64]) -> f64 {
        self.run_with(inputs, &mut [0.0; N])
    }
}
