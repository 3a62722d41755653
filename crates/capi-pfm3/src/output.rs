//! The structures that only one family of models fills.

#![allow(missing_docs, reason = "the names are those of C")]

use std::ffi::{c_uint, c_ulong};

use counterpoint_pmu::libpfm3::ia64::{Ia64Output, RangeRegisters};

use crate::layout::Reg;

/// `pfmlib_amd64_output_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct AmdOutput {
    pub ibsfetch_base: u32,
    pub ibsop_base: u32,
    pub reserved: [u64; 7],
}

/// `pfmlib_ita_output_rr_desc_t` and its like
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct RangeExcess {
    pub soff: c_ulong,
    pub eoff: c_ulong,
}

/// `pfmlib_ita_output_rr_t` and its like
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputRanges {
    pub nbr_used: c_uint,
    pub infos: [RangeExcess; 4],
    pub br: [Reg; 8],
}

/// `pfmlib_ita_output_param_t` and its like
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumOutput {
    pub drange: OutputRanges,
    pub irange: OutputRanges,
    pub reserved: [c_ulong; 6],
}

impl From<&Ia64Output> for ItaniumOutput {
    fn from(output: &Ia64Output) -> ItaniumOutput {
        let (drange, irange) = ((&output.data).into(), (&output.code).into());
        ItaniumOutput { drange, irange, reserved: [0; 6] }
    }
}

impl From<&RangeRegisters> for OutputRanges {
    fn from(registers: &RangeRegisters) -> OutputRanges {
        let mut br = [Reg::default(); 8];
        for (place, &(number, value)) in br.iter_mut().zip(registers.registers()) {
            let (reg_num, reg_addr) = (number.into(), number.into());
            *place = Reg { reg_value: value, reg_addr, reg_num, ..Reg::default() };
        }
        let infos = registers.as_libpfm3_excess();
        let infos =
            infos.map(|[start, end]| RangeExcess { soff: start as c_ulong, eoff: end as c_ulong });
        OutputRanges { nbr_used: registers.registers().len() as c_uint, infos, br }
    }
}
