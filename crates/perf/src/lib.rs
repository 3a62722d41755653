//! Count and sample with `perf_event_open(2)`: groups of events, their placement and setup, samples of the instructions at which they occur, and open errors with their cause and a hint.
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
//! In reading order: [`Host`] is the machine, [`Attr`] identifies an event, [`Group`] counts ([`UserReads`] without system calls), [`Sampler`] takes samples ([`records`] decodes them from bytes, [`Reader`] reads them in a thread of its own, [`Overflow`] detects them in software), [`Maps`] are the text and the libraries of a process, [`OpenError`] has the cause of an error and [`Hint`] what can be done about it, [`Access`] shows what is permitted, [`process`] holds a command until counting can begin, [`output`] creates files for results, and [`Files`] and [`Events`] are what a test implements in place of a machine.

#![cfg_attr(
    not(feature = "sampling"),
    allow(dead_code, reason = "some calls of the kernel are for samples only")
)]

mod access;
mod answers;
mod attr;
mod child;
mod commands;
mod count;
mod cpuid;
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
mod open_file;
pub mod output;
mod probes;
pub mod process;
mod record;
mod recorded;
mod sample;
mod shown;
mod sys;
mod task_stat;
mod topology;
mod user_read;

pub use access::Access;
pub use attr::{Attr, Every, Exclude, ReadFormat, Setup, UserReads, pmu_type};
pub use count::Count;
pub use cpuid::Cpuid;
pub use cpus::{CpuListError, CpuSet};
pub use errno::{Errno, UnknownErrno};
pub use error::{Cause, OpenError};
pub use events::{Events, OpenFailure, OpenRequest, Placement, Readiness, RingMemory, UserCounter};
pub use files::Files;
pub use group::Group;
pub use hint::Hint;
pub use host::Host;
pub use maps::{Map, Maps};
pub use open_file::OpenFile;
#[cfg(feature = "sampling")]
pub use sample::{Drained, EventIds, Opened, Overflow, Reader, Sampler, WaitResult, records};
pub use sample::{Fields, Sampling, StackParts, Wakeup};
pub use task_stat::TaskStat;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
