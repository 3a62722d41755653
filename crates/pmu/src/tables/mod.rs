//! The tables of events: [`table`] and [`row`] are their types, [`index`] has the tables of each vendor.

pub(crate) mod hash;
#[rustfmt::skip]
pub(crate) mod index;
pub(crate) mod pmus;
pub(crate) mod row;
pub(crate) mod table;
