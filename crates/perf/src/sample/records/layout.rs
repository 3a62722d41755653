use crate::ReadFormat;
use crate::sample::Fields;

/// The format of a ring's records, as requested when the events were opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The contents of a sample.
    pub fields: Fields,
    /// The format of the values of [`Fields::READ`]: times and ids are always included, in addition to these.
    pub read: ReadFormat,
}
