//! The counters of a PMU, and those that can count an encoded event: the input of a [plan](crate::plan).
//!
//! ```
//! use counterpoint_pmu::counters;
//! use counterpoint_pmu::plan::place;
//! use counterpoint_pmu::{Context, Layer, encode, find};
//!
//! let spr = counters::of(find("spr").unwrap()).unwrap();
//! assert_eq!((spr.general.count_ones(), spr.fixed.count_ones()), (8, 4));
//!
//! let context = Context::new(Layer::Raw);
//! let demand = |event| counters::demand(&encode(event, &context).unwrap()).unwrap();
//! let cycles = demand("spr::UNHALTED_CORE_CYCLES");
//! assert_eq!(cycles.counters, 0xff | 1 << (counters::FIXED + 1));
//! // Cycles are counted by their fixed counter, so that all general ones are free.
//! assert_eq!(place(&[cycles]).unwrap(), [counters::FIXED + 1]);
//! ```
//!
//! The numbers of counters and registers are those of `tables/*/pmus.list`, the constraints of events those of the
//! tables. The architectures define which codes a fixed counter counts: Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 3, "Architectural Performance Monitoring"; Arm Architecture Reference Manual, "The
//! Performance Monitors Extension"; Power ISA, "Performance Monitor Facility".

mod demand;
pub(crate) mod set;

pub use demand::{allowed, demand, demand_of, demand_of_kernel, of, shared_levels};
pub use set::{CounterSet, FIXED, METRIC, TOPDOWN_SLOTS, registers};
