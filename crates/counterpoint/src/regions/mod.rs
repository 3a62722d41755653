//! Counts parts of a program by name and by thread.

mod json;
mod local;
mod region;
mod report;
mod timeline;

pub use region::{Region, Regions};
pub use report::{RegionCounts, RegionReport};
pub use timeline::{Timeline, Visit};
