//! PMUs of Arm processors outside the cores, which take an event's number alone.

use super::arm;
use super::plain::{PLAIN, of_device};
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family {
    modifiers: arm::MODIFIERS,
    perf: |event, _, programmed, device| of_device(event, programmed.word(0), device),
    // The modifiers have no effect.
    print: |_, _, _, _, _| {},
    ..PLAIN
};
