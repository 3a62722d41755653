//! The format of records.

use super::MASK;
use super::read::format;
use crate::ReadFormat;
use crate::sample::Fields;

/// The format of a ring's records, as requested when the events were opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The contents of a sample.
    pub fields: Fields,
    /// The format of the values of [`Fields::READ`], as bits (`read_format`).
    pub read_format: u64,
    /// The contents of the branches of [`Fields::BRANCH_STACK`], as bits (`branch_sample_type`).
    pub branch_type: u64,
    /// The registers of [`Fields::REGS_USER`], as bits (`sample_regs_user`).
    pub registers: u64,
    /// The registers at the time of the sample, which are behind [`Fields::DATA_SRC`] and skipped, as bits (`sample_regs_intr`).
    pub interrupted: u64,
}

impl Layout {
    /// The layout of samples with these fields that a [`Sampler`](crate::Sampler) of this program takes: values have times and ids, in addition to `read`.
    pub fn new(fields: Fields, read: ReadFormat) -> Layout {
        let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        let read_format = format::ENABLED
            | format::RUNNING
            | format::ID
            | bit(read.group, format::GROUP)
            | bit(read.lost, format::LOST);
        Layout { fields, read_format, branch_type: 0, registers: MASK, interrupted: 0 }
    }
}
