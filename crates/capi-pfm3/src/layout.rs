//! The structures of every model, as in libpfm 3.10's `pfmlib.h`.

use std::ffi::{c_uint, c_ulong, c_ulonglong};

use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::{EventRequest, PmcSet, Register};

use crate::result::{Failed, INVAL, UMASK};

/// `PFMLIB_MAX_PMCS`, `PFMLIB_MAX_PMDS`
pub const MAX_REGISTERS: usize = 512;
/// `PFMLIB_MAX_MASKS_PER_EVENT`
pub const MAX_MASKS: usize = 48;
const WORD: usize = c_ulong::BITS as usize;

/// `pfmlib_regmask_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct RegisterMask {
    pub bits: [c_ulong; MAX_REGISTERS / WORD],
}

/// `pfmlib_event_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct Event {
    pub event: c_uint,
    pub plm: c_uint,
    pub flags: c_ulong,
    pub unit_masks: [c_uint; MAX_MASKS],
    pub num_masks: c_uint,
    pub reserved: [c_ulong; 2],
}

/// `pfmlib_reg_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct Reg {
    pub reg_value: c_ulonglong,
    pub reg_addr: c_ulonglong,
    pub reg_num: c_uint,
    pub reg_reserved1: c_uint,
    pub reg_alt_addr: c_ulong,
}

/// `pfmlib_input_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct InputParam {
    pub pfp_event_count: c_uint,
    pub pfp_dfl_plm: c_uint,
    pub pfp_flags: c_uint,
    pub reserved1: c_uint,
    pub pfp_events: [Event; MAX_REGISTERS],
    pub pfp_unavail_pmcs: RegisterMask,
    pub reserved: [c_ulong; 6],
}

/// `pfmlib_output_param_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct OutputParam {
    pub pfp_pmc_count: c_uint,
    pub pfp_pmd_count: c_uint,
    pub pfp_pmcs: [Reg; MAX_REGISTERS],
    pub pfp_pmds: [Reg; MAX_REGISTERS],
    pub reserved: [c_ulong; 7],
}

impl RegisterMask {
    pub(crate) fn of(numbers: impl IntoIterator<Item = u32>) -> RegisterMask {
        let mut mask = RegisterMask { bits: [0; MAX_REGISTERS / WORD] };
        for number in numbers {
            if let Some(word) = mask.bits.get_mut(number as usize / WORD) {
                *word |= 1 << (number as usize % WORD);
            }
        }
        mask
    }

    pub(crate) fn set(&self) -> PmcSet {
        let is_set = |number: &u32| {
            let number = *number as usize;
            self.bits[number / WORD] >> (number % WORD) & 1 != 0
        };
        // No model has a register above.
        (0..128).filter(is_set).collect()
    }
}

impl Event {
    pub(crate) fn of(event: usize, masks: &[usize]) -> Event {
        let mut unit_masks = [0; MAX_MASKS];
        for (place, mask) in unit_masks.iter_mut().zip(masks) {
            *place = *mask as c_uint;
        }
        let num_masks = masks.len().min(MAX_MASKS) as c_uint;
        Event { event: event as c_uint, plm: 0, flags: 0, unit_masks, num_masks, reserved: [0; 2] }
    }

    pub(crate) fn request(&self) -> Result<EventRequest, Failed> {
        let masks = self.unit_masks.get(..self.num_masks as usize).ok_or(UMASK)?;
        Ok(EventRequest {
            masks: masks.iter().map(|mask| *mask as usize).collect(),
            plm: levels(self.plm)?,
            flags: self.flags as u32,
            ..EventRequest::new(self.event as usize)
        })
    }
}

pub(crate) fn levels(bits: c_uint) -> Result<Privilege, Failed> {
    Privilege::from_bits(bits).ok_or(INVAL)
}

impl From<&Register> for Reg {
    fn from(register: &Register) -> Reg {
        Reg {
            reg_value: register.value,
            reg_addr: register.address,
            reg_num: register.number,
            reg_reserved1: 0,
            reg_alt_addr: register.alternate as c_ulong,
        }
    }
}
