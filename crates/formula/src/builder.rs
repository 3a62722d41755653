//! Building a formula: every subexpression once, constants folded, sizes kept within the limits.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::LimitError;
use crate::formula::Formula;
use crate::intern::Interner;
use crate::limits::Limits;
use crate::number::Number;
use crate::op::{Binary, Op, Unary};

/// Where in a text an operation stands.
pub(crate) type Span = (u32, u32);

/// An operation that is being built, by its index.
pub(crate) type Id = u32;

pub(crate) struct Builder<'a> {
    limits: &'a Limits,
    ops: Interner<Op>,
    spans: Vec<Span>,
    /// Operators below each operation if it were written out as text.
    sizes: Vec<u32>,
    constants: Interner<Constant>,
    names: Interner<Box<str>>,
    /// Whether an operation was made that may not be reachable, or not in the order of the result's text.
    unordered: bool,
}

impl<'a> Builder<'a> {
    /// A builder for about as many operations as a text of this length holds.
    pub(crate) fn new(limits: &'a Limits, text: usize) -> Builder<'a> {
        let ops = (text / 2 + 1).min(64);
        Builder {
            limits,
            ops: Interner::with_capacity(ops),
            spans: Vec::with_capacity(ops),
            sizes: Vec::with_capacity(ops),
            constants: Interner::with_capacity(0),
            names: Interner::with_capacity(4),
            unordered: false,
        }
    }

    pub(crate) fn constant(&mut self, value: Number, span: Span) -> Result<Id, LimitError> {
        let value = Constant::new(value.canonical());
        let at = match self.constants.find(&value) {
            Some(at) => at,
            None => self.constants.push(value),
        };
        self.op(Op::Constant(at), 0, span)
    }

    pub(crate) fn input(&mut self, name: &str, span: Span) -> Result<Id, LimitError> {
        let at = match self.names.find(name) {
            Some(at) => at,
            None if self.names.items.len() >= self.limits.inputs => {
                return Err(LimitError::TooManyInputs(self.limits.inputs));
            }
            None => self.names.push(name.into()),
        };
        self.op(Op::Input(at), 0, span)
    }

    pub(crate) fn unary(&mut self, op: Unary, a: Id, span: Span) -> Result<Id, LimitError> {
        if let Op::Constant(a) = self.ops.items[a as usize] {
            let a = self.constants.items[a as usize].value();
            if let Some(value) = op.exact(a).ok().and_then(|n| folded(n, op.apply(a.as_f64()))) {
                self.unordered = true;
                return self.constant(value, span);
            }
        }
        self.op(Op::Unary(op, a), self.sizes[a as usize].saturating_add(1), span)
    }

    pub(crate) fn binary(
        &mut self,
        op: Binary,
        a: Id,
        b: Id,
        span: Span,
    ) -> Result<Id, LimitError> {
        if let (Op::Constant(a), Op::Constant(b)) =
            (self.ops.items[a as usize], self.ops.items[b as usize])
        {
            let constants = &self.constants.items;
            let (a, b) = (constants[a as usize].value(), constants[b as usize].value());
            let real = op.apply(a.as_f64(), b.as_f64());
            if let Some(value) = op.exact(a, b).ok().and_then(|n| folded(n, real)) {
                self.unordered = true;
                return self.constant(value, span);
            }
        }
        let size = self.sizes[a as usize].saturating_add(self.sizes[b as usize]);
        self.op(Op::Binary(op, a, b), size.saturating_add(1), span)
    }

    /// The same operation a second time is the first one.
    fn op(&mut self, op: Op, size: u32, span: Span) -> Result<Id, LimitError> {
        if size as usize > self.limits.operations {
            return Err(LimitError::TooManyOperations(self.limits.operations));
        }
        if let Some(known) = self.ops.find(&op) {
            return Ok(known);
        }
        self.spans.push(span);
        self.sizes.push(size);
        Ok(self.ops.push(op))
    }

    /// Says that operations may have been made in another order than the result's text has.
    pub(crate) fn reordered(&mut self) {
        self.unordered = true;
    }

    /// Makes the operations of another formula, its inputs by `input`.
    pub(crate) fn import(
        &mut self,
        formula: &Formula,
        mut input: impl FnMut(&mut Self, &str) -> Result<Id, LimitError>,
    ) -> Result<Id, LimitError> {
        let nowhere = (0, 0);
        self.unordered = true;
        let mut ids: Vec<Id> = Vec::with_capacity(formula.ops.len());
        for &op in &formula.ops {
            let id = match op {
                Op::Constant(at) => self.constant(formula.constants[at as usize], nowhere)?,
                Op::Input(at) => input(self, &formula.names[at as usize])?,
                Op::Unary(op, a) => self.unary(op, ids[a as usize], nowhere)?,
                Op::Binary(op, a, b) => {
                    self.binary(op, ids[a as usize], ids[b as usize], nowhere)?
                }
            };
            ids.push(id);
        }
        Ok(ids.last().copied().unwrap_or(0))
    }

    /// The formula whose result is `root`.
    pub(crate) fn finish(mut self, root: Id) -> Formula {
        if self.unordered {
            self.reorder(root);
        }
        self.sort_inputs();
        let constants = self.constants.items.into_iter().map(Constant::value).collect();
        Formula::new(self.ops.items, self.spans, constants, self.names.items)
    }

    /// Keeps what `root` needs, in the order of its text: operands before operators, left before right.
    fn reorder(&mut self, root: Id) {
        const UNSEEN: u32 = u32::MAX;
        let mut places = vec![UNSEEN; self.ops.items.len()];
        let mut names = vec![UNSEEN; self.names.items.len()];
        let mut kept = Builder::new(self.limits, 0);
        let mut todo = vec![(root, false)];
        while let Some((id, operands_done)) = todo.pop() {
            if places[id as usize] != UNSEEN {
                continue;
            }
            let op = self.ops.items[id as usize];
            if !operands_done {
                todo.push((id, true));
                match op {
                    Op::Binary(_, a, b) => todo.extend([(b, false), (a, false)]),
                    Op::Unary(_, a) => todo.push((a, false)),
                    Op::Constant(_) | Op::Input(_) => {}
                }
                continue;
            }
            let op = match op {
                Op::Constant(at) => {
                    kept.constants.items.push(self.constants.items[at as usize]);
                    Op::Constant(kept.constants.items.len() as u32 - 1)
                }
                Op::Input(at) => {
                    let name = &mut names[at as usize];
                    *name = kept.names.items.len() as u32;
                    kept.names.items.push(core::mem::take(&mut self.names.items[at as usize]));
                    Op::Input(*name)
                }
                Op::Unary(op, a) => Op::Unary(op, places[a as usize]),
                Op::Binary(op, a, b) => Op::Binary(op, places[a as usize], places[b as usize]),
            };
            places[id as usize] = kept.ops.items.len() as u32;
            kept.ops.items.push(op);
            kept.spans.push(self.spans[id as usize]);
        }
        *self = kept;
    }

    /// Numbered inputs first, by number; the others as they appear.
    fn sort_inputs(&mut self) {
        let names = &mut self.names.items;
        let number = |name: &str| crate::lex::index_of(name).unwrap_or(u32::MAX);
        if names.is_sorted_by_key(|name| number(name)) {
            return;
        }
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        order.sort_by_key(|&at| number(&names[at as usize]));
        let mut places = vec![0; names.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at as usize] = place as u32;
        }
        let sorted = order.iter().map(|&at| core::mem::take(&mut names[at as usize])).collect();
        *names = sorted;
        for op in &mut self.ops.items {
            if let Op::Input(at) = op {
                *at = places[*at as usize];
            }
        }
    }
}

/// A constant that may stand for an operation on constants: both evaluations yield it to the bit, and its text reads back as it.
fn folded(exact: Number, real: f64) -> Option<Number> {
    let agree = exact.as_f64().to_bits() == real.to_bits();
    (agree && real.is_finite() && exact.canonical().same(exact)).then_some(exact)
}

/// A number in a form that has an order: same kind and bits, or different.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Constant {
    Int(i128),
    Real(u64),
}

impl Constant {
    fn new(value: Number) -> Constant {
        match value {
            Number::Int(int) => Constant::Int(int),
            Number::Real(real) => Constant::Real(real.to_bits()),
        }
    }

    fn value(self) -> Number {
        match self {
            Constant::Int(int) => Number::Int(int),
            Constant::Real(bits) => Number::Real(f64::from_bits(bits)),
        }
    }
}
