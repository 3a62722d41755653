//! The machine: its PMUs in sysfs and in the tables, and the numbers that it tells.

pub(crate) mod environment;
mod example;
pub mod hardware;
pub(crate) mod pmus;
mod standard;
pub(crate) mod values;
