use super::MASK;
use crate::ReadFormat;
use crate::sample::Fields;

/// The format of a ring's records, as requested when the events were opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The contents of a sample.
    pub fields: Fields,
    /// The format of the values of [`Fields::READ`]: times and ids are always included, in addition to these.
    pub read: ReadFormat,
    /// The registers of [`Fields::REGS_USER`], as bits (`sample_regs_user`).
    pub registers: u64,
}

impl Layout {
    /// The layout of samples with these fields that a [`Sampler`](crate::Sampler) of this program takes.
    pub fn new(fields: Fields, read: ReadFormat) -> Layout {
        Layout { fields, read, registers: MASK }
    }
}
