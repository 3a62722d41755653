//! The structures that only one family of models takes, and what they ask for; those of Itaniums are in `ia64`.

#![allow(missing_docs, reason = "the names are those of C")]

use std::ffi::{c_uint, c_ulong};

use counterpoint_pmu::libpfm3::{
    Amd64Input, CellCounter, CellInput, CounterOptions, Ibs, Lbr, ModelInput, NehalemInput, Pebs,
};

use crate::layout::levels;
use crate::result::Failed;

/// A counter of Intel's processors but those of the P6 family: `pfmlib_gen_ia32_counter_t` and others.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct IntelCounter {
    pub cnt_mask: c_ulong,
    pub flags: c_uint,
}

/// `pfmlib_i386_p6_counter_t`, and `pfmlib_amd64_counter_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ShortCounter {
    pub cnt_mask: c_uint,
    pub flags: c_uint,
}

/// `pfmlib_i386_p6_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct P6Input {
    pub counters: [ShortCounter; 2],
    pub reserved: [u64; 4],
}

/// `pfmlib_coreduo_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CoreDuoInput {
    pub counters: [IntelCounter; 2],
    pub reserved: [u64; 4],
}

/// `pfmlib_core_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CoreInput {
    pub counters: [IntelCounter; 5],
    pub pebs_used: c_uint,
    pub reserved: [u64; 4],
}

/// `pfmlib_intel_atom_input_param_t`
#[repr(transparent)]
#[derive(Debug, Clone, Copy, Default)]
pub struct AtomInput(pub CoreInput);

/// `pfmlib_nhm_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct NhmInput {
    pub counters: [IntelCounter; 16],
    pub pebs_used: c_uint,
    pub ld_lat_thres: c_uint,
    pub lbr_used: c_uint,
    pub lbr_plm: c_uint,
    pub lbr_filter: c_uint,
    pub reserved: [u64; 4],
}

/// `ibs_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct IbsParam {
    pub maxcnt: c_uint,
    pub options: c_uint,
}

/// `pfmlib_amd64_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct AmdInput {
    pub counters: [ShortCounter; 4],
    pub flags: u32,
    pub reserved1: u32,
    pub ibsfetch: IbsParam,
    pub ibsop: IbsParam,
    pub reserved2: u64,
}

/// `pfmlib_cell_counter_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CellCounterParam {
    pub pm_control_num: c_uint,
    pub spe_subunit: c_uint,
    pub polarity: c_uint,
    pub input_control: c_uint,
    pub cnt_mask: c_uint,
    pub flags: c_uint,
}

/// `pfmlib_cell_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CellParam {
    pub triggers: c_uint,
    pub interval: c_uint,
    pub control: c_uint,
    pub counters: [CellCounterParam; 8],
    pub reserved: [u64; 4],
}

impl From<IntelCounter> for CounterOptions {
    fn from(counter: IntelCounter) -> CounterOptions {
        // A value that does not fit is too large for the register, too.
        let threshold = u32::try_from(counter.cnt_mask).unwrap_or(u32::MAX);
        CounterOptions { flags: counter.flags, threshold, ..CounterOptions::default() }
    }
}

impl From<ShortCounter> for CounterOptions {
    fn from(counter: ShortCounter) -> CounterOptions {
        let ShortCounter { cnt_mask, flags } = counter;
        CounterOptions { flags, threshold: cnt_mask, ..CounterOptions::default() }
    }
}

impl From<CellCounterParam> for CounterOptions {
    fn from(counter: CellCounterParam) -> CounterOptions {
        let CellCounterParam { pm_control_num, spe_subunit, polarity, input_control, .. } = counter;
        let cell = CellCounter { counter: pm_control_num, spe_subunit, polarity, input_control };
        CounterOptions { cell, ..CounterOptions::default() }
    }
}

/// The request of a structure: the input of the model, and the options of its counters.
pub(crate) type Taken = (ModelInput, Vec<CounterOptions>);

/// A structure of a caller, of which any bytes are a value.
pub(crate) trait Given: Copy {
    fn taken(self) -> Result<Taken, Failed>;
}

pub(crate) fn options<T: Into<CounterOptions>>(
    counters: impl IntoIterator<Item = T>,
) -> Vec<CounterOptions> {
    counters.into_iter().map(Into::into).collect()
}

impl Given for P6Input {
    fn taken(self) -> Result<Taken, Failed> {
        Ok((ModelInput::P6, options(self.counters)))
    }
}

impl Given for CoreDuoInput {
    fn taken(self) -> Result<Taken, Failed> {
        Ok((ModelInput::CoreDuo, options(self.counters)))
    }
}

impl Given for CoreInput {
    fn taken(self) -> Result<Taken, Failed> {
        let input = ModelInput::Core(Pebs { used: self.pebs_used != 0 });
        Ok((input, options(self.counters)))
    }
}

impl Given for AtomInput {
    fn taken(self) -> Result<Taken, Failed> {
        let input = ModelInput::Atom(Pebs { used: self.0.pebs_used != 0 });
        Ok((input, options(self.0.counters)))
    }
}

impl Given for NhmInput {
    fn taken(self) -> Result<Taken, Failed> {
        let lbr = Lbr { plm: levels(self.lbr_plm)?, filter: self.lbr_filter };
        let input = NehalemInput {
            pebs: Pebs { used: self.pebs_used != 0 },
            load_latency: self.ld_lat_thres,
            lbr: (self.lbr_used != 0).then_some(lbr),
        };
        Ok((ModelInput::Nehalem(input), options(self.counters)))
    }
}

impl Given for AmdInput {
    fn taken(self) -> Result<Taken, Failed> {
        let part = |bit: u32, IbsParam { maxcnt, options }: IbsParam| {
            (self.flags & bit != 0).then_some(Ibs { period: maxcnt, options })
        };
        let input = Amd64Input { fetch: part(1, self.ibsfetch), op: part(2, self.ibsop) };
        Ok((ModelInput::Amd64(input), options(self.counters)))
    }
}

impl Given for CellParam {
    fn taken(self) -> Result<Taken, Failed> {
        let CellParam { triggers, interval, control, counters, .. } = self;
        let input = CellInput { control, interval, triggers };
        Ok((ModelInput::Cell(input), options(counters)))
    }
}
