//! Counts parts of a program by name and by thread.

mod json;
mod local;
mod region;
mod report;

pub use region::{Region, Regions};
pub use report::{RegionCounts, RegionReport};
