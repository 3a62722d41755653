//! From operations to the steps of the accumulator machine.

use alloc::vec::Vec;

use crate::code::{Act, ONE, SLOTS, Step};
use crate::number::Number;
use crate::op::{Binary, Op, Unary};

/// Slots kept for operands that wait; their number grows with the logarithm of a formula's size.
const WAITING: u32 = 64;

/// The steps that compute the last operation, and the number of slots they use.
///
/// Operations that are used several times are computed first, each into a slot of its own.
pub(crate) fn steps(ops: &[Op], constants: &[Number]) -> (Vec<Step>, u32) {
    let (mut few, mut many) = ([Node::default(); 32], Vec::new());
    let nodes = few.get_mut(..ops.len()).unwrap_or_else(|| {
        many.resize(ops.len(), Node::default());
        &mut many
    });
    let mut compiler = Compiler {
        ops,
        constants,
        nodes,
        steps: Vec::with_capacity(ops.len()),
        tasks: Vec::with_capacity(8),
        shared: 0,
        waiting: 0,
        slots: 0,
    };
    compiler.count_uses();
    compiler.compile();
    (compiler.steps, compiler.slots)
}

/// What the compiler knows of an operation.
#[derive(Clone, Copy, Default)]
struct Node {
    uses: u32,
    /// Slots needed to compute it into the accumulator.
    need: u8,
    /// Where its value is, plus one; 0 if it has no slot.
    slot: u16,
}

/// What an operation can take without computing anything first.
#[derive(Clone, Copy)]
enum Operand {
    Weighted(u32, f64),
    Slot(u32),
}

enum Task {
    Compute(u32),
    Emit(Step),
    /// Puts the accumulator into a slot.
    Wait,
    /// Operates on what waits and the accumulator; true if what waits is the left operand.
    Combine(Binary, bool),
}

struct Compiler<'a> {
    ops: &'a [Op],
    constants: &'a [Number],
    nodes: &'a mut [Node],
    steps: Vec<Step>,
    tasks: Vec<Task>,
    shared: u32,
    waiting: u32,
    slots: u32,
}

impl Compiler<'_> {
    fn count_uses(&mut self) {
        for op in self.ops {
            match *op {
                Op::Unary(_, a) => self.nodes[a as usize].uses += 1,
                Op::Binary(_, a, b) => {
                    self.nodes[a as usize].uses += 1;
                    self.nodes[b as usize].uses += 1;
                }
                Op::Constant(_) | Op::Input(_) => {}
            }
        }
    }

    fn compile(&mut self) {
        let shared_end = (0..self.ops.len()).filter(|&id| self.is_shared(id)).count() as u32;
        self.shared = shared_end.min(SLOTS as u32 - WAITING);
        let mut next = 0;
        for id in 0..self.ops.len() {
            self.nodes[id].need = self.need(id as u32);
            if next < self.shared && self.is_shared(id) {
                self.compute(id as u32);
                self.emit(Act::Store, next, 1.0);
                next += 1;
                self.nodes[id].slot = next as u16;
                self.nodes[id].need = 0;
            }
        }
        self.compute(self.ops.len() as u32 - 1);
    }

    /// Whether an operation is worth a slot: it is used again and more than a weighted input.
    fn is_shared(&self, id: usize) -> bool {
        self.nodes[id].uses > 1 && self.weighted(id as u32).is_none()
    }

    fn need(&self, id: u32) -> u8 {
        let need = |id: u32| self.nodes[id as usize].need;
        match self.ops[id as usize] {
            Op::Constant(_) | Op::Input(_) => 0,
            Op::Unary(_, a) => need(a),
            Op::Binary(_, a, b) => {
                if self.operand(b).is_some() {
                    need(a)
                } else if self.operand(a).is_some() {
                    need(b)
                } else {
                    need(a).max(need(b)).max(need(a).min(need(b)) + 1)
                }
            }
        }
    }

    /// Emits the steps that put the value of an operation into the accumulator.
    fn compute(&mut self, id: u32) {
        self.tasks.push(Task::Compute(id));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Compute(id) => self.plan(id),
                Task::Emit(step) => self.emit(step.act, step.index, step.weight),
                Task::Wait => {
                    self.emit(Act::Store, self.shared + self.waiting, 1.0);
                    self.waiting += 1;
                }
                Task::Combine(op, left) => {
                    self.waiting -= 1;
                    let act = if left { from_slot(op) } else { with_slot(op) };
                    self.emit(act, self.shared + self.waiting, 1.0);
                }
            }
        }
    }

    fn emit(&mut self, act: Act, index: u32, weight: f64) {
        if act == Act::Store {
            self.slots = self.slots.max(index + 1);
        }
        let mut step = Step::new(act, index, weight);
        // What follows a store most often is a load.
        if act == Act::Load
            && let Some(store) = self.steps.pop_if(|last| last.act == Act::Store)
        {
            step.act = Act::StoreLoad;
            step.slot = store.index as u16;
        }
        self.steps.push(step);
    }

    /// Schedules the tasks that compute one operation, the last one first.
    fn plan(&mut self, id: u32) {
        match self.operand(id) {
            Some(Operand::Weighted(index, weight)) => return self.emit(Act::Load, index, weight),
            Some(Operand::Slot(slot)) => return self.emit(Act::LoadSlot, slot, 1.0),
            None => {}
        }
        match self.ops[id as usize] {
            Op::Unary(op, a) => {
                let step = match op {
                    Unary::Neg => Step::new(Act::Mul, ONE, -1.0),
                    op => Step::new(Act::Unary(op), ONE, 1.0),
                };
                self.tasks.extend([Task::Emit(step), Task::Compute(a)]);
            }
            Op::Binary(op, a, b) => {
                if let Some(operand) = self.operand(b) {
                    let step = step_with(op, operand);
                    self.tasks.extend([Task::Emit(step), Task::Compute(a)]);
                } else if let Some(operand) = self.operand(a) {
                    let step = step_from(op, operand);
                    self.tasks.extend([Task::Emit(step), Task::Compute(b)]);
                } else {
                    // The operand that needs more slots goes first: then their number is logarithmic.
                    let left_first = self.nodes[a as usize].need >= self.nodes[b as usize].need;
                    let (first, second) = if left_first { (a, b) } else { (b, a) };
                    let combine = Task::Combine(op, left_first);
                    self.tasks.extend([combine, Task::Compute(second), Task::Wait]);
                    self.tasks.push(Task::Compute(first));
                }
            }
            Op::Constant(_) | Op::Input(_) => {}
        }
    }

    fn operand(&self, id: u32) -> Option<Operand> {
        if let Some(slot) = self.nodes[id as usize].slot.checked_sub(1) {
            return Some(Operand::Slot(slot.into()));
        }
        self.weighted(id)
    }

    /// An input times a constant, or a constant.
    fn weighted(&self, id: u32) -> Option<Operand> {
        let constant = |id: u32| match self.ops[id as usize] {
            Op::Constant(at) => Some(self.constants[at as usize].as_f64()),
            _ => None,
        };
        let input = |id: u32| match self.ops[id as usize] {
            Op::Input(at) => Some(at),
            _ => None,
        };
        let product = |a, b| Some(Operand::Weighted(input(a)?, constant(b)?));
        match self.ops[id as usize] {
            Op::Constant(_) => Some(Operand::Weighted(ONE, constant(id)?)),
            Op::Input(at) => Some(Operand::Weighted(at, 1.0)),
            Op::Unary(Unary::Neg, a) => Some(Operand::Weighted(input(a)?, -1.0)),
            Op::Binary(Binary::Mul, a, b) => product(a, b).or_else(|| product(b, a)),
            Op::Binary(Binary::Div, a, b) => {
                Some(Operand::Weighted(input(a)?, exact_reciprocal(constant(b)?)?))
            }
            _ => None,
        }
    }
}

/// 1 ÷ a power of two, multiplying by which is dividing by that power to the bit.
fn exact_reciprocal(power: f64) -> Option<f64> {
    const FRACTION: u64 = (1 << 52) - 1;
    let reciprocal = 1.0 / power;
    let is_power = power.to_bits() & FRACTION == 0;
    (is_power && power.is_normal() && reciprocal.is_normal()).then_some(reciprocal)
}

/// acc op operand.
fn step_with(op: Binary, operand: Operand) -> Step {
    match operand {
        Operand::Slot(index) => Step::new(with_slot(op), index, 1.0),
        Operand::Weighted(index, weight) => match op {
            Binary::Add => Step::new(Act::Add, index, weight),
            // Subtracting is adding the negative, in IEEE arithmetic to the bit.
            Binary::Sub => Step::new(Act::Add, index, -weight),
            Binary::Mul => Step::new(Act::Mul, index, weight),
            Binary::Div if index == ONE => match exact_reciprocal(weight) {
                Some(reciprocal) => Step::new(Act::Mul, index, reciprocal),
                None => Step::new(Act::Div, index, weight),
            },
            Binary::Div => Step::new(Act::Div, index, weight),
            op => Step::new(Act::Binary(op), index, weight),
        },
    }
}

/// operand op acc.
fn step_from(op: Binary, operand: Operand) -> Step {
    match operand {
        Operand::Slot(index) => Step::new(from_slot(op), index, 1.0),
        Operand::Weighted(index, weight) => match op {
            Binary::Add => Step::new(Act::Add, index, weight),
            Binary::Sub => Step::new(Act::SubFrom, index, weight),
            Binary::Mul => Step::new(Act::Mul, index, weight),
            Binary::Div => Step::new(Act::DivInto, index, weight),
            op => Step::new(Act::BinaryFrom(op), index, weight),
        },
    }
}

fn with_slot(op: Binary) -> Act {
    match op {
        Binary::Add => Act::AddSlot,
        Binary::Sub => Act::SubSlot,
        Binary::Mul => Act::MulSlot,
        Binary::Div => Act::DivSlot,
        op => Act::BinarySlot(op),
    }
}

fn from_slot(op: Binary) -> Act {
    match op {
        Binary::Add => Act::AddSlot,
        Binary::Sub => Act::SubFromSlot,
        Binary::Mul => Act::MulSlot,
        Binary::Div => Act::DivIntoSlot,
        op => Act::BinaryFromSlot(op),
    }
}
