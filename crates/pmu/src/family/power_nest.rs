//! The memory controllers of POWER8.

use super::plain::{PLAIN, of_device};
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family {
    perf: |event, _, programmed, device| of_device(event, programmed.word(0), device),
    ..PLAIN
};
