//! The structures that Itaniums take, and what they ask for.

#![allow(missing_docs, reason = "the names are those of C")]
#![allow(clippy::unnecessary_cast, reason = "C's long has 32 bits on other machines")]

use std::ffi::{c_uint, c_ulong, c_ushort};

use counterpoint_pmu::libpfm3::ia64::{
    BranchBuffer, Ear, Ia64Input, IpEar, OpcodeMatch, Range, Ranges,
};
use counterpoint_pmu::libpfm3::{CellCounter, CounterOptions, ModelInput};

use crate::input::{Given, Taken, options};
use crate::layout::levels;
use crate::result::Failed;

/// `pfmlib_ita_counter_t`, and `pfmlib_ita2_counter_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumCounter {
    pub flags: c_uint,
    pub thres: c_uint,
    pub ism: c_uint,
}

/// `pfmlib_ita_opcm_t`, and `pfmlib_ita2_opcm_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumOpcode {
    pub used: u8,
    pub pmc_val: c_ulong,
}

/// `pfmlib_ita_ear_t`, and `pfmlib_ita2_ear_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumEar {
    pub used: u8,
    pub mode: c_uint,
    pub ism: c_uint,
    pub plm: c_uint,
    pub umask: c_ulong,
}

/// `pfmlib_ita_btb_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumBranches {
    pub used: u8,
    pub tar: u8,
    pub tac: u8,
    pub bac: u8,
    pub tm: u8,
    pub ptm: u8,
    pub ppm: u8,
    pub plm: c_uint,
}

/// `pfmlib_ita_input_rr_desc_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumRange {
    pub flags: c_uint,
    pub plm: c_uint,
    pub start: c_ulong,
    pub end: c_ulong,
}

/// `pfmlib_ita_input_rr_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumRanges {
    pub used: u8,
    pub flags: c_uint,
    pub nbr_used: c_uint,
    pub limits: [ItaniumRange; 4],
}

/// `pfmlib_ita_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ItaniumInput {
    pub counters: [ItaniumCounter; 4],
    pub flags: c_ulong,
    pub pmc8: ItaniumOpcode,
    pub pmc9: ItaniumOpcode,
    pub iear: ItaniumEar,
    pub dear: ItaniumEar,
    pub btb: ItaniumBranches,
    pub drange: ItaniumRanges,
    pub irange: ItaniumRanges,
    pub reserved: [c_ulong; 1],
}

/// `pfmlib_ita2_btb_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Itanium2Branches {
    pub used: u8,
    pub ds: u8,
    pub tm: u8,
    pub ptm: u8,
    pub ppm: u8,
    pub brt: u8,
    pub plm: c_uint,
}

/// `pfmlib_ita2_input_rr_desc_t`, and `pfmlib_mont_input_rr_desc_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Itanium2Range {
    pub plm: c_uint,
    pub start: c_ulong,
    pub end: c_ulong,
}

/// `pfmlib_ita2_input_rr_t`, and `pfmlib_mont_input_rr_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Itanium2Ranges {
    pub flags: c_uint,
    pub limits: [Itanium2Range; 4],
    pub used: u8,
}

/// `pfmlib_ita2_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Itanium2Input {
    pub counters: [ItaniumCounter; 4],
    pub flags: c_ulong,
    pub pmc8: ItaniumOpcode,
    pub pmc9: ItaniumOpcode,
    pub iear: ItaniumEar,
    pub dear: ItaniumEar,
    pub btb: Itanium2Branches,
    pub drange: Itanium2Ranges,
    pub irange: Itanium2Ranges,
    pub reserved: [c_ulong; 1],
}

/// `pfmlib_mont_counter_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MontecitoCounter {
    pub flags: c_uint,
    pub thres: c_uint,
}

/// `pfmlib_mont_opcm_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MontecitoOpcode {
    pub used: u8,
    pub m: u8,
    pub i: u8,
    pub f: u8,
    pub b: u8,
    pub matches: c_ulong,
    pub mask: c_ulong,
}

/// `pfmlib_mont_ear_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MontecitoEar {
    pub used: u8,
    pub mode: c_uint,
    pub plm: c_uint,
    pub umask: c_ulong,
}

/// `pfmlib_mont_etb_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MontecitoBranches {
    pub used: u8,
    pub plm: c_uint,
    pub tm: u8,
    pub ptm: u8,
    pub ppm: u8,
    pub brt: u8,
}

/// `pfmlib_mont_ipear_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MontecitoIpEar {
    pub used: u8,
    pub plm: c_uint,
    pub delay: c_ushort,
}

/// `pfmlib_mont_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MontecitoInput {
    pub counters: [MontecitoCounter; 12],
    pub flags: c_ulong,
    pub opcm1: MontecitoOpcode,
    pub opcm2: MontecitoOpcode,
    pub iear: MontecitoEar,
    pub dear: MontecitoEar,
    pub etb: MontecitoBranches,
    pub ipear: MontecitoIpEar,
    pub drange: Itanium2Ranges,
    pub irange: Itanium2Ranges,
    pub reserved: [c_ulong; 1],
}

impl From<ItaniumCounter> for CounterOptions {
    fn from(counter: ItaniumCounter) -> CounterOptions {
        let ItaniumCounter { flags, thres, ism } = counter;
        let cell = CellCounter::default();
        CounterOptions { flags, threshold: thres, instruction_set: ism, cell }
    }
}

impl From<MontecitoCounter> for CounterOptions {
    fn from(counter: MontecitoCounter) -> CounterOptions {
        let MontecitoCounter { flags, thres } = counter;
        CounterOptions { flags, threshold: thres, ..CounterOptions::default() }
    }
}

impl Given for ItaniumInput {
    fn taken(self) -> Result<Taken, Failed> {
        Ok((ModelInput::Itanium(Box::new(self.asked()?)), options(self.counters)))
    }
}

impl Given for Itanium2Input {
    fn taken(self) -> Result<Taken, Failed> {
        Ok((ModelInput::Itanium2(Box::new(self.asked()?)), options(self.counters)))
    }
}

impl Given for MontecitoInput {
    fn taken(self) -> Result<Taken, Failed> {
        Ok((ModelInput::Montecito(Box::new(self.asked()?)), options(self.counters)))
    }
}

impl ItaniumInput {
    fn asked(&self) -> Result<Ia64Input, Failed> {
        let btb = &self.btb;
        let branches = || {
            Ok(BranchBuffer {
                plm: levels(btb.plm)?,
                tm: btb.tm.into(),
                ptm: btb.ptm.into(),
                ppm: btb.ppm.into(),
                tar: btb.tar.into(),
                tac: btb.tac.into(),
                bac: btb.bac.into(),
                ..BranchBuffer::default()
            })
        };
        Ok(Ia64Input {
            opcodes: [self.pmc8, self.pmc9].map(ItaniumOpcode::asked),
            instruction_ear: self.iear.asked()?,
            data_ear: self.dear.asked()?,
            branch_buffer: used(btb.used, branches)?,
            ip_ear: None,
            code: self.irange.asked()?,
            data: self.drange.asked()?,
        })
    }
}

impl Itanium2Input {
    fn asked(&self) -> Result<Ia64Input, Failed> {
        let btb = &self.btb;
        let branches = || {
            Ok(BranchBuffer {
                plm: levels(btb.plm)?,
                tm: btb.tm.into(),
                ptm: btb.ptm.into(),
                ppm: btb.ppm.into(),
                brt: btb.brt.into(),
                ds: btb.ds.into(),
                ..BranchBuffer::default()
            })
        };
        Ok(Ia64Input {
            opcodes: [self.pmc8, self.pmc9].map(ItaniumOpcode::asked),
            instruction_ear: self.iear.asked()?,
            data_ear: self.dear.asked()?,
            branch_buffer: used(btb.used, branches)?,
            ip_ear: None,
            code: self.irange.asked()?,
            data: self.drange.asked()?,
        })
    }
}

impl MontecitoInput {
    fn asked(&self) -> Result<Ia64Input, Failed> {
        let (etb, ipear) = (&self.etb, &self.ipear);
        let branches = || {
            Ok(BranchBuffer {
                plm: levels(etb.plm)?,
                tm: etb.tm.into(),
                ptm: etb.ptm.into(),
                ppm: etb.ppm.into(),
                brt: etb.brt.into(),
                ..BranchBuffer::default()
            })
        };
        let ip_ear = || Ok(IpEar { plm: levels(ipear.plm)?, delay: ipear.delay.into() });
        Ok(Ia64Input {
            opcodes: [self.opcm1, self.opcm2].map(MontecitoOpcode::asked),
            instruction_ear: self.iear.asked()?,
            data_ear: self.dear.asked()?,
            branch_buffer: used(etb.used, branches)?,
            ip_ear: used(ipear.used, ip_ear)?,
            code: self.irange.asked()?,
            data: self.drange.asked()?,
        })
    }
}

impl ItaniumOpcode {
    fn asked(self) -> Option<OpcodeMatch> {
        (self.used != 0).then_some(OpcodeMatch::Register(self.pmc_val as u64))
    }
}

impl MontecitoOpcode {
    fn asked(self) -> Option<OpcodeMatch> {
        (self.used != 0).then_some(OpcodeMatch::Fields {
            matches: self.matches as u64,
            mask: self.mask as u64,
            m: self.m != 0,
            i: self.i != 0,
            f: self.f != 0,
            b: self.b != 0,
        })
    }
}

impl ItaniumEar {
    fn asked(&self) -> Result<Option<Ear>, Failed> {
        let ItaniumEar { mode, ism, umask, .. } = *self;
        let ear = || {
            let plm = levels(self.plm)?;
            Ok(Ear { mode, instruction_set: ism, plm, umask: umask as u32 })
        };
        used(self.used, ear)
    }
}

impl MontecitoEar {
    fn asked(&self) -> Result<Option<Ear>, Failed> {
        let MontecitoEar { used, mode, plm, umask } = *self;
        ItaniumEar { used, mode, ism: 0, plm, umask }.asked()
    }
}

impl ItaniumRanges {
    fn asked(&self) -> Result<Option<Ranges>, Failed> {
        let limits = self.limits.map(|ItaniumRange { plm, start, end, .. }| (plm, start, end));
        used(self.used, || ranges(self.flags, &limits))
    }
}

impl Itanium2Ranges {
    fn asked(&self) -> Result<Option<Ranges>, Failed> {
        let limits = self.limits.map(|Itanium2Range { plm, start, end }| (plm, start, end));
        used(self.used, || ranges(self.flags, &limits))
    }
}

fn ranges(flags: u32, limits: &[(c_uint, c_ulong, c_ulong)]) -> Result<Ranges, Failed> {
    let range = |(plm, start, end): &(c_uint, c_ulong, c_ulong)| {
        Ok(Range { start: *start as u64, end: *end as u64, plm: levels(*plm)? })
    };
    Ok(Ranges { flags, limits: limits.iter().map(range).collect::<Result<_, Failed>>()? })
}

/// A part that is read only if it is used.
fn used<T>(used: u8, part: impl FnOnce() -> Result<T, Failed>) -> Result<Option<T>, Failed> {
    (used != 0).then(part).transpose()
}
