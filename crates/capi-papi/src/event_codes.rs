//! The codes of events, and the kind of event that each stands for.

use std::ffi::c_int;

use crate::codes::{ENOEVNT, ENOTPRESET, Failed};
use crate::release;

/// The bit of native codes.
pub(crate) const NATIVE: u32 = 0x4000_0000;

/// The bit of presets; user-defined events have both.
pub(crate) const PRESET: u32 = 0x8000_0000;

/// A preset or a user-defined event by its code.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Named {
    Preset(usize),
    User(usize),
}

impl Named {
    /// The event with a code, if it is one of a preset or of a user.
    pub(crate) fn of(code: c_int) -> Result<Named, Failed> {
        let index = (code as u32 & !(PRESET | NATIVE)) as usize;
        match code as u32 & (PRESET | NATIVE) {
            PRESET if index < preset_count() => Ok(Named::Preset(index)),
            PRESET => Err(ENOTPRESET),
            NATIVE => Err(ENOEVNT),
            0 => Err(ENOTPRESET),
            _ => Ok(Named::User(index)),
        }
    }

    pub(crate) fn code(self) -> c_int {
        match self {
            Named::Preset(index) => (PRESET | index as u32) as c_int,
            Named::User(index) => (PRESET | NATIVE | index as u32) as c_int,
        }
    }
}

/// The number of presets of the caller's release: the last two of the facade's list are those of 7.3.
pub(crate) fn preset_count() -> usize {
    if release::minor() >= 3 { 110 } else { 108 }
}
