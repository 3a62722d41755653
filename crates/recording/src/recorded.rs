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

use super::build_ids::is_of_another;
use super::decoder::{self, Decoder};
use super::error::ReadError;
use super::file::{Event, Facts, Problem, Reader};
use super::filter::Filters;
use super::reading::Reading;
use super::remark::Remark;
use super::seekable::seekable;
use counterpoint::perf::Host;
use counterpoint::perf::records::{BuildId, FileId};
use counterpoint::pmu::kernel;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::profile::{CallGraph, CallStacks, Module, Profile, Profiled, Replay};
use counterpoint::symbols::CodeFiles;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
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
        if file.metadata()?.is_dir() {
            return Err(ReadError::Directory);
        }
        let mut reader = Reader::open(seekable(file)?).map_err(ReadError::File)?;
        let mut recorded = read(filters, with, &mut reader)?;
        let problems: Vec<Problem> = reader.into_problems();
        recorded.remarks.splice(0..0, problems.into_iter().map(Remark::File));
        Ok(recorded)
    }

    /// Returns true if an event has call stacks.
    pub fn has_stacks(&self) -> bool {
        self.profiles.iter().filter_map(|of| of.stacks.as_ref()).any(CallStacks::has_callers)
    }
}

fn read(
    filters: &Filters,
    with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    reader: &mut Reader<File>,
) -> Result<Recorded, ReadError> {
    let host = Host::local();
    let names: Vec<String> = reader.events().iter().enumerate().map(name).collect();
    filters.check(&names)?;
    let decoder = Decoder::new(reader.events())?;
    let has_copies = reader.events().iter().any(|event| event.stack_bytes() > 0);
    let replays = replays(&host, reader, &names, decoder.has_times(), with);
    let mut reading = Reading::new(decoder, replays);
    reading.processes(reader)?;
    let is_other_kernel = reading.kernel(&host, reader.facts());
    reading.samples(reader, filters)?;
    let aux = reader.problems().iter().find(is_aux);
    if let Some(aux) = aux.filter(|_| reading.all == 0) {
        return Err(ReadError::AuxAlone(aux.to_string()));
    }
    let remarks = reading.remarks(is_other_kernel);
    // An event that only carries other records, or AUX data, is not one of those sampled.
    let is_carrier = |event: &Event| event.is_dummy() || (aux.is_some() && event.period() == 1);
    let shown = reader.events().iter().zip(reading.replays.into_iter().map(Replay::finish));
    let shown = shown.filter(|(event, profiled)| !is_carrier(event) || profiled.samples > 0);
    let shown = shown.map(|(_, profiled)| profiled);
    let mut profiles: Vec<Profiled> = shown.filter(|of| filters.is_event(&of.event)).collect();
    let code = CodeFiles::of_system();
    for module in profiles.iter_mut().flat_map(|profiled| &mut profiled.modules) {
        identify(module, &code, reader.facts(), is_other_kernel);
    }
    Ok(Recorded { profiles, facts: reader.facts().clone(), has_copies, remarks })
}

pub(crate) fn is_aux(problem: &&Problem) -> bool {
    matches!(problem, Problem::Aux { .. })
}

/// The counters of the samples of each event.
pub(crate) fn replays(
    host: &Host,
    reader: &Reader<File>,
    names: &[String],
    has_times: bool,
    with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
) -> Vec<Replay> {
    let arch = &reader.facts().arch;
    let is_native = arch.is_empty() || arch == std::env::consts::ARCH;
    let replay = |(event, name): (&Event, &String)| {
        let graph = decoder::call_graph(event, is_native);
        let profile =
            Profile::every(decoder::every(event)).text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
        let mut profile = with(profile, graph);
        if !has_times {
            // The places in the file are an order, and not times.
            profile = profile.threads_over_time(1);
        }
        if decoder::is_weighted(event) {
            profile = profile.by_events();
        }
        Replay::new(host, name, &profile)
    };
    reader.events().iter().zip(names).map(replay).collect()
}

/// Adds what the file says of a module beside the record of its mapping.
pub(crate) fn identify(
    module: &mut Module,
    code: &CodeFiles,
    facts: &Facts,
    is_other_kernel: bool,
) {
    let path = module.path.as_os_str().as_bytes();
    let mut of_path = facts.build_ids.iter().filter(|of| of.path == path && !of.is_kernel);
    // Several files may have had the path.
    if let (Some(of), None, None) = (of_path.next(), of_path.next(), module.build_id()) {
        // perf reads the build id by the path when all is over: it may be that of another file, which is not the one that was mapped.
        if !is_of_another(code, module, &of.id) {
            module.file = BuildId::new(&of.id).map(FileId::BuildId).or(module.file);
        }
    }
    // The kernel maps its own code into every process: another kernel, other code.
    if is_other_kernel && path == b"[vdso]" && module.build_id().is_none() {
        module.pid = None;
    }
}

/// The name of an event; if the file has none, because it ends before its names, that of the kernel.
pub(crate) fn name((index, event): (usize, &Event)) -> String {
    if !event.name.is_empty() {
        return event.name.clone();
    }
    let is_known = |known: &kernel::KernelEvent| {
        (known.kind(), known.config) == (event.kind(), event.config())
    };
    let modifiers = if event.excludes_kernel() { ":u" } else { "" };
    match kernel::all().find(is_known) {
        Some(known) => format!("{known}{modifiers}"),
        None => format!("event {}", index + 1),
    }
}
