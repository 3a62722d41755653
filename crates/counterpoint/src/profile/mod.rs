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
//!
//! # How a sample is taken
//!
//! 1. `perf::Sampler` opens an event with a ring for each thread or CPU; threads on one CPU share its ring. The kernel writes records and does not wait for a reader: records for which there is no room are counted as lost.
//! 2. `perf::Reader` is the thread that drains rings when they are half full, or four times a second. `perf::records` decodes the bytes and does not know about rings.
//! 3. `counterpoint::profile` puts addresses into histograms of `profil`. Samples wait a second, because a mapping that was made before them may be in another CPU's ring. Then the address of a process becomes one of the module where it was first seen, so that processes add up. `profile::threads` counts samples by thread over time, and `profile::parts` by process, thread, name and CPU, only if that was asked for.
//! 4. If an event cannot be sampled, or is computed, a clock is sampled together with the event's count; `perf::Overflow` finds the samples at which the count passed the threshold.
//! 5. Symbols are looked up at the end: those of the kernel in its own list (`profile::KernelSymbols`), which is read when the first sample of the kernel is counted, and comes with the profile; those of files with the feature `symbols`, in the symbol tables and PLT of each file (`symbols::Binary`) and in its debug file (`symbols::DebugFiles`). The file is the one that was mapped (`symbols::CodeFiles`): the records of mappings have its build id, or its inode, and a file of the same path that is another one gives no names. `profile::Symbols` moves addresses between the profile and the file. A bucket has the names of all its addresses (`profil::write::Place`).

#[cfg(feature = "symbols")]
mod code_files;
mod contents;
#[cfg(feature = "unwind")]
mod copies;
mod counted;
mod intervals;
mod kernel;
mod known_callers;
mod module;
mod modules;
mod names;
mod of_set;
mod off_cpu;
mod open;
mod parts;
mod pending;
mod places;
#[cfg(feature = "pprof")]
mod pprof;
mod processes;
mod raw_stack;
mod recorder;
mod replay;
mod request;
mod running;
mod stack_times;
mod stacks;
mod state;
#[cfg(feature = "symbols")]
mod symbols;
mod threads;

#[cfg(feature = "symbols")]
pub use code_files::code_files;
#[cfg(feature = "unwind")]
pub use copies::CAN_UNWIND;
pub use kernel::KernelSymbols;
pub use module::{Module, is_anonymous};
pub use names::ThreadNames;
pub use off_cpu::OffCpu;
pub use parts::{Part, SampleKey};
pub use places::{Located, UNKNOWN, UNKNOWN_KERNEL};
#[cfg(feature = "pprof")]
pub use pprof::Pprof;
pub(crate) use processes::{Processes, When};
pub use recorder::{RecordedEvent, Recorder};
pub use replay::Replay;
pub(crate) use request::Profiles;
pub use request::{CallGraph, NotProfiled, Profile};
pub use running::{Profiled, Profiling};
pub use stack_times::{StackCount, StackTimes};
pub use stacks::CallStacks;
#[cfg(feature = "symbols")]
pub use symbols::{CodePlace, Function, Symbols};
pub use threads::{ThreadSamples, ThreadTimes};
