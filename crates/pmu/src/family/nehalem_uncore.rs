//! The uncore of Nehalem and Westmere (Intel SDM volume 3, "Performance Monitoring Facility in the Uncore").

use super::event_select::{BELOW_MASK, COUNTER_MASK, ON_EDGE};
use super::groups::{Groups, needs};
use super::intel_core;
use super::plain::{PLAIN, found};
use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Attr, Request};
use crate::field::{ENABLE, Field, bit};
use crate::modifier::{Modifiers, numbered, switch};
use crate::pmu::{Event, Family};
use crate::privilege::Privilege;

const OCCUPANCY: Field = bit(17);

/// That two of them cannot be written in the perf layers is an accident of libpfm.
const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            ON_EDGE.raw_only(),
            BELOW_MASK.raw_only(),
            COUNTER_MASK,
            switch("o", OCCUPANCY, "Reset the queue's occupancy"),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    masks_are_registers: true,
    left_out: intel_core::left_out,
    program,
    perf: |event, _, programmed, device| {
        Ok(Words::new(found(event, device, true)?, programmed.word(0) & !ENABLE))
    },
    ..PLAIN
};

fn program(event: &Event, request: &mut Request, _: Privilege) -> Result<Programmed, EncodeError> {
    let mut register = event.code;
    let mut umask = event.code >> 8 & 0xff;
    let mut groups = Groups::new(event);
    let (mut given, mut wired, mut needed) = (0, 0, event.row.needs);
    for asked in request.of_pmu() {
        match &asked.what {
            Attr::Umask(mask) => {
                groups.take(event, mask, asked)?;
                umask |= mask.row.code >> 8;
                register |= umask << 8;
                wired |= mask.row.wired;
                needed |= mask.row.needs;
            }
            Attr::RawUmask => {
                umask = asked.raw_umask(8)?;
                groups.raw();
            }
            Attr::Modifier(modifier) => {
                register = modifier.field.set(register, asked.in_range(modifier)?);
                given |= 1 << modifier.index;
            }
            Attr::Perf(_) => {}
        }
    }
    if let Some(modifier) = MODIFIERS.of_set(wired).find(|m| m.field.get(register) != 0) {
        return Err(EncodeError::of_event(EncodeErrorKind::WiredModifier { name: modifier.name }));
    }
    if groups.incomplete(event) {
        for mask in groups.defaults(event, request)? {
            umask |= mask.row.code >> 8;
        }
    }
    if needed != 0 && given != needed {
        return Err(needs(event, MODIFIERS, needed));
    }
    Ok(Programmed::code(register | umask << 8 | ENABLE))
}
