//! MIPS 74K's performance counter control register (its software user's manual): odd and even counters
//! have events of their own.

use super::Programmed;
use super::field::{Field, bit, bits};
use crate::encode::{Attr, Codes, EncodeError, Request};
use crate::machine::{Context, Privilege};
use crate::modifier::{Modifier, switch};

pub(super) static MODIFIERS: [Modifier; 4] = [
    switch(0, "k", "Count in the kernel"),
    switch(1, "u", "Count in user space"),
    switch(2, "s", "Count in supervisor mode"),
    switch(3, "e", "Count at exception level"),
];

const EXCEPTION: Field = bit(0);
const KERNEL: Field = bit(1);
const SUPERVISOR: Field = bit(2);
const USER: Field = bit(3);
const EVENT: Field = bits(5, 7);

/// By the numbers of the modifiers, with the levels that the kernel's interface has for them.
const FIELDS: [(Field, Privilege); 4] = [
    (KERNEL, Privilege::KERNEL),
    (USER, Privilege::USER),
    (SUPERVISOR, Privilege::LEVEL1),
    (EXCEPTION, Privilege::LEVEL2),
];

pub(super) fn program(request: &mut Request, context: &Context) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut register = EVENT.set(0, event.code);
    let mut given = false;
    for asked in request.of_pmu() {
        if let Attr::Modifier(modifier) = &asked.what {
            let (field, _) = FIELDS[usize::from(modifier.index)];
            register = field.set(register, asked.in_range(modifier)?);
            given = true;
        }
    }
    if !given {
        for (field, level) in FIELDS {
            register = field.set(register, context.privilege.contains(level).into());
        }
    }
    let counters = match event.code {
        0 | 1 => 0b1111,
        code if code & 0x80 != 0 => 0b1010,
        _ => 0b0101,
    };
    let mut codes = Codes::from(register);
    codes.push(counters);
    let mut values = [0; 24];
    for (value, (field, _)) in values.iter_mut().zip(FIELDS) {
        *value = field.get(register);
    }
    Ok(Programmed { codes, values })
}

/// The kernel's number of the event, with a bit for those of odd counters.
pub(super) fn config(codes: &Codes) -> u64 {
    let word = |number: usize| codes.get(number).copied().unwrap_or(0);
    let config = word(0) >> 5;
    if word(1) & 0b10 != 0 && config > 1 { config | 0x80 } else { config }
}
