//! Call chains, registers and copies of the stack that the running kernel takes.

use crate::support::{TASK_CLOCK, burn, permitted};
use counterpoint_perf::records::{Level, Record};
use counterpoint_perf::{
    Attr, Every, Fields, Host, OpenError, Placement, Sampler, Sampling, Setup, StackParts,
};

fn sampler(fields: Fields, stack: StackParts) -> Result<Sampler, OpenError> {
    let clock = Attr { every: Every::Period(200_000), ..permitted(TASK_CLOCK).user_only() };
    let sampling = Sampling { stack, ..Sampling::new(Fields::IP | fields) };
    let mut sampler = Host::local().sampler(sampling, Setup::default());
    sampler.add(&[clock], &Placement::ThisThread)?;
    Ok(sampler)
}

#[test]
fn a_call_chain_begins_with_the_instruction_of_the_sample() {
    let stack = StackParts { max_frames: 5, ..StackParts::default() };
    let mut sampler = sampler(Fields::CALLCHAIN, stack).unwrap();
    (0..100).for_each(|_| burn());
    let mut samples = 0;
    sampler
        .drain(|record| {
            let Record::Sample(sample) = record else { return };
            let chain: Vec<_> = sample.callchain.unwrap().iter().collect();
            assert_eq!(chain.first(), Some(&(Level::User, sample.ip.unwrap())));
            assert!(chain.len() <= 5, "{chain:x?}");
            samples += 1;
        })
        .unwrap();
    assert!(samples > 10, "{samples}");
}

#[test]
fn a_sample_has_the_registers_and_the_top_of_the_stack() {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")) {
        return println!("skipped: needs x86-64, arm64 or 64-bit RISC-V");
    }
    let stack = StackParts { copied_bytes: 1024, ..StackParts::default() };
    let mut sampler = sampler(Fields::REGS_USER | Fields::STACK_USER, stack).unwrap();
    let here = 0_u8;
    (0..100).for_each(|_| burn());
    let here = (&raw const here).addr() as u64;
    let mut samples = 0;
    sampler
        .drain(|record| {
            let Record::Sample(sample) = record else { return };
            let registers = sample.registers.unwrap();
            assert_eq!(Some(registers.ip()), sample.ip);
            assert!(registers.is_64_bit());
            assert!(here.abs_diff(registers.sp()) < 1 << 16, "{registers:x?}, near {here:x}");
            assert_eq!(sample.stack.unwrap().len(), 1024);
            samples += 1;
        })
        .unwrap();
    assert!(samples > 10, "{samples}");
}
