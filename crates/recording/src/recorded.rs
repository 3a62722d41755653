//! The profiles of a recording.
//!
//! # How a profile is recorded and read again
//!
//! 1. `profile --format perf` writes the bytes of the rings as they are drained (`Sampler::copy_records`), after records of what was there before: the kernel, and the names and files of processes that run already (`recording::FileRecorder`). Nothing but the names of mapped files is kept in memory.
//! 2. `recording::file::Writer` ends a round after all rings of an event have been read, if it is the only event, so that a reader can sort as it reads. Facts about the machine and the build ids come at the end.
//! 3. `report` reads a file twice: first what it says about processes, files and names, which need not be in order, and then the samples. `perf::records` decodes both, with the layout of each event.
//! 4. From there on samples go the same way as in a running profile: `counterpoint::profile::Replay` has the same state, and `commands/samples/output.rs` shows the same results.
//! 5. `recording::file` also reads what went through a pipe, whose events and facts are records (`stream`), and what was compressed (`compressed`, with `ruzstd`).
//!    A crate that reads these files exists, `linux-perf-data` 0.13, and is what the tests compare with. Of 53 public recordings it reads 52, and ours all; of a recording that was cut off in the middle it reads nothing, and ours what is there; it allocates what a section claims to be long, and the length of a jitdump record that is shorter than its header overflows. It has record types of its own, beside those that `perf` decodes already.

use super::error::ReadError;
use super::file::Facts;
use super::filter::Filters;
use super::joined::{Joined, Joining, Recording};
use super::remark::Remark;
use counterpoint::profile::{CallGraph, CallStacks, Profile, Profiled};
use std::fs::File;
use std::path::Path;

/// The contents of a recording: a profile of each event, and facts about the machine.
#[derive(Debug)]
#[non_exhaustive]
pub struct Recorded {
    /// The samples of each event that has some, or was sampled.
    pub profiles: Vec<Profiled>,
    /// The facts of the file about the machine and the recording.
    pub facts: Facts,
    /// Samples have copies of the stack, which are unwound by the files of this system.
    pub has_copies: bool,
    /// The missing part.
    pub remarks: Vec<Remark>,
}

impl Recorded {
    /// Reads a file with its call stacks.
    ///
    /// # Errors
    /// Returns an error if nothing could be read; what is damaged costs its records and is one of the [remarks](Recorded::remarks).
    pub fn open(path: impl AsRef<Path>) -> Result<Recorded, ReadError> {
        let file = File::open(path)?;
        Recorded::read(file, &Filters::default(), &|profile, graph| match graph {
            Some(graph) => profile.call_graph(graph),
            None => profile,
        })
    }

    /// Reads a file or a pipe; `with` adds to each event's profile what is to be counted, such as the call graph for which it was recorded.
    ///
    /// # Errors
    /// As [`Recorded::open`], and if `filters` name an event that the file does not have.
    pub fn read(
        file: File,
        filters: &Filters,
        with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    ) -> Result<Recorded, ReadError> {
        let mut joining = Joining::default();
        let remarks = joining.add(file, filters, with)?;
        let Joined { profiles, mut recordings, .. } = joining.finish();
        let Recording { facts, has_copies, .. } = recordings.pop().unwrap_or_default();
        Ok(Recorded { profiles, facts, has_copies, remarks })
    }

    /// Returns true if an event has call stacks.
    pub fn has_stacks(&self) -> bool {
        self.profiles.iter().filter_map(|of| of.stacks.as_ref()).any(CallStacks::has_callers)
    }
}
