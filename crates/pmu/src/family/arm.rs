//! Arm's core PMUs (Architecture Reference Manual, `PMEVTYPER`): the event's number and bits that exclude
//! levels.

use super::plain::{PLAIN, of_core_or_device};
use crate::counters::set::CounterSet;
use crate::encode::error::EncodeError;
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Attr, Request};
use crate::field::{Field, bit};
use crate::modifier::{Modifiers, numbered, switch};
use crate::pmu::{Event, Family, Pmu};
use crate::privilege::Privilege;

/// Of a word beside the register, whether a level is counted.
const fn counted(number: u32) -> Field {
    bit(number).of_word(1)
}

/// The bits exclude a level; the hypervisor's includes it, in the architecture's terms.
pub(super) const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            switch("k", bit(30), "Count in the kernel")
                .level(Privilege::KERNEL)
                .printed(counted(0)),
            switch("u", bit(31), "Count in user space").level(Privilege::USER).printed(counted(1)),
            switch("hv", bit(27), "Count in the hypervisor")
                .level(Privilege::HYPERVISOR)
                .printed(counted(2)),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    program,
    perf,
    counters,
    kernel_code: |pmu, config| (config == KERNEL_CYCLES).then_some(pmu.limits.cycles.into()),
    ..PLAIN
};

fn program(
    event: &Event,
    request: &mut Request,
    levels: Privilege,
) -> Result<Programmed, EncodeError> {
    let mut chosen = None;
    for asked in request.of_pmu() {
        if let Attr::Modifier(modifier) = &asked.what {
            let levels = chosen.get_or_insert(Privilege::NONE);
            if asked.in_range(modifier)? != 0 {
                *levels |= modifier.level;
            }
        }
    }
    let levels = chosen.unwrap_or(levels);
    let mut programmed = Programmed::code(event.code);
    if event.row.modifiers == 0 {
        return Ok(programmed);
    }
    let mut code = event.code;
    for modifier in MODIFIERS.list {
        let counted = levels.contains(modifier.level);
        modifier.printed.write(&mut programmed.printed, counted.into());
        code |= modifier.field.set(0, (!counted).into());
    }
    programmed.codes = code.into();
    Ok(programmed)
}

/// The kernel sets the levels.
fn perf(
    event: &Event,
    _: &Request,
    programmed: &Programmed,
    device: Option<u32>,
) -> Result<Words, EncodeError> {
    let mut config = programmed.word(0);
    if event.row.modifiers != 0 {
        config = MODIFIERS.list.iter().fold(config, |config, m| m.field.set(config, 0));
    }
    Ok(Words::new(of_core_or_device(event, device)?, config))
}

/// `PERF_COUNT_HW_CPU_CYCLES`
const KERNEL_CYCLES: u64 = 0;

/// The architecture's number of the event that counts cycles, on the cycle counter or on any other.
const CYCLES: u64 = 0x11;

/// Earlier cores than those of Armv8 have another number for the cycle counter, which no other counter takes.
fn counters(pmu: &Pmu, set: CounterSet, code: u64, _: Option<u64>) -> u64 {
    match code & 0xffff {
        code if code != u64::from(pmu.limits.cycles) => set.general,
        CYCLES => set.general | set.fixed,
        _ => set.fixed,
    }
}
