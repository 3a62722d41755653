//! The program that evaluates doubles.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::number::Number;
use crate::op::Op;

#[derive(Clone)]
pub(crate) struct Code {
    ops: Box<[Op]>,
    constants: Box<[f64]>,
}

impl Code {
    pub(crate) fn new(ops: &[Op], constants: &[Number]) -> Code {
        Code { ops: ops.into(), constants: constants.iter().map(|c| c.as_f64()).collect() }
    }

    pub(crate) fn eval(&self, inputs: &[f64]) -> f64 {
        let mut values: Vec<f64> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            values.push(match *op {
                Op::Constant(at) => self.constants[at as usize],
                Op::Input(at) => inputs[at as usize],
                Op::Unary(op, a) => op.apply(values[a as usize]),
                Op::Binary(op, a, b) => op.apply(values[a as usize], values[b as usize]),
            });
        }
        values.last().copied().unwrap_or(f64::NAN)
    }
}
