//! Compiles operations to the steps of the accumulator machine.

use alloc::vec::Vec;

use crate::forms;
use crate::number::Number;
use crate::op::{Binary, Op, Unary};
use crate::step::{Act, ONE, Place, Run, SLOTS, Second, Step, Term};

/// Slots reserved for operands that wait; the number needed grows with the logarithm of a formula's size.
const WAITING: u32 = 64;

/// The steps that compute the last operation, one operation per step, and the number of slots that hold values used more than once.
///
/// Values used more than once are computed first, each into its own slot.
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
        keep: None,
    };
    compiler.count_uses();
    compiler.compile();
    (compiler.steps, compiler.shared)
}

/// The compiler's state for one operation.
#[derive(Clone, Copy, Default)]
struct Node {
    uses: u32,
    /// The number of slots needed to compute it into the accumulator.
    need: u8,
    /// The index of the slot that holds its value, plus one; 0 if it has no slot.
    slot: u16,
}

/// An operand that is available without computing anything first.
#[derive(Clone, Copy)]
enum Operand {
    Weighted(Term),
    Slot(u32),
}

enum Task {
    Compute(u32),
    Emit(Act, Operand),
    /// Makes the next step save the accumulator in a slot.
    Wait,
    /// Combines the waiting value with the accumulator; true if the waiting value is the left operand.
    Combine(Binary, bool),
    /// Chooses among the two waiting values and the accumulator, which are at these places.
    Choose([Place; 3]),
}

struct Compiler<'a> {
    ops: &'a [Op],
    constants: &'a [Number],
    nodes: &'a mut [Node],
    steps: Vec<Step>,
    tasks: Vec<Task>,
    shared: u32,
    waiting: u32,
    /// The slot in which the next step, a load, saves the accumulator.
    keep: Option<u32>,
}

impl Compiler<'_> {
    fn count_uses(&mut self) {
        for operand in self.ops.iter().flat_map(|op| op.operands()) {
            self.nodes[operand as usize].uses += 1;
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
                self.keep = Some(next);
                next += 1;
                self.nodes[id].slot = next as u16;
                self.nodes[id].need = 0;
            }
        }
        self.compute(self.ops.len() as u32 - 1);
    }

    /// Returns true if an operation deserves a slot: it is used more than once and is not just a weighted input.
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
            Op::Choice(a, c, b) => {
                let [first, second, third] = self.by_need([a, c, b]).map(|(id, _)| need(id));
                first.max(second + 1).max(third + 2)
            }
        }
    }

    /// The operands of a choice, those that need more slots first, each with its place in the text.
    fn by_need(&self, [a, c, b]: [u32; 3]) -> [(u32, Place); 3] {
        let mut operands = [(a, Place::Then), (c, Place::Condition), (b, Place::Else)];
        operands.sort_by_key(|(id, _)| core::cmp::Reverse(self.nodes[*id as usize].need));
        operands
    }

    /// Emits the steps that put the value of an operation into the accumulator.
    fn compute(&mut self, id: u32) {
        self.tasks.push(Task::Compute(id));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Compute(id) => self.plan(id),
                Task::Emit(act, operand) => self.emit(act, operand),
                Task::Wait => {
                    self.keep = Some(self.shared + self.waiting);
                    self.waiting += 1;
                }
                Task::Combine(op, left) => {
                    self.waiting -= 1;
                    let act = if left { from(op) } else { Act::With(op) };
                    self.emit(act, Operand::Slot(self.shared + self.waiting));
                }
                Task::Choose(places) => self.choose(places),
            }
        }
    }

    /// Emits the step that chooses among two waiting values and the accumulator.
    fn choose(&mut self, [first, second, last]: [Place; 3]) {
        self.waiting -= 2;
        let slot = self.shared + self.waiting;
        let mut slots = [(first, slot), (second, slot + 1)];
        slots.sort_by_key(|(place, _)| *place as u8);
        let [(_, x), (_, y)] = slots;
        self.emit(Act::Choose(last), Operand::Slot(x));
        if let Some(step) = self.steps.last_mut() {
            step.slot = y as u16;
        }
    }

    fn emit(&mut self, act: Act, operand: Operand) {
        let (x, from_slot) = match operand {
            Operand::Weighted(term) => (term, false),
            Operand::Slot(index) => (Term { index, weight: 1.0 }, true),
        };
        let mut step = Step::new(act, x, from_slot);
        if let Some(slot) = self.keep.take() {
            step.act = Act::Keep;
            step.slot = slot as u16;
        }
        self.steps.push(step);
    }

    /// Schedules the tasks that compute one operation, in reverse order.
    fn plan(&mut self, id: u32) {
        if let Some(operand) = self.operand(id) {
            return self.emit(Act::Load, operand);
        }
        match self.ops[id as usize] {
            Op::Unary(op, a) => {
                let (act, weight) = match op {
                    Unary::Neg => (Act::With(Binary::Mul), -1.0),
                    op => (Act::Alone(op), 1.0),
                };
                let operand = Operand::Weighted(Term { index: ONE, weight });
                self.tasks.extend([Task::Emit(act, operand), Task::Compute(a)]);
            }
            Op::Binary(op, a, b) => {
                if let Some(operand) = self.operand(b) {
                    self.tasks.extend([with(op, operand), Task::Compute(a)]);
                } else if let Some(operand) = self.operand(a) {
                    self.tasks.extend([Task::Emit(from(op), operand), Task::Compute(b)]);
                } else {
                    // The operand that needs more slots is computed first, which keeps their number logarithmic.
                    let left_first = self.nodes[a as usize].need >= self.nodes[b as usize].need;
                    let (first, second) = if left_first { (a, b) } else { (b, a) };
                    let combine = Task::Combine(op, left_first);
                    self.tasks.extend([combine, Task::Compute(second), Task::Wait]);
                    self.tasks.push(Task::Compute(first));
                }
            }
            Op::Choice(a, c, b) => {
                let [first, second, third] = self.by_need([a, c, b]);
                self.tasks.push(Task::Choose([first.1, second.1, third.1]));
                self.tasks.extend([Task::Compute(third.0), Task::Wait]);
                self.tasks.extend([Task::Compute(second.0), Task::Wait]);
                self.tasks.push(Task::Compute(first.0));
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
        let term = |index, weight| Some(Operand::Weighted(Term { index, weight }));
        let product = |a, b| term(input(a)?, constant(b)?);
        match self.ops[id as usize] {
            Op::Constant(_) => term(ONE, constant(id)?),
            Op::Input(at) => term(at, 1.0),
            Op::Unary(Unary::Neg, a) => term(input(a)?, -1.0),
            Op::Binary(Binary::Mul, a, b) => product(a, b).or_else(|| product(b, a)),
            Op::Binary(Binary::Div, a, b) => term(input(a)?, exact_reciprocal(constant(b)?)?),
            _ => None,
        }
    }
}

/// The reciprocal of a power of two: multiplying by it gives exactly the result of the division.
fn exact_reciprocal(power: f64) -> Option<f64> {
    const FRACTION: u64 = (1 << 52) - 1;
    let reciprocal = 1.0 / power;
    let is_power = power.to_bits() & FRACTION == 0;
    (is_power && power.is_normal() && reciprocal.is_normal()).then_some(reciprocal)
}

/// acc op operand.
fn with(op: Binary, operand: Operand) -> Task {
    if op == Binary::Div
        && let Operand::Weighted(Term { index: ONE, weight }) = operand
        && let Some(weight) = exact_reciprocal(weight)
    {
        let factor = Operand::Weighted(Term { index: ONE, weight });
        return Task::Emit(Act::With(Binary::Mul), factor);
    }
    Task::Emit(Act::With(op), operand)
}

/// operand op acc; for a sum or a product, acc op operand.
fn from(op: Binary) -> Act {
    if matches!(op, Binary::Add | Binary::Mul) { Act::With(op) } else { Act::From(op) }
}

/// Fuses pairs of steps into one step if a compiled form exists for both together.
pub(crate) fn fused(steps: &[Step], shared: u32) -> Vec<Step> {
    let mut fused: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let last = fused.last_mut();
        match last.and_then(|last| Some((pair(last, step, shared)?, last))) {
            Some((pair, last)) if has_form(&pair) => *last = pair,
            _ => fused.push(*step),
        }
    }
    fused
}

fn has_form(step: &Step) -> bool {
    forms::compiled::<Run>(step).is_some()
}

/// Two steps as one, whether or not a compiled form exists; slots from `shared` on are read only once.
fn pair(first: &Step, next: &Step, shared: u32) -> Option<Step> {
    let mut pair = *first;
    match (first.act, first.second, next.act) {
        // The next step is the only reader of the slot, so the slot is not needed: x op y becomes the operand of the next step.
        (Act::Keep, Second::After(..) | Second::AfterTwo(..), Act::With(op) | Act::From(op))
            if next.from_slot && next.x.index == first.slot.into() && next.x.index >= shared =>
        {
            pair.act = if next.act == Act::With(op) { from(op) } else { Act::With(op) };
            pair.second = match first.second {
                Second::AfterTwo(inside, last) => Second::InsideTwo(inside, last),
                Second::After(inside) => Second::Inside(inside),
                other => other,
            };
        }
        (_, Second::None, Act::With(op)) if !next.from_slot => {
            pair.second = Second::After(op);
            pair.y = next.x;
        }
        (_, Second::After(first), Act::With(op)) if !next.from_slot => {
            pair.second = Second::AfterTwo(first, op);
            pair.z = next.x;
        }
        _ => return None,
    }
    Some(pair)
}
