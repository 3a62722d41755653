//! The program that evaluates doubles: an accumulator machine whose operands are weighted inputs.
//!
//! Every operation keeps the order of the formula's text where rounding depends on it, so results are bit-identical to evaluating the operations one by one.

use alloc::vec::Vec;

use crate::bound::Bound;
use crate::number::Number;
use crate::op::Op;
use crate::shape::{Shape, WIDEST};
use crate::step::{Act, Run, SLOTS, Step, end};
use crate::{compile, forms};

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

impl Code {
    pub(crate) fn new(ops: &[Op], constants: &[Number]) -> Code {
        let (single, shared) = compile::steps(ops, constants);
        let shape = Shape::of(&single);
        let mut steps = match &shape {
            Some(shape) if shape.widest() <= WIDEST => Vec::new(),
            _ => compile::fused(&single, shared),
        };
        let kept = steps.iter().filter(|step| step.act == Act::Keep);
        let slots = kept.map(|step| u32::from(step.slot) + 1).max().unwrap_or(0);
        let mut next: Run = end;
        for (at, step) in steps.iter_mut().enumerate().rev() {
            step.run = forms::compiled(step).unwrap_or(end);
            #[cfg(feature = "fast")]
            {
                step.pass = forms::compiled(step).unwrap_or(crate::step::Pass::NONE);
            }
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
