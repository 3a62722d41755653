//! Sampling: the contents of samples, the rings through which they arrive, and the records in the rings.

mod overflow;
mod reader;
pub mod records;
mod ring;
mod sampler;
mod sampling;

pub use overflow::Overflow;
pub use reader::Reader;
pub use sampler::{Drained, EventIds, Opened, Sampler, WaitResult};
pub use sampling::{Fields, Sampling, StackParts, Wakeup};
