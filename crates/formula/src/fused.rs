//! The forms of steps of two and three operations.

use core::marker::PhantomData;

use crate::form::{Compiled, Form, From, Load, With};
use crate::op::Binary;
use crate::step::{Act, Second, Step};

/// `F` with x op y instead of x.
struct Inside<F, const OP: usize>(PhantomData<F>);
/// `F` with (x op y) last z instead of x.
struct InsideTwo<F, const OP: usize, const LAST: usize>(PhantomData<F>);
/// The result of `F`, op y.
struct After<F, const OP: usize>(PhantomData<F>);
/// The result of `F`, op z.
struct Last<F, const OP: usize>(PhantomData<F>);

impl<F: Form, const OP: usize> Form for Inside<F, OP> {
    const LOADS: bool = F::LOADS;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, z: f64) -> f64 {
        F::apply(acc, Binary::ALL[OP].apply(x, y), y, z)
    }
}

impl<F: Form, const OP: usize, const LAST: usize> Form for InsideTwo<F, OP, LAST> {
    const LOADS: bool = F::LOADS;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, z: f64) -> f64 {
        F::apply(acc, Binary::ALL[LAST].apply(Binary::ALL[OP].apply(x, y), z), y, z)
    }
}

impl<F: Form, const OP: usize> Form for After<F, OP> {
    const LOADS: bool = F::LOADS;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, z: f64) -> f64 {
        Binary::ALL[OP].apply(F::apply(acc, x, y, z), y)
    }
}

impl<F: Form, const OP: usize> Form for Last<F, OP> {
    const LOADS: bool = F::LOADS;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, z: f64) -> f64 {
        Binary::ALL[OP].apply(F::apply(acc, x, y, z), z)
    }
}

/// As `with_binary`, for the operations that can be fused into one step.
macro_rules! arithmetic {
    ($op:expr, $OP:ident => $body:expr) => {
        arithmetic!($op, $OP => $body, Add Sub Mul Div Ratio)
    };
    ($op:expr, $OP:ident => $body:expr, $($Variant:ident)+) => {
        match $op {
            $(Binary::$Variant => {
                const $OP: usize = Binary::$Variant as usize;
                $body
            })+
            _ => return None,
        }
    };
}

/// The code for a step of several operations; `None` if no form exists for their combination.
pub(crate) fn compiled<C: Compiled>(step: &Step) -> Option<C> {
    Some(match (step.act, step.second) {
        (Act::Alone(_) | Act::Choose(_), _) => return None,
        (Act::Load | Act::Keep, Second::AfterTwo(op, last)) => {
            arithmetic!(op, OP => arithmetic!(last, LAST => C::compile::<Last<After<Load, OP>, LAST>>(step)))
        }
        (Act::Load | Act::Keep, _) => second::<Load, C>(step)?,
        // The terms of sums that occur in formulas.
        (Act::With(add), Second::InsideTwo(op, last)) => {
            arithmetic!(add, ADD => arithmetic!(op, OP => arithmetic!(last, LAST => {
                C::compile::<InsideTwo<With<ADD>, OP, LAST>>(step)
            }, Mul Div Ratio), Mul Div Ratio), Add Sub)
        }
        // Includes bounds before a division: the processor computes them while it divides other rows.
        (Act::With(op), Second::After(last)) => arithmetic!(op, OP => arithmetic!(last, LAST => {
            C::compile::<After<With<OP>, LAST>>(step)
        }), Add Sub Mul Div Ratio Min Max Larger Lesser),
        (Act::With(op), _) => arithmetic!(op, OP => second::<With<OP>, C>(step)?),
        (Act::From(op), _) => arithmetic!(op, OP => second::<From<OP>, C>(step)?),
    })
}

/// The code for a step of two operations, the first being `F`.
fn second<F: Form, C: Compiled>(step: &Step) -> Option<C> {
    Some(match step.second {
        Second::None | Second::InsideTwo(..) | Second::AfterTwo(..) => return None,
        Second::Inside(op) => arithmetic!(op, OP => C::compile::<Inside<F, OP>>(step)),
        Second::After(op) => arithmetic!(op, OP => C::compile::<After<F, OP>>(step)),
    })
}
