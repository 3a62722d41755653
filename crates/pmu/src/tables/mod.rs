//! The tables of events: [`table`] and [`row`] are what they are made of, [`index`] has those of each vendor.

pub(crate) mod hash;
#[rustfmt::skip]
pub(crate) mod index;
pub(crate) mod pmus;
pub(crate) mod row;
pub(crate) mod table;
