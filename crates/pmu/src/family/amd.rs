//! AMD's PMUs since K7: cores, northbridge and L3 (BIOS and Kernel Developer's Guides, Processor
//! Programming References, "Performance Event-Select Registers").

use super::Programmed;
use super::field::{CMASK, EDGE, ENABLE, Field, INV, LEVELS_AND_ENABLE, OS, USR, bit};
use super::groups::missing;
use crate::encode::{Attr, EncodeError, EncodeErrorKind, Request};
use crate::machine::{Context, Privilege};
use crate::modifier::{Modifier, integer, switch};
use crate::pmu::Event;
use crate::tables::Marks;

pub(super) static MODIFIERS: [Modifier; 7] = [
    switch(0, "k", "Count in the kernel"),
    switch(1, "u", "Count in user space"),
    switch(2, "e", "Count how often the condition begins, not how long it lasts"),
    switch(3, "i", "Count cycles below the counter mask instead of those at or above it"),
    integer(4, "c", (0, 255), "Count cycles with at least so many occurrences, 0 to 255"),
    switch(5, "h", "Count outside virtual machines"),
    switch(6, "g", "Count in virtual machines"),
];

const GUEST: Field = bit(40);
const HOST: Field = bit(41);

const FIELDS: [Field; 7] = [OS, USR, EDGE, INV, CMASK, HOST, GUEST];

/// What a modifier that names a level is, by its bits: `k`, `u` and `h`, but not `g`.
const LEVELS: u32 = 0b10_0011;

pub(super) fn program(request: &mut Request, context: &Context) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut register = start(&event);
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
                let field = FIELDS[usize::from(modifier.index)];
                register = field.set(register, asked.in_range(modifier)?);
                given |= 1 << modifier.index;
            }
            Attr::Perf(_) => {}
        }
    }
    if given & LEVELS == 0 {
        // Also where the PMU tells no levels apart, as in libpfm.
        for (field, level) in
            [(OS, Privilege::KERNEL), (USR, Privilege::USER), (HOST, Privilege::HYPERVISOR)]
        {
            register |= field.set(0, context.privilege.contains(level).into());
        }
    }
    umask |= defaults(request, &event, seen)?;
    register |= (umask & 0xff) << 8;
    let mut programmed = Programmed::code(register);
    for (value, field) in programmed.values.iter_mut().zip(FIELDS) {
        *value = field.get(register);
    }
    Ok(programmed)
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
        for mask in event.place.defaults(event.pmu, group) {
            request.add_default(mask);
            umask |= mask.row.code;
            added = true;
        }
        let optional = || event.place.group(event.pmu, group).all(|mask| mask.has(Marks::OMIT));
        if !added && !optional() {
            return Err(missing(event, group));
        }
    }
    Ok(umask)
}

/// The kernel sets levels, and whether guests and the host count.
pub(super) fn config(code: u64) -> u64 {
    code & !(LEVELS_AND_ENABLE | 1 << 40 | 1 << 41)
}
