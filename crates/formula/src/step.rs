//! The steps of the accumulator machine, with the code that runs each.

use crate::op::{Binary, Unary};

#[cfg(feature = "fast")]
pub(crate) use pass::{Pass, ROWS, Rows};

/// The number of values that a program may keep besides the accumulator; further values are computed again.
///
/// In the evaluation of columns each slot takes 256 bytes of the stack, and a thread's whole stack may be 128 KB.
pub(crate) const SLOTS: usize = 256;

/// The input index that denotes the constant 1.
pub(crate) const ONE: u32 = u32::MAX;

/// One to three operations on the accumulator `acc`.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) second: Second,
    /// True if x is read, unweighted, from the slot that `x.index` names.
    pub(crate) from_slot: bool,
    /// The slot that `Act::Keep` writes, and from which `Act::Choose` reads y, unweighted.
    pub(crate) slot: u16,
    pub(crate) x: Term,
    pub(crate) y: Term,
    pub(crate) z: Term,
    pub(crate) run: Run,
    pub(crate) next: Run,
    #[cfg(feature = "fast")]
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

/// The further operations of a step.
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
    pub(crate) fn value(&self, inputs: &[f64]) -> f64 {
        match inputs.get(self.index as usize) {
            Some(input) => self.weight * input,
            None => self.weight,
        }
    }
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
            #[cfg(feature = "fast")]
            pass: Pass::NONE,
        }
    }
}

/// Runs the first of the steps and then the rest.
pub(crate) type Run = fn(&[Step], f64, &[f64], &mut [f64]) -> f64;

pub(crate) fn end(_: &[Step], acc: f64, _: &[f64], _: &mut [f64]) -> f64 {
    acc
}

#[cfg(feature = "fast")]
mod pass {
    use super::{Step, Term};

    /// The rows of one pass: few enough that the processor starts the next pass while it waits for the quotients of this one.
    pub(crate) const ROWS: usize = 32;

    pub(crate) type Rows = [f64; ROWS];

    /// One step on some rows: the accumulators, the operands x, y and z, and the step for its weights; few enough arguments for registers.
    #[derive(Clone, Copy)]
    pub(crate) struct Pass(pub(crate) fn(&mut Rows, &Rows, &Rows, &Rows, &Step));

    impl Step {
        pub(crate) fn terms(&self) -> [Term; 3] {
            [self.x, self.y, self.z]
        }

        pub(crate) fn weights(&self) -> [f64; 3] {
            [self.x.weight, self.y.weight, self.z.weight]
        }

        pub(crate) fn is_weighted(&self) -> bool {
            self.weights() != [1.0; 3]
        }
    }

    impl Pass {
        pub(crate) const NONE: Pass = Pass(|_, _, _, _, _| ());
    }
}
