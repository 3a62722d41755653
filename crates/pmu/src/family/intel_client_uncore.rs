//! The cache boxes of Intel's client uncores, which are programmed as the cores are.

use super::intel_core;
use super::plain::{PLAIN, found};
use crate::encode::programmed::Words;
use crate::field::ENABLE;
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family {
    modifiers: intel_core::MODIFIERS,
    masks_are_registers: true,
    left_out: intel_core::left_out,
    program: intel_core::program,
    perf: |event, _, programmed, device| {
        let kind = found(event, device, true)?;
        Ok(Words { kind, configs: [programmed.word(0) & !ENABLE, programmed.word(1), 0] })
    },
    print: intel_core::print,
    ..PLAIN
};
