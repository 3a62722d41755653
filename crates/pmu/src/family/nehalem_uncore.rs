//! The uncore of Nehalem and Westmere (Intel SDM volume 3, "Performance Monitoring Facility in the Uncore").

use super::field::{CMASK, EDGE, ENABLE, Field, INV, bit};
use super::groups::Groups;
use super::{Programmed, error};
use crate::encode::{Attr, EncodeError, EncodeErrorKind, Request};
use crate::modifier::{Modifier, integer, of_set, switch};

pub(super) static MODIFIERS: [Modifier; 4] = [
    switch(0, "e", "Count how often the condition begins, not how long it lasts"),
    switch(1, "i", "Count cycles below the counter mask instead of those at or above it"),
    integer(2, "c", (0, 255), "Count cycles with at least so many occurrences, 0 to 255"),
    switch(3, "o", "Reset the queue's occupancy"),
];

const OCCUPANCY: Field = bit(17);

const FIELDS: [Field; 4] = [EDGE, INV, CMASK, OCCUPANCY];

pub(super) fn program(request: &mut Request) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut register = event.code;
    let mut umask = event.code >> 8 & 0xff;
    let mut groups = Groups::new(&event);
    let (mut given, mut wired, mut needed) = (0, 0, event.row.needs);
    for asked in request.of_pmu() {
        match &asked.what {
            Attr::Umask(mask) => {
                groups.take(&event, mask, asked)?;
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
                let field = FIELDS[usize::from(modifier.index)];
                register = field.set(register, asked.in_range(modifier)?);
                given |= 1 << modifier.index;
            }
            Attr::Perf(_) => {}
        }
    }
    let mut of_masks = of_set(&MODIFIERS, wired);
    if let Some(modifier) = of_masks.find(|m| FIELDS[usize::from(m.index)].get(register) != 0) {
        return Err(error(EncodeErrorKind::WiredModifier { name: modifier.name }));
    }
    if groups.incomplete(&event) {
        for mask in groups.defaults(request)? {
            umask |= mask.row.code >> 8;
        }
    }
    if needed != 0 && given != needed {
        let needed = of_set(&MODIFIERS, needed);
        let modifiers = needed.map(|modifier| modifier.name).collect();
        let event = event.name.to_owned();
        return Err(error(EncodeErrorKind::NeedsModifiers { event, modifiers }));
    }
    register |= umask << 8 | ENABLE;
    let mut programmed = Programmed::code(register);
    for (value, field) in programmed.values.iter_mut().zip(FIELDS) {
        *value = field.get(register);
    }
    Ok(programmed)
}
