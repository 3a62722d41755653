//! Netburst, the Pentium 4: an event-selection register (ESCR) and a counter's control register (CCCR)
//! for each event (Intel SDM volume 3, "Performance Monitoring (Processors Based on Intel NetBurst
//! Microarchitecture)").

use super::field::{Field, bit, bits};
use super::{Programmed, error};
use crate::encode::{Attr, Codes, EncodeError, EncodeErrorKind, Request, Spelling};
use crate::machine::{Context, Privilege};
use crate::modifier::{Modifier, integer, switch};
use crate::pmu::Event;

pub(super) static MODIFIERS: [Modifier; 5] = [
    switch(0, "u", "Count in user space"),
    switch(1, "k", "Count in the kernel"),
    switch(2, "cmpl", "Count cycles at or below the threshold instead of those above it"),
    switch(3, "e", "Count how often the condition begins, not how long it lasts"),
    integer(4, "thr", (0, 15), "Count cycles with more occurrences than this, 0 to 15"),
];

/// The bits of both threads.
const ESCR_USR: u64 = 1 << 0 | 1 << 2;
const ESCR_OS: u64 = 1 << 1 | 1 << 3;
const TAG_ENABLE: Field = bit(4);
const TAG: Field = bits(5, 4);
const EVENT_MASK: Field = bits(9, 16);
const EVENT_SELECT: Field = bits(25, 6);

const ENABLE: u64 = 1 << 12;
const ESCR_SELECT: Field = bits(13, 3);
const ACTIVE_THREAD: u64 = 3 << 16;
const COMPARE: Field = bit(18);
const COMPLEMENT: Field = bit(19);
const THRESHOLD: Field = bits(20, 4);
const EDGE: Field = bit(24);

pub(super) fn program(request: &mut Request, context: &Context) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut escr = EVENT_SELECT.set(0, event.code & 0xff);
    let mut cccr = ESCR_SELECT.set(ENABLE | ACTIVE_THREAD, event.code >> 8);
    let (mut mask, mut named, mut levels) = (0, false, None);
    for asked in request.of_pmu() {
        match &asked.what {
            Attr::Umask(umask) => {
                named = true;
                match umask.row.code {
                    bit @ 0..16 => mask |= 1 << bit,
                    bit => {
                        escr = TAG.set(escr, TAG.get(escr) | 1 << (bit.min(63) - 16));
                        escr = TAG_ENABLE.set(escr, 1);
                    }
                }
            }
            Attr::RawUmask | Attr::Perf(_) => {}
            Attr::Modifier(modifier) => {
                let value = asked.in_range(modifier)?;
                let levels: &mut u64 = match modifier.index {
                    0 | 1 => levels.get_or_insert(0),
                    _ => &mut 0,
                };
                match modifier.index {
                    0 => *levels |= ESCR_USR * value,
                    1 => *levels |= ESCR_OS * value,
                    2 => cccr = COMPLEMENT.set(cccr, value),
                    3 => cccr = EDGE.set(cccr, value),
                    _ => cccr = THRESHOLD.set(cccr, value),
                }
                if modifier.index > 1 && value != 0 {
                    cccr = COMPARE.set(cccr, 1);
                }
            }
        }
    }
    if !named {
        let default = event.place.defaults(event.pmu, 0).next().ok_or_else(|| {
            let choices = event.place.masks(event.pmu).map(|mask| mask.row.name).collect();
            error(EncodeErrorKind::NoUmask { event: event.name.to_owned(), choices })
        })?;
        request.add_default(default);
        mask = 1u64.checked_shl(default.row.code as u32).unwrap_or(0);
    }
    escr = EVENT_MASK.set(escr, mask & u64::from(event.row.keep));
    escr |= levels.unwrap_or_else(|| default_levels(context));
    let mut codes = Codes::from(escr);
    codes.push(cccr);
    let mut values = [0; 24];
    let printed =
        [escr & 1, escr >> 1 & 1, COMPLEMENT.get(cccr), EDGE.get(cccr), THRESHOLD.get(cccr)];
    values[..5].copy_from_slice(&printed);
    Ok(Programmed { codes, values })
}

/// Levels too, whatever the layer, and in an order of its own.
pub(super) fn print(programmed: &Programmed, string: &mut Spelling) {
    for index in [1, 0, 3, 2, 4] {
        string.push_value(&MODIFIERS[index], programmed.values[index]);
    }
}

fn default_levels(context: &Context) -> u64 {
    let has = |level| u64::from(context.privilege.contains(level));
    (has(Privilege::USER) * ESCR_USR) | (has(Privilege::KERNEL) * ESCR_OS)
}

/// Both registers in one word, with the kernel's own number of the event.
pub(super) fn config(event: &Event, codes: &Codes) -> u64 {
    let word = |number: usize| codes.get(number).copied().unwrap_or(0);
    EVENT_SELECT.set(word(0), event.row.perf_code.into()) << 32 | word(1)
}
