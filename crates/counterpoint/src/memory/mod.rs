//! Which data a program accesses: variables, the heap, stacks and files, where it was found, how long that took, and which lines of the cache several threads change.
//!
//! ```
//! use counterpoint::memory::{Access, SharedLines};
//! use counterpoint::perf::records::{DataSource, Sample};
//!
//! let mut lines = SharedLines::new(64);
//! for (tid, addr, operation) in [(7, 0x1000, 4), (8, 0x1008, 2)] {
//!     let data_src = Some(DataSource::from_bits(operation));
//!     let sample =
//!         Sample { pid: Some(7), tid: Some(tid), addr: Some(addr), data_src, ..Sample::default() };
//!     lines.add(&Access::of(&sample).unwrap(), None, 0);
//! }
//! let shared = lines.finish();
//! assert_eq!((shared.len(), shared[0].address, shared[0].sums.stores), (1, 0x1000, 1));
//! ```
//!
//! # How accesses are put together
//!
//! 1. A sample with the address of data is an [`Access`]: a load or a store that the processor sampled, or a page fault.
//! 2. [`MappingRecords`] takes what a recording says of the memory of processes, and [`Mappings`] then knows what was mapped at an address at any time. New memory without a file that reaches over older memory without a file only adds to it, because the kernel joins neighbours and says where the whole begins and ends.
//! 3. [`Allocations`] takes the samples of probes of `malloc` and the like, and knows which block an address was in at any time, and who asked for it.
//! 4. [`Objects`] finds to what an address belongs: a variable, by the symbols of its file; also one that is zero at first, whose memory has no file and follows that of its file.
//! 5. [`Accesses`] adds up accesses of one thread, object, place of code, source and [nodes](Nodes), and those of each page; [`SharedLines`] those of each line, and tells which lines are shared.

mod access;
mod accesses;
mod allocations;
mod events;
mod lines;
mod mappings;
mod nodes;
#[cfg(feature = "symbols")]
mod objects;

pub use access::Access;
pub use accesses::{Accesses, Key, Page, Sums};
pub use allocations::{Allocations, Allocator, Block};
pub use events::{MemoryEvent, events};
pub use lines::{Line, LinePlace, LineSums, SharedLines};
pub use mappings::{Mapping, MappingRecords, Mappings};
pub use nodes::Nodes;
#[cfg(feature = "symbols")]
pub use objects::{Object, ObjectPlace, Objects};
