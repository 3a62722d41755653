//! Programs that need no dispatch on their steps: sums and ratios of sums, which most formulas are.

use alloc::boxed::Box;

use crate::op::Binary;
use crate::step::{Act, ONE, Step, Term};

/// The largest number of terms for which a sum has its own loop over columns.
pub(crate) const WIDEST: usize = 8;

#[derive(Clone)]
pub(crate) enum Shape {
    /// A sum in the order of its terms.
    Sum(Box<[Term]>),
    /// A term minus a sum.
    Rest(Term, Box<[Term]>),
    /// numerator × scale ÷ denominator × after, where numerator and denominator are sums.
    Ratio { numerator: Box<[Term]>, denominator: Box<[Term]>, scale: f64, after: f64 },
}

impl Shape {
    /// The shape of a list of steps of one operation each, if it has one.
    pub(crate) fn of(steps: &[Step]) -> Option<Shape> {
        let mut rest = steps;
        let first = sum(&mut rest)?;
        if rest.is_empty() {
            return Some(Shape::Sum(first));
        }
        let mut scale = factor(&mut rest);
        let (step, after) = rest.split_first()?;
        rest = after;
        let one = || Box::from([step.x]);
        let (numerator, denominator) = match step.act {
            Act::From(Binary::Sub) if !step.from_slot && scale == 1.0 && rest.is_empty() => {
                return Some(Shape::Rest(step.x, first));
            }
            Act::With(Binary::Div) if !step.from_slot => (first, one()),
            Act::From(Binary::Div) if !step.from_slot && scale == 1.0 => (one(), first),
            Act::Keep => {
                rest = &steps[steps.len() - rest.len() - 1..];
                let second = sum(&mut rest)?;
                let second_scale = factor(&mut rest);
                let (step, after) = rest.split_first()?;
                rest = after;
                match step.act {
                    Act::From(Binary::Div) if step.from_slot && second_scale == 1.0 => {
                        (first, second)
                    }
                    Act::With(Binary::Div) if step.from_slot && scale == 1.0 => {
                        scale = second_scale;
                        (second, first)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let after = factor(&mut rest);
        rest.is_empty().then_some(Shape::Ratio { numerator, denominator, scale, after })
    }

    /// The number of terms of its longest sum.
    pub(crate) fn widest(&self) -> usize {
        match self {
            Shape::Sum(terms) | Shape::Rest(_, terms) => terms.len(),
            Shape::Ratio { numerator, denominator, .. } => numerator.len().max(denominator.len()),
        }
    }

    #[inline]
    pub(crate) fn eval(&self, inputs: &[f64]) -> f64 {
        match self {
            Shape::Sum(terms) => value(terms, inputs),
            Shape::Rest(from, terms) => from.value(inputs) - value(terms, inputs),
            Shape::Ratio { numerator, denominator, scale, after } => {
                value(numerator, inputs) * scale / value(denominator, inputs) * after
            }
        }
    }
}

#[inline]
fn value(terms: &[Term], inputs: &[f64]) -> f64 {
    let Some((first, rest)) = terms.split_first() else { return f64::NAN };
    rest.iter().fold(first.value(inputs), |acc, term| acc + term.value(inputs))
}

/// Consumes the steps that load a term and add or subtract others.
fn sum(steps: &mut &[Step]) -> Option<Box<[Term]>> {
    // In IEEE arithmetic, subtracting is exactly adding the negative.
    let term = |step: &Step| match step.act {
        _ if step.from_slot => None,
        Act::With(Binary::Add) => Some(step.x),
        Act::With(Binary::Sub) => Some(Term { weight: -step.x.weight, ..step.x }),
        _ => None,
    };
    let (first, rest) = steps.split_first()?;
    let loads = matches!(first.act, Act::Load | Act::Keep) && !first.from_slot;
    let terms = loads
        .then_some(first.x)
        .into_iter()
        .chain(rest.iter().map_while(term))
        .collect::<Box<[Term]>>();
    *steps = steps.get(terms.len()..)?;
    loads.then_some(terms)
}

/// Consumes a multiplication by a constant; returns 1, which changes nothing, if there is none.
fn factor(steps: &mut &[Step]) -> f64 {
    match steps.split_first() {
        Some((step, rest))
            if step.act == Act::With(Binary::Mul) && step.x.index == ONE && !step.from_slot =>
        {
            *steps = rest;
            step.x.weight
        }
        _ => 1.0,
    }
}
