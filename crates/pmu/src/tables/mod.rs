//! The tables of events: [`table`] and [`row`] are their types, [`layout`] says how they lie in memory, and
//! [`vendors`] has those of each vendor.

pub(crate) mod hash;
#[cfg_attr(not(test), allow(dead_code, reason = "only the build script writes what is read here"))]
pub(crate) mod layout;
pub(crate) mod pmus;
pub(crate) mod row;
pub(crate) mod table;
#[rustfmt::skip]
pub(crate) mod vendors;

#[cfg(test)]
use crate::vendor::names;
// Its tests run with those of the crate.
#[cfg(test)]
#[path = "../../build/mod.rs"]
mod build;
