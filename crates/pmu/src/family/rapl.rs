//! The energy counters of Intel's processors (RAPL), of which a model has some.

use super::intel_core;
use super::plain::{PLAIN, RAW};
use crate::cpu::CpuId;
use crate::encode::programmed::Words;
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family {
    model,
    left_out: intel_core::left_out,
    perf: |_, _, programmed, device| Ok(Words::new(device.unwrap_or(RAW), programmed.word(0))),
    ..PLAIN
};

fn model(cpu: &CpuId) -> Option<u32> {
    match cpu {
        CpuId::X86 { vendor, model, .. } if vendor == "GenuineIntel" => Some(*model),
        _ => None,
    }
}
