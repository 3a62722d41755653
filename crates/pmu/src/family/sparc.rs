//! UltraSPARC's performance control register: an event, its unit masks, and the two counters that may take it.

use super::Programmed;
use crate::encode::{Attr, Codes, EncodeError, Request};
use crate::modifier::{Modifier, switch};

/// They have no effect; the kernel sets levels.
pub(super) static MODIFIERS: [Modifier; 3] = [
    switch(0, "k", "Count in the kernel"),
    switch(1, "u", "Count in user space"),
    switch(2, "h", "Count in the hypervisor"),
];

pub(super) fn program(request: &mut Request) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let masks = request.of_pmu().map(|asked| match &asked.what {
        Attr::Umask(mask) => mask.row.code,
        _ => 0,
    });
    let umask = masks.fold(0, |all, mask| all | mask);
    let mut codes = Codes::from(event.code | umask << 24);
    codes.push(event.row.counters);
    Ok(Programmed { codes, values: [0; 24] })
}

pub(super) fn config(codes: &Codes) -> u64 {
    let word = |number: usize| codes.get(number).copied().unwrap_or(0);
    word(0) << 16 | word(1)
}
