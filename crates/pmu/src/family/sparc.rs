//! UltraSPARC's performance control register: an event, its unit masks, and the two counters that may take it.

use super::plain::{PLAIN, RAW};
use crate::encode::error::EncodeError;
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::Request;
use crate::field::Field;
use crate::modifier::{Modifiers, numbered, switch};
use crate::pmu::{Event, Family};
use crate::privilege::Privilege;

/// They have no effect; the kernel sets levels.
const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            switch("k", Field::NONE, "Count in the kernel").level(Privilege::KERNEL),
            switch("u", Field::NONE, "Count in user space").level(Privilege::USER),
            switch("h", Field::NONE, "Count in the hypervisor").level(Privilege::HYPERVISOR),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    one_number: true,
    program,
    perf: |_, _, programmed, _| Ok(Words::new(RAW, programmed.word(0) << 16 | programmed.word(1))),
    print: |_, _, _, _, _| {},
    ..PLAIN
};

fn program(event: &Event, request: &mut Request, _: Privilege) -> Result<Programmed, EncodeError> {
    let umask = request.masks().fold(0, |all, mask| all | mask.row.code);
    let mut programmed = Programmed::code(event.code | umask << 24);
    programmed.codes.push(event.row.counters);
    Ok(programmed)
}
