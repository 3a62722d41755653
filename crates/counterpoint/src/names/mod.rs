//! Names: the events that a text may stand for.

pub(crate) mod candidate;
pub(crate) mod components;
mod errata;
pub(crate) mod error;
pub(crate) mod finders;
pub(crate) mod ids;
pub(crate) mod likwid;
pub(crate) mod lookup;
pub(crate) mod native;
pub(crate) mod patterns;
mod probes;
pub(crate) mod problems;
pub(crate) mod spec;
pub(crate) mod terms;
pub(crate) mod views;
