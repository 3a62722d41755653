//! AMD's PMUs since K7: cores, northbridge and L3 (BIOS and Kernel Developer's Guides, Processor
//! Programming References, "Performance Event-Select Registers").

use super::event_select::{BELOW_MASK, COUNTER_MASK, IN_KERNEL, IN_USER_SPACE, ON_EDGE};
use super::groups::missing;
use super::plain::{EXACT, PLAIN, of_core_or_device};
use crate::counters::set::CounterSet;
use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Attr, Request};
use crate::field::{ENABLE, Field, LEVELS_AND_ENABLE, bit};
use crate::modifier::{Modifiers, PerfAttribute, numbered, set, switch};
use crate::pmu::{Event, Family, Flags, Pmu};
use crate::privilege::Privilege;
use crate::tables::row::Marks;

const GUEST: Field = bit(40);
const HOST: Field = bit(41);

const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            IN_KERNEL,
            IN_USER_SPACE,
            ON_EDGE,
            BELOW_MASK,
            COUNTER_MASK,
            switch("h", HOST, "Count outside virtual machines").level(Privilege::HYPERVISOR),
            switch("g", GUEST, "Count in virtual machines"),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    left_out: |event, all, levels| {
        if event.pmu.flags.has(Flags::NO_PERF) { all } else { left_out(event, all, levels) }
    },
    program,
    perf: |event, _, programmed, device| {
        Ok(Words::new(of_core_or_device(event, device)?, config(programmed.word(0))))
    },
    counters,
    ..PLAIN
};

/// The attributes of perf_events that an event cannot have: of a processor that does not know guests, also `h`.
pub(super) fn left_out(event: &Event, _: u32, _: Privilege) -> u32 {
    if event.pmu.flags.has(Flags::HYPERVISOR) {
        EXACT
    } else {
        EXACT | set(&[PerfAttribute::Hypervisor])
    }
}

fn program(
    event: &Event,
    request: &mut Request,
    levels: Privilege,
) -> Result<Programmed, EncodeError> {
    let mut register = start(event);
    let mut umask = 0;
    let mut given = 0u32;
    let (mut seen, mut alone) = (0u16, 0u16);
    for asked in request.of_pmu() {
        match &asked.what {
            Attr::Umask(mask) => {
                let group = 1 << (mask.row.group & 0xf);
                alone |= if mask.has(Marks::NCOMBO) { group } else { 0 };
                if seen & alone & group != 0 {
                    let why = "one of them counts alone in its group";
                    let kind =
                        EncodeErrorKind::Combination { umask: mask.row.name.to_owned(), why };
                    return Err(EncodeError { span: asked.span.clone(), kind });
                }
                seen |= group;
                umask |= mask.row.code;
            }
            Attr::RawUmask => {
                umask = asked.raw_umask(8)?;
                seen = u16::MAX;
            }
            Attr::Modifier(modifier) => {
                register = modifier.field.set(register, asked.in_range(modifier)?);
                given |= 1 << modifier.index;
            }
            Attr::Perf(_) => {}
        }
    }
    if given & MODIFIERS.levels == 0 {
        // Also if the PMU distinguishes no levels, as in libpfm.
        for modifier in MODIFIERS.of_set(MODIFIERS.levels) {
            register |= modifier.field.set(0, levels.contains(modifier.level).into());
        }
    }
    umask |= defaults(request, event, seen)?;
    register |= (umask & 0xff) << 8;
    Ok(Programmed::code(register))
}

/// Instruction-based sampling has registers of its own, of which one bit enables it.
fn start(event: &Event) -> u64 {
    match event.row.marks {
        marks if marks.has(Marks::IBS_FETCH) => 1 << 48,
        marks if marks.has(Marks::IBS_OP) => 1 << 17,
        _ => event.code & 0xff | (event.code >> 8 & 0xf) << 32 | ENABLE,
    }
}

/// All defaults of the groups that are missing; groups that may be left out have none.
fn defaults(request: &mut Request, event: &Event, seen: u16) -> Result<u64, EncodeError> {
    let mut umask = 0;
    for group in (0..event.row.group).filter(|group| seen >> group & 1 == 0) {
        let mut added = false;
        for mask in event.defaults(group) {
            request.add_default(mask);
            umask |= mask.row.code;
            added = true;
        }
        let optional = || event.group(group).all(|mask| mask.has(Marks::OMIT));
        if !added && !optional() {
            return Err(missing(event, group));
        }
    }
    Ok(umask)
}

/// The kernel sets levels, and whether guests and the host count.
fn config(code: u64) -> u64 {
    code & !(LEVELS_AND_ENABLE | 1 << 40 | 1 << 41)
}

/// Zen 1 and 2 join two counters for the sum of floating point operations; the even one holds the event.
fn counters(pmu: &Pmu, set: CounterSet, code: u64, _: Option<u64>) -> u64 {
    const EVENT: u64 = 0xf_0000_00ff;
    let pairs = u64::from(pmu.limits.pairs);
    if pairs != 0 && code & EVENT == pairs { set.general & 0x5555 } else { set.general }
}
