//! Arm's core PMUs (Architecture Reference Manual, `PMEVTYPER`): the event's number and bits that exclude
//! levels. PMUs outside the cores take the number alone.

use super::Programmed;
use crate::encode::{Attr, EncodeError, Request};
use crate::machine::{Context, Privilege};
use crate::modifier::{Modifier, switch};
use crate::pmu::Event;

pub(super) static MODIFIERS: [Modifier; 3] = [
    switch(0, "k", "Count in the kernel"),
    switch(1, "u", "Count in user space"),
    switch(2, "hv", "Count in the hypervisor"),
];

const LEVELS: [Privilege; 3] = [Privilege::KERNEL, Privilege::USER, Privilege::HYPERVISOR];
/// The bits that exclude a level; the hypervisor's includes it, in the architecture's terms.
const EXCLUDE: [u64; 3] = [1 << 30, 1 << 31, 1 << 27];

pub(super) fn program(request: &mut Request, context: &Context) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut chosen = None;
    for asked in request.of_pmu() {
        if let Attr::Modifier(modifier) = &asked.what {
            let levels = chosen.get_or_insert(Privilege::NONE);
            if asked.in_range(modifier)? != 0 {
                *levels |= LEVELS[usize::from(modifier.index)];
            }
        }
    }
    let levels = chosen.unwrap_or(context.privilege);
    let mut programmed = Programmed::code(event.code);
    if event.row.modifiers == 0 {
        return Ok(programmed);
    }
    let mut code = event.code;
    for (number, level) in LEVELS.into_iter().enumerate() {
        let counted = levels.contains(level);
        programmed.values[number] = counted.into();
        code |= if counted { 0 } else { EXCLUDE[number] };
    }
    programmed.codes = code.into();
    Ok(programmed)
}

/// The kernel sets the levels.
pub(super) fn config(event: &Event, code: u64) -> u64 {
    match event.row.modifiers {
        0 => code,
        _ => code & !(EXCLUDE[0] | EXCLUDE[1] | EXCLUDE[2]),
    }
}
