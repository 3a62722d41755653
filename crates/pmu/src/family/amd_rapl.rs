//! The energy counters of AMD's processors (RAPL).

use super::amd;
use super::plain::{PLAIN, of_device};
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family {
    left_out: amd::left_out,
    perf: |event, _, programmed, device| of_device(event, programmed.word(0), device),
    ..PLAIN
};
