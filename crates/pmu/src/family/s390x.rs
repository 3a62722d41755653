//! The counter and the sampling facility of IBM Z. A type of machine has its own counters.

use super::plain::{PLAIN, found};
use crate::cpu::CpuId;
use crate::encode::programmed::Words;
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family {
    model,
    perf: |event, _, programmed, device| {
        Ok(Words::new(found(event, device, true)?, programmed.word(0)))
    },
    ..PLAIN
};

fn model(cpu: &CpuId) -> Option<u32> {
    match cpu {
        CpuId::S390x { machine } => *machine,
        _ => None,
    }
}
