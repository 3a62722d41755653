//! The computation of a step as a type, so that both evaluators get specialized code for each form.

use crate::op::{Binary, Unary, with_binary, with_unary};
use crate::step::{Act, Place, Step};

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

/// Something that is compiled for every form.
pub(crate) trait Compiled: Sized {
    fn compile<F: Form>(step: &Step) -> Self;
}

/// The code for a step of one operation.
pub(crate) fn compiled<C: Compiled>(step: &Step) -> C {
    match step.act {
        Act::Load | Act::Keep => C::compile::<Load>(step),
        Act::Alone(op) => with_unary!(op, OP => C::compile::<Alone<OP>>(step)),
        Act::With(op) => with_binary!(op, OP => C::compile::<With<OP>>(step)),
        Act::From(op) => with_binary!(op, OP => C::compile::<From<OP>>(step)),
        Act::Choose(Place::Then) => C::compile::<ChooseThen>(step),
        Act::Choose(Place::Condition) => C::compile::<ChooseCondition>(step),
        Act::Choose(Place::Else) => C::compile::<ChooseElse>(step),
    }
}
