//! Counting: from the events of a list to their counts.

pub(crate) mod availability;
mod boxes;
pub(crate) mod builder;
pub(crate) mod cgroups;
pub(crate) mod choice;
pub(crate) mod counters;
pub(crate) mod deviations;
pub(crate) mod error;
pub(crate) mod node_events;
pub(crate) mod open;
pub(crate) mod requested;
pub(crate) mod resolve;
pub(crate) mod resolved;
pub(crate) mod schedule;
pub(crate) mod series;
pub(crate) mod slices;
pub(crate) mod snapshot;
pub(crate) mod target;
