//! Builds formulas: shares common subexpressions, folds constants and enforces the limits.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::LimitError;
use crate::formula::Formula;
use crate::index::{Index, SCANNED};
use crate::lex;
use crate::limits::Limits;
use crate::names::Names;
use crate::number::Number;
use crate::op::{Binary, Op, Unary};
use crate::span::{Mark, NOWHERE, Span};

/// The index of an operation that is being built.
pub(crate) type Id = u32;

pub(crate) struct Builder<'a> {
    limits: &'a Limits,
    ops: Vec<Op>,
    marks: Vec<Mark>,
    op_index: Index<Op>,
    constants: Vec<Number>,
    constant_index: Index<Key>,
    names: Names,
    name_index: Index<Box<str>>,
    /// True if an operation was made that may be unreachable or out of order in the text of the result.
    unordered: bool,
}

impl<'a> Builder<'a> {
    /// A builder with room for about as many operations as a text of this length contains.
    pub(crate) fn new(limits: &'a Limits, text: usize) -> Builder<'a> {
        let ops = (text / 2 + 1).min(256);
        Builder {
            limits,
            ops: Vec::with_capacity(ops),
            marks: Vec::with_capacity(ops),
            op_index: Index::new(),
            constants: Vec::new(),
            constant_index: Index::new(),
            names: Names::default(),
            name_index: Index::new(),
            unordered: false,
        }
    }

    pub(crate) fn constant(&mut self, value: Number, span: Span) -> Result<Id, LimitError> {
        let value = value.canonical();
        let known = if self.constants.len() <= SCANNED {
            self.constants.iter().position(|known| known.same(value)).map(|at| at as u32)
        } else {
            let nth = |at: usize| Key::new(self.constants[at]);
            self.constant_index.find(&Key::new(value), self.constants.len(), nth)
        };
        if let Some(at) = known {
            return self.operation(Op::Constant(at), 0, 0, span);
        }
        self.constants.push(value);
        self.push(Op::Constant(self.constants.len() as u32 - 1), 0, span)
    }

    pub(crate) fn input(&mut self, name: &str, span: Span) -> Result<Id, LimitError> {
        let known = if self.names.len() <= SCANNED {
            self.names.iter().position(|known| known == name).map(|at| at as u32)
        } else {
            let nth = |at: usize| self.names.get(at as u32).into();
            self.name_index.find(name, self.names.len(), nth)
        };
        if let Some(at) = known {
            return self.operation(Op::Input(at), 0, 0, span);
        }
        if self.names.len() >= self.limits.inputs {
            return Err(LimitError::TooManyInputs(self.limits.inputs));
        }
        let at = self.names.push(name);
        self.push(Op::Input(at), 0, span)
    }

    pub(crate) fn unary(&mut self, op: Unary, a: Id, span: Span) -> Result<Id, LimitError> {
        if let Some(a) = self.constant_at(a)
            && let Ok(exact) = op.exact(a)
            && let Some(value) = folded(exact, op.apply(a.as_f64()))
        {
            self.unordered = true;
            return self.constant(value, span);
        }
        let size = self.marks[a as usize].size.saturating_add(1);
        self.operation(Op::Unary(op, a), a + 1, size, span)
    }

    pub(crate) fn binary(
        &mut self,
        op: Binary,
        a: Id,
        b: Id,
        span: Span,
    ) -> Result<Id, LimitError> {
        if let (Some(a), Some(b)) = (self.constant_at(a), self.constant_at(b))
            && let Ok(exact) = op.exact(a, b)
            && let Some(value) = folded(exact, op.apply(a.as_f64(), b.as_f64()))
        {
            self.unordered = true;
            return self.constant(value, span);
        }
        if let Some(value) = self.decided(op, a, b) {
            self.unordered = true;
            return self.constant(value, span);
        }
        // Only a denominator that varies can be 0.
        let op = match op {
            Binary::Ratio if self.constant_at(b).is_some_and(Number::is_true) => Binary::Div,
            op => op,
        };
        let size = self.marks[a as usize].size.saturating_add(self.marks[b as usize].size);
        self.operation(Op::Binary(op, a, b), a.max(b) + 1, size.saturating_add(1), span)
    }

    /// `then if condition else other`; a constant condition decides it.
    pub(crate) fn choice(
        &mut self,
        [then, condition, other]: [Id; 3],
        span: Span,
    ) -> Result<Id, LimitError> {
        if let Some(condition) = self.constant_at(condition) {
            self.unordered = true;
            return Ok(if condition.is_true() { then } else { other });
        }
        let sizes = [then, condition, other].map(|id| self.marks[id as usize].size);
        let size = sizes.into_iter().fold(1_u32, u32::saturating_add);
        let since = then.max(condition).max(other) + 1;
        self.operation(Op::Choice(then, condition, other), since, size, span)
    }

    /// The constant that an operation with one constant operand has as its value whatever the other operand is.
    fn decided(&self, op: Binary, a: Id, b: Id) -> Option<Number> {
        let is = |wanted: bool| {
            let mut known = [a, b].into_iter().filter_map(|id| self.constant_at(id));
            known.any(|constant| constant.is_true() == wanted)
        };
        match op {
            Binary::And if is(false) => Some(Number::Int(0)),
            Binary::Or if is(true) => Some(Number::Int(1)),
            _ => None,
        }
    }

    fn constant_at(&self, id: Id) -> Option<Number> {
        match self.ops[id as usize] {
            Op::Constant(at) => Some(self.constants[at as usize]),
            _ => None,
        }
    }

    /// Adds an operation, or returns the equal one made before, which can only be at `since` or later.
    fn operation(&mut self, op: Op, since: Id, size: u32, span: Span) -> Result<Id, LimitError> {
        let recent = &self.ops[since as usize..];
        let known = if recent.len() <= 4 * SCANNED {
            recent.iter().position(|known| *known == op).map(|at| since + at as u32)
        } else {
            self.op_index.find(&op, self.ops.len(), |at| self.ops[at])
        };
        known.map_or_else(|| self.push(op, size, span), Ok)
    }

    fn push(&mut self, op: Op, size: u32, span: Span) -> Result<Id, LimitError> {
        if size as usize > self.limits.operations {
            return Err(LimitError::TooManyOperations(self.limits.operations));
        }
        self.ops.push(op);
        self.marks.push(Mark { span, size });
        Ok(self.ops.len() as u32 - 1)
    }

    /// Records that operations may have been made in an order other than that of the result's text.
    pub(crate) fn reordered(&mut self) {
        self.unordered = true;
    }

    /// Adds the operations of another formula, mapping its inputs, by their indexes, with `input`.
    pub(crate) fn import(
        &mut self,
        formula: &Formula,
        mut input: impl FnMut(&mut Self, u32) -> Result<Id, LimitError>,
    ) -> Result<Id, LimitError> {
        self.unordered = true;
        let mut ids: Vec<Id> = Vec::with_capacity(formula.ops.len());
        for &op in &formula.ops {
            let id = match op {
                Op::Constant(at) => self.constant(formula.constants[at as usize], NOWHERE)?,
                Op::Input(at) => input(self, at)?,
                Op::Unary(op, a) => self.unary(op, ids[a as usize], NOWHERE)?,
                Op::Binary(op, a, b) => {
                    self.binary(op, ids[a as usize], ids[b as usize], NOWHERE)?
                }
                Op::Choice(a, c, b) => {
                    self.choice([a, c, b].map(|operand| ids[operand as usize]), NOWHERE)?
                }
            };
            ids.push(id);
        }
        Ok(ids.last().copied().unwrap_or_default())
    }

    /// The formula whose result is `root`.
    pub(crate) fn finish(mut self, root: Id) -> Formula {
        if self.unordered {
            self.reorder(root);
        }
        self.sort_inputs();
        Formula::new(self.ops, self.marks, self.constants, self.names)
    }

    /// As `finish`, for a formula that was not parsed from a text.
    pub(crate) fn finish_unplaced(self, root: Id) -> Formula {
        Formula { marks: Vec::new(), ..self.finish(root) }
    }

    /// Keeps the operations that `root` needs, in the order of its text: operands before operators, left before right.
    fn reorder(&mut self, root: Id) {
        const UNSEEN: u32 = u32::MAX;
        let mut places = vec![UNSEEN; self.ops.len()];
        let mut kept = Builder::new(self.limits, 2 * self.ops.len());
        let mut todo = vec![(root, false)];
        while let Some((id, operands_done)) = todo.pop() {
            if places[id as usize] != UNSEEN {
                continue;
            }
            let op = self.ops[id as usize];
            if !operands_done && op.operands().len() > 0 {
                todo.push((id, true));
                todo.extend(op.operands().rev().map(|operand| (operand, false)));
                continue;
            }
            let op = match op {
                Op::Constant(at) => {
                    kept.constants.push(self.constants[at as usize]);
                    Op::Constant(kept.constants.len() as u32 - 1)
                }
                Op::Input(at) => Op::Input(kept.names.push(self.names.get(at))),
                op => op.map_operands(|operand| places[operand as usize]),
            };
            places[id as usize] = kept.ops.len() as u32;
            kept.ops.push(op);
            kept.marks.push(self.marks[id as usize]);
        }
        *self = kept;
    }

    /// Sorts numbered inputs first, by number, and leaves the others in order of appearance.
    fn sort_inputs(&mut self) {
        let number = |name: &str| lex::index_of(name).unwrap_or(u32::MAX);
        if self.names.iter().map(number).is_sorted() {
            return;
        }
        let mut order: Vec<u32> = (0..self.names.len() as u32).collect();
        order.sort_by_key(|&at| number(self.names.get(at)));
        let mut places = vec![0; order.len()];
        let mut names = Names::default();
        for &at in &order {
            places[at as usize] = names.push(self.names.get(at));
        }
        self.names = names;
        for op in &mut self.ops {
            if let Op::Input(at) = op {
                *at = places[*at as usize];
            }
        }
    }
}

/// The constant that can replace an operation on constants: both evaluations yield it exactly, and its text parses to it.
fn folded(exact: Number, real: f64) -> Option<Number> {
    let agree = exact.as_f64().to_bits() == real.to_bits();
    let is_constant = exact.canonical().same(exact) && !exact.is_rounded_to_whole();
    (agree && real.is_finite() && is_constant).then_some(exact)
}

/// A number in an ordered form; two keys are equal only if kind and bits are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Int(i128),
    Real(u64),
}

impl Key {
    fn new(value: Number) -> Key {
        match value {
            Number::Int(int) => Key::Int(int),
            Number::Real(real) => Key::Real(real.to_bits()),
        }
    }
}
