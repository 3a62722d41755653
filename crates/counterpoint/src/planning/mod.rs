//! Plans which events of a set can be counted together on the free counters, and the fewest passes for all of them.

mod beside;
mod free;
mod pmu_plan;
mod set_plan;
mod tried;

pub use free::{Free, Taken};
pub use pmu_plan::{Known, PlannedEvent, PmuPlan, Unit};
pub use set_plan::Planning;
pub(crate) use tried::{Trial, trial};
