//! Profiles: where in a program events occur.
//!
//! ```
//! use counterpoint::profile::Profile;
//! use counterpoint::{EventSet, Target, perf::Every};
//!
//! let mut set = EventSet::new(Target::ThisThread).event("task-clock:u");
//! set.profile("task-clock:u", Profile::every(Every::Period(100_000)))?; // 0.1 ms
//! let profiling = set.open_profiles()?;
//! let work: u64 = (0..3_000_000).fold(0, |sum, n| std::hint::black_box(sum ^ n));
//! let profiled = profiling.stop()?.remove(0);
//! for (module, region) in profiled.modules.iter().zip(&profiled.snapshot.regions) {
//!     println!("{work}: {} samples in {}", region.total(), module.path.display());
//! }
//! # assert!(profiled.samples > 0);
//! # Ok::<(), counterpoint::Error>(())
//! ```

#[cfg(feature = "symbols")]
mod code_files;
#[cfg(feature = "unwind")]
mod copies;
mod counted;
mod error;
mod kernel;
mod module;
mod modules;
mod names;
mod of_set;
mod off_cpu;
mod open;
mod parts;
mod pending;
mod places;
mod processes;
mod recorder;
mod replay;
mod request;
mod running;
mod stacks;
mod state;
#[cfg(feature = "symbols")]
mod symbols;
mod threads;

#[cfg(feature = "symbols")]
pub use code_files::code_files;
#[cfg(feature = "unwind")]
pub use copies::CAN_UNWIND;
pub(crate) use error::ProfileError;
pub use kernel::KernelSymbols;
pub use module::{Module, is_anonymous};
pub use names::ThreadNames;
pub use off_cpu::OffCpu;
pub use parts::{Part, SampleKey};
pub use places::{UNKNOWN, UNKNOWN_KERNEL};
pub use recorder::{RecordedEvent, Recorder};
pub use replay::Replay;
pub(crate) use request::Profiles;
pub use request::{CallGraph, NotProfiled, Profile};
pub use running::{Profiled, Profiling};
pub use stacks::CallStacks;
#[cfg(feature = "symbols")]
pub use symbols::{CodePlace, Function, Symbols};
pub use threads::{ThreadSamples, ThreadTimes};
