//! Which events can be counted together, and in how few passes they can all be counted.
//!
//! A PMU has a few counters, and often only some of them can count an event.
//! [`place`] finds a counter for each event of a set, or reports which of them conflict; [`plan`] spreads a
//! longer list over as few passes as there can be.
//!
//! ```
//! use counterpoint_pmu::plan::{Demand, place, plan};
//!
//! // Two counters; only the first of them can count the third event.
//! let events = [Demand::on(0b11), Demand::on(0b11), Demand::on(0b01)];
//! assert_eq!(place(&events[1..]).unwrap(), [1, 0]);
//! assert_eq!(place(&events).unwrap_err().events, [0, 1, 2]);
//!
//! // A formula divides the first event by the second: they stay together.
//! let plan = plan(&events, &[vec![0, 1]]);
//! assert_eq!(plan.passes.len(), 2);
//! assert!(plan.optimal);
//! ```

mod bound;
pub(crate) mod demand;
mod pass;
mod passes;
mod place;
mod search;

pub use demand::{Claim, Demand};
pub use pass::Slot;
pub use passes::plan;
pub use place::{Conflict, Over, place};
pub use search::Plan;
