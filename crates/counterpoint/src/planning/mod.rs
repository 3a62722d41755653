//! Which events can be counted together, and in how few passes all can: the events of a set against the free counters.

mod beside;
mod free;
mod pmu_plan;
mod set_plan;
mod tried;

pub use free::{Free, Taken};
pub use pmu_plan::{Known, PlannedEvent, PmuPlan, Unit};
pub use set_plan::Planning;
pub(crate) use tried::{Trial, trial};
