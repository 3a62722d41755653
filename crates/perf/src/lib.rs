//! Count and sample with `perf_event_open(2)`: groups of events, where and how they count, at which instructions they happen, and refusals that know their cause.
//!
//! ```
//! use counterpoint_perf::{Attr, Host, Placement, Setup, pmu_type};
//!
//! let host = Host::local();
//! let events = [Attr::new(pmu_type::SOFTWARE, 1), Attr::new(pmu_type::SOFTWARE, 2)]; // task-clock, page-faults
//! let mut group = host.open(&events, Placement::ThisThread, Setup::default())?;
//! let work: u64 = (0..1000).sum();
//! let counts = group.read()?;
//! assert!(work > 0 && counts[0].raw > 0);
//! println!("{} ns, {} page faults", counts[0].raw, counts[1].raw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order: [`Host`] is the machine, [`Attr`] names an event, [`Group`] counts ([`UserReads`] without system calls), [`Sampler`] takes samples ([`records`] reads them from bytes, [`Reader`] in a thread of its own, [`Overflow`] finds them by software), [`Maps`] are a process's text and libraries, [`OpenError`] explains a refusal, [`Access`] says what is allowed, [`process`] holds a command until counting can begin, [`output`] makes files for results, [`Kernel`] is the seam for tests and recorded machines.

mod access;
mod answers;
mod attr;
mod count;
mod cpus;
mod diagnose;
mod errno;
mod error;
mod events;
mod files;
mod group;
mod hint;
mod host;
mod local;
mod maps;
pub mod output;
pub mod process;
mod record;
mod recorded;
mod sample;
mod sys;
mod user_read;

pub use access::Access;
pub use attr::{Attr, Every, Exclude, ReadFormat, Setup, UserReads, pmu_type};
pub use count::Count;
pub use cpus::{CpuListError, CpuSet};
pub use errno::{Errno, UnknownErrno};
pub use error::{Cause, OpenError};
pub use events::{Events, OpenFailure, OpenRequest, Placement, Readiness, RingMemory, UserCounter};
pub use files::Files;
pub use group::Group;
pub use hint::Hint;
pub use host::Host;
pub use maps::{Map, Maps};
pub use sample::records;
pub use sample::{Drained, Fields, Numbers, Overflow, Reader, Sampler, Sampling, Wake, Woken};
