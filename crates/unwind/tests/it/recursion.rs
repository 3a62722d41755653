//! Samples of a recursion of this program, as the kernel takes them.

use counterpoint_perf::records::Record;
use counterpoint_perf::{
    Attr, Every, Fields, Host, Placement, Sampling, Setup, StackParts, pmu_type,
};
use counterpoint_unwind::{CannotUnwind, IP, Registers, SP, Unwinder};
use std::hint::black_box;

const TASK_CLOCK: u64 = 1;
const COPIED: u16 = 32 << 10;

/// A sample: registers, and a copy of the stack.
pub(crate) struct Taken {
    registers: Registers,
    stack: Vec<u8>,
}

/// Samples of a recursion of this depth, or the reason why there are none.
pub(crate) fn samples(depth: u32) -> Result<Vec<Taken>, String> {
    let clock = Attr { every: Every::Period(200_000), ..Attr::new(pmu_type::SOFTWARE, TASK_CLOCK) };
    let stack = StackParts { copied_bytes: COPIED, ..StackParts::default() };
    let sampling = Sampling { stack, ..Sampling::new(Fields::REGS_USER | Fields::STACK_USER) };
    let mut sampler = Host::local().sampler(sampling, Setup::default()).ring_bytes(8 << 20);
    let opened = sampler.add(&[clock.user_only()], &Placement::ThisThread);
    opened.map_err(|error| format!("needs samples of this thread: {error}"))?;
    black_box(descend(black_box(depth)));
    let mut taken = Vec::new();
    let drained = sampler.drain(|record| {
        if let Record::Sample(sample) = record
            && let (Some(registers), Some(stack)) = (sample.registers, sample.stack)
        {
            taken.push(Taken { registers: registers.by_dwarf(), stack: stack.to_vec() });
        }
    });
    drained.map_err(|error| error.to_string())?;
    Ok(taken)
}

/// An unwinder with the files of this process.
pub(crate) fn unwinder() -> Unwinder {
    let mut unwinder = Unwinder::default();
    for map in Host::local().maps(None).iter().flat_map(|maps| maps.text()) {
        let file = map.path.as_ref().and_then(|path| std::fs::read(path).ok());
        unwinder.add(map.range.clone(), map.offset, &file.unwrap_or_default());
    }
    unwinder
}

/// Calls `frame` with the address of each frame; an error if the outermost one is not reached.
pub(crate) fn unwind(
    unwinder: &mut Unwinder,
    taken: &Taken,
    mut frame: impl FnMut(u64),
) -> Result<(), CannotUnwind> {
    let (mut registers, stack) = (taken.registers, &taken.stack);
    let bottom = registers[SP].unwrap_or(0);
    let mut word = |address: u64| {
        let at = usize::try_from(address.checked_sub(bottom)?).ok()?;
        stack.get(at..)?.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes))
    };
    let (mut address, mut is_exact) = (registers[IP].unwrap_or(0), true);
    loop {
        frame(address);
        let step = unwinder.step(address, is_exact, &mut registers, &mut word)?;
        let Some(caller) = step.caller else { return Ok(()) };
        is_exact = step.is_signal;
        address = caller - u64::from(!is_exact);
    }
}

#[inline(never)]
fn descend(depth: u32) -> u64 {
    match depth {
        0 => (0..20_000_000).fold(0, |sum: u64, i| black_box(sum.wrapping_mul(31) + i)),
        _ => black_box(descend(black_box(depth - 1))) + 1,
    }
}
