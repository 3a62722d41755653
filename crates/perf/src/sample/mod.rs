//! Sampling: the contents of samples, the rings through which they arrive, and the records in the rings.

#[cfg(feature = "sampling")]
mod opening;
#[cfg(feature = "sampling")]
mod overflow;
#[cfg(feature = "sampling")]
mod reader;
#[cfg(feature = "sampling")]
pub mod records;
#[cfg(feature = "sampling")]
mod ring;
#[cfg(feature = "sampling")]
mod sampler;
mod sampling;

#[cfg(feature = "sampling")]
pub use overflow::Overflow;
#[cfg(feature = "sampling")]
pub use reader::Reader;
#[cfg(feature = "sampling")]
pub use sampler::{Drained, EventIds, Opened, Sampler, WaitResult};
pub use sampling::{Fields, Sampling, StackParts, Wakeup};
