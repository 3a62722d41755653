//! The computation of a step as a type, so that both evaluators get specialized code for each form.

use core::marker::PhantomData;

use crate::op::{Binary, Unary, with_binary, with_unary};
use crate::step::{Act, Place, Second, Step};

/// Computes a new accumulator from the old one and up to three operands.
pub(crate) trait Form {
    /// True if the old accumulator is not read, so that a step may keep it in a slot before.
    const LOADS: bool = false;
    /// True for a choice, whose operands are in slots.
    const CHOOSES: bool = false;

    fn apply(acc: f64, x: f64, y: f64, z: f64) -> f64;
}

/// x.
pub(crate) struct Load;
/// op acc.
pub(crate) struct Alone<const OP: usize>;
/// acc op x.
pub(crate) struct With<const OP: usize>;
/// x op acc.
pub(crate) struct From<const OP: usize>;
/// acc if x else y.
pub(crate) struct ChooseThen;
/// x if acc else y.
pub(crate) struct ChooseCondition;
/// x if y else acc.
pub(crate) struct ChooseElse;
/// `F` with x op y instead of x.
pub(crate) struct Inside<F, const OP: usize>(PhantomData<F>);
/// `F` with (x op y) last z instead of x.
pub(crate) struct InsideTwo<F, const OP: usize, const LAST: usize>(PhantomData<F>);
/// The result of `F`, op y.
pub(crate) struct After<F, const OP: usize>(PhantomData<F>);
/// The result of `F`, op z.
pub(crate) struct Last<F, const OP: usize>(PhantomData<F>);

impl Form for Load {
    const LOADS: bool = true;

    #[inline(always)]
    fn apply(_: f64, x: f64, _: f64, _: f64) -> f64 {
        x
    }
}

impl<const OP: usize> Form for Alone<OP> {
    #[inline(always)]
    fn apply(acc: f64, _: f64, _: f64, _: f64) -> f64 {
        Unary::ALL[OP].apply(acc)
    }
}

impl<const OP: usize> Form for With<OP> {
    #[inline(always)]
    fn apply(acc: f64, x: f64, _: f64, _: f64) -> f64 {
        Binary::ALL[OP].apply(acc, x)
    }
}

impl<const OP: usize> Form for From<OP> {
    #[inline(always)]
    fn apply(acc: f64, x: f64, _: f64, _: f64) -> f64 {
        Binary::ALL[OP].apply(x, acc)
    }
}

impl Form for ChooseThen {
    const CHOOSES: bool = true;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, _: f64) -> f64 {
        if x != 0.0 { acc } else { y }
    }
}

impl Form for ChooseCondition {
    const CHOOSES: bool = true;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, _: f64) -> f64 {
        if acc != 0.0 { x } else { y }
    }
}

impl Form for ChooseElse {
    const CHOOSES: bool = true;

    #[inline(always)]
    fn apply(acc: f64, x: f64, y: f64, _: f64) -> f64 {
        if y != 0.0 { x } else { acc }
    }
}

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

/// Something that is compiled for every form.
pub(crate) trait Compiled: Sized {
    fn compile<F: Form>(step: &Step) -> Self;
}

/// The code for a step; `None` if no form exists for its combination of operations.
pub(crate) fn compiled<C: Compiled>(step: &Step) -> Option<C> {
    Some(match (step.act, step.second) {
        (Act::Load | Act::Keep, Second::None) => C::compile::<Load>(step),
        (Act::Load | Act::Keep, Second::AfterTwo(op, last)) => {
            arithmetic!(op, OP => arithmetic!(last, LAST => C::compile::<Last<After<Load, OP>, LAST>>(step)))
        }
        (Act::Load | Act::Keep, _) => second::<Load, C>(step)?,
        (Act::Alone(op), Second::None) => with_unary!(op, OP => C::compile::<Alone<OP>>(step)),
        (Act::With(op), Second::None) => with_binary!(op, OP => C::compile::<With<OP>>(step)),
        (Act::From(op), Second::None) => with_binary!(op, OP => C::compile::<From<OP>>(step)),
        (Act::Choose(Place::Then), Second::None) => C::compile::<ChooseThen>(step),
        (Act::Choose(Place::Condition), Second::None) => C::compile::<ChooseCondition>(step),
        (Act::Choose(Place::Else), Second::None) => C::compile::<ChooseElse>(step),
        (Act::Alone(_) | Act::Choose(_), _) => return None,
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
