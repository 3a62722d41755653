//! MIPS 74K's performance counter control register (its software user's manual): odd and even counters
//! have events of their own.

use super::plain::{PLAIN, RAW};
use crate::encode::error::EncodeError;
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Attr, Request};
use crate::field::{Field, bit, bits};
use crate::modifier::{Modifiers, numbered, switch};
use crate::pmu::{Event, Family};
use crate::privilege::Privilege;

const EXCEPTION: Field = bit(0);
const KERNEL: Field = bit(1);
const SUPERVISOR: Field = bit(2);
const USER: Field = bit(3);
const EVENT: Field = bits(5, 7);

/// With the levels that the kernel's interface has for them.
const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            switch("k", KERNEL, "Count in the kernel").level(Privilege::KERNEL),
            switch("u", USER, "Count in user space").level(Privilege::USER),
            switch("s", SUPERVISOR, "Count in supervisor mode").level(Privilege::LEVEL1),
            switch("e", EXCEPTION, "Count at exception level").level(Privilege::LEVEL2),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    program,
    perf: |_, _, programmed, _| Ok(Words::new(RAW, config(programmed))),
    ..PLAIN
};

fn program(
    event: &Event,
    request: &mut Request,
    levels: Privilege,
) -> Result<Programmed, EncodeError> {
    let mut register = EVENT.set(0, event.code);
    let mut given = false;
    for asked in request.of_pmu() {
        if let Attr::Modifier(modifier) = &asked.what {
            register = modifier.field.set(register, asked.in_range(modifier)?);
            given = true;
        }
    }
    if !given {
        for modifier in MODIFIERS.list {
            register = modifier.field.set(register, levels.contains(modifier.level).into());
        }
    }
    let counters = match event.code {
        0 | 1 => 0b1111,
        code if code & 0x80 != 0 => 0b1010,
        _ => 0b0101,
    };
    let mut programmed = Programmed::code(register);
    programmed.codes.push(counters);
    Ok(programmed)
}

/// The kernel's number of the event, with a bit for those of odd counters.
fn config(programmed: &Programmed) -> u64 {
    let config = programmed.word(0) >> 5;
    if programmed.word(1) & 0b10 != 0 && config > 1 { config | 0x80 } else { config }
}
