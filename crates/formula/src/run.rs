//! One step on the accumulator, after which the next one is called.

use crate::form::{Compiled, Form};
use crate::step::{Act, Run, Step};

impl Compiled for Run {
    fn compile<F: Form>(step: &Step) -> Run {
        // Only the code that a form can have is compiled.
        if F::CHOOSES {
            return choose::<F>;
        }
        if F::LOADS && step.act == Act::Keep {
            return if step.from_slot { run::<F, true, true> } else { run::<F, false, true> };
        }
        if step.from_slot { run::<F, true, false> } else { run::<F, false, false> }
    }
}

fn run<F: Form, const FROM_SLOT: bool, const KEEP: bool>(
    steps: &[Step],
    acc: f64,
    inputs: &[f64],
    slots: &mut [f64],
) -> f64 {
    let Some((step, rest)) = steps.split_first() else { return acc };
    if KEEP && let Some(slot) = slots.get_mut(usize::from(step.slot)) {
        *slot = acc;
    }
    let x = if FROM_SLOT {
        slots.get(step.x.index as usize).copied().unwrap_or(f64::NAN)
    } else {
        step.x.value(inputs)
    };
    let acc = F::apply(acc, x, step.y.value(inputs), step.z.value(inputs));
    (step.next)(rest, acc, inputs, slots)
}

fn choose<F: Form>(steps: &[Step], acc: f64, inputs: &[f64], slots: &mut [f64]) -> f64 {
    let Some((step, rest)) = steps.split_first() else { return acc };
    let slot = |at: usize| slots.get(at).copied().unwrap_or(f64::NAN);
    let acc = F::apply(acc, slot(step.x.index as usize), slot(step.slot.into()), 1.0);
    (step.next)(rest, acc, inputs, slots)
}
