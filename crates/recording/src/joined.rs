//! Several recordings as one profile, such as those of the ranks of a parallel job.

use super::build_ids::is_of_another;
use super::decoder::{self, Decoder};
use super::error::ReadError;
use super::file::{Event, Facts, Problem, Reader};
use super::filter::Filters;
use super::kernel::Kernels;
use super::reading::Reading;
use super::remark::Remark;
use super::seekable::seekable;
use super::tasks::Tasks;
use counterpoint::perf::records::{BuildId, FileId};
use counterpoint::perf::{Every, Host};
use counterpoint::pmu::kernel;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::profile::{CallGraph, CallStacks, Module, Profile, Profiled, Replay};
use counterpoint::symbols::CodeFiles;
use std::fmt;
use std::fs::File;
use std::mem::discriminant;
use std::os::unix::ffi::OsStrExt;

/// The samples of several recordings, added up.
///
/// A process keeps its id, unless one of another recording has it, as may be on another node: [`Joined::origin`] tells the recording.
/// The times of a node are moved so that its first sample is as early as that of the first node, because clocks of nodes begin at their start.
#[derive(Debug)]
#[non_exhaustive]
pub struct Joined {
    /// The samples of each event that has some, or was sampled.
    pub profiles: Vec<Profiled>,
    /// The recordings, in the order in which they were read.
    pub recordings: Vec<Recording>,
    tasks: Tasks,
}

/// One of several recordings.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Recording {
    /// The facts of the file about the machine and the recording.
    pub facts: Facts,
    /// The names of its events.
    pub events: Vec<String>,
    /// Samples have copies of the stack, which are unwound by the files of this system.
    pub has_copies: bool,
}

impl Joined {
    /// Returns true if an event has call stacks.
    pub fn has_stacks(&self) -> bool {
        self.profiles.iter().filter_map(|of| of.stacks.as_ref()).any(CallStacks::has_callers)
    }

    /// The index of the recording that has a process or thread of the profiles, and the id that it had on its machine; `None` for the kernel's idle threads, which all have.
    pub fn origin(&self, id: u32) -> Option<(usize, u32)> {
        self.tasks.origin(id)
    }
}

/// Reads recordings, whose samples it adds up.
///
/// ```no_run
/// use counterpoint_recording::{Filters, Joining};
/// use std::fs::File;
///
/// let mut joining = Joining::default();
/// for rank in 0..4 {
///     let file = File::open(format!("counterpoint.{rank}.perf"))?;
///     joining.add(file, &Filters::default(), &|profile, _| profile)?;
/// }
/// let joined = joining.finish();
/// println!("{} samples", joined.profiles[0].samples);
/// # Ok::<(), counterpoint_recording::ReadError>(())
/// ```
#[derive(Default)]
pub struct Joining {
    counting: Vec<Counting>,
    recordings: Vec<Recording>,
    tasks: Tasks,
    kernels: Kernels,
    /// The time of the first sample of the first recording, and what is added to the times of each node.
    first: Option<u64>,
    shifts: Vec<(String, i64)>,
}

/// The samples of an event in all recordings so far.
struct Counting {
    name: String,
    manner: Manner,
    /// It is one of those asked for.
    is_wanted: bool,
    /// It carries other records, or AUX data, and was not sampled.
    is_carrier: bool,
    /// `None` while a file is read.
    replay: Option<Replay>,
}

/// How an event was sampled.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    every: Every,
    graph: Option<CallGraph>,
    /// Each sample counts as many events as it stands for.
    is_weighted: bool,
}

impl Joining {
    /// Adds the samples of a file or a pipe; `with` adds to each event's profile what is to be counted, such as the call graph for which it was recorded.
    ///
    /// Returns what is missing of the file: what is damaged costs its records.
    ///
    /// # Errors
    /// Returns an error if nothing could be read, if `filters` name an event that the file does not have, or if an event was sampled in another manner than in the files before. What was added before is then incomplete.
    pub fn add(
        &mut self,
        file: File,
        filters: &Filters,
        with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    ) -> Result<Vec<Remark>, ReadError> {
        if file.metadata()?.is_dir() {
            return Err(ReadError::Directory);
        }
        let mut reader = Reader::open(seekable(file)?).map_err(ReadError::File)?;
        let remarks = self.read(filters, with, &mut reader)?;
        let problems: Vec<Problem> = reader.into_problems();
        Ok(problems.into_iter().map(Remark::File).chain(remarks).collect())
    }

    fn read(
        &mut self,
        filters: &Filters,
        with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
        reader: &mut Reader<File>,
    ) -> Result<Vec<Remark>, ReadError> {
        let host = Host::local();
        let names: Vec<String> = reader.events().iter().enumerate().map(name).collect();
        filters.check(&names)?;
        let decoder = Decoder::new(reader.events())?;
        let has_copies = reader.events().iter().any(|event| event.stack_bytes() > 0);
        let places = self.counting(&host, reader, &names, filters, decoder.has_times(), with)?;
        let replays = places.iter().filter_map(|place| self.counting[*place].replay.take());
        let replays = replays.collect();
        let shift = if decoder.has_times() { self.shift(reader.facts()) } else { 0 };
        self.tasks.begin(self.recordings.len(), shift);
        let mut reading = Reading::new(decoder, replays, std::mem::take(&mut self.tasks));
        reading.processes(reader)?;
        let of_kernel = reading.kernel(&mut self.kernels, &host, reader.facts());
        reading.samples(reader, filters)?;
        let aux = reader.problems().iter().find(is_aux);
        if let Some(aux) = aux.filter(|_| reading.all == 0) {
            return Err(ReadError::AuxAlone(aux.to_string()));
        }
        let is_carrier = |(index, event): (usize, &Event)| {
            reader.is_carrier(index, event) || (aux.is_some() && event.period() == 1)
        };
        let remarks = reading.remarks().into_iter().chain(of_kernel).collect();
        self.tasks = reading.tasks;
        let carriers: Vec<bool> = reader.events().iter().enumerate().map(is_carrier).collect();
        for ((place, replay), is_carrier) in places.into_iter().zip(reading.replays).zip(carriers) {
            let counting = &mut self.counting[place];
            counting.is_carrier &= is_carrier;
            counting.replay = Some(replay);
        }
        let facts = reader.facts().clone();
        self.recordings.push(Recording { facts, events: names, has_copies });
        Ok(remarks)
    }

    /// The places of the events of a file among those of all.
    fn counting(
        &mut self,
        host: &Host,
        reader: &Reader<File>,
        names: &[String],
        filters: &Filters,
        has_times: bool,
        with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    ) -> Result<Vec<usize>, ReadError> {
        let is_native = reader.facts().is_native();
        let mut places: Vec<usize> = Vec::new();
        for (event, name) in reader.events().iter().zip(names) {
            let manner = Manner::of(event, is_native);
            // A file may have an event twice.
            let is_it =
                |(place, of): &(usize, &Counting)| of.name == *name && !places.contains(place);
            let known = self.counting.iter().enumerate().find(is_it);
            let place = match known {
                Some((place, known)) => {
                    known.manner.check(manner, name)?;
                    place
                }
                None => {
                    let replay = Some(manner.replay(host, name, has_times, with));
                    let (name, is_wanted) = (name.clone(), filters.is_event(name));
                    let counting = Counting { name, manner, is_wanted, is_carrier: true, replay };
                    self.counting.push(counting);
                    self.counting.len() - 1
                }
            };
            places.push(place);
        }
        Ok(places)
    }

    /// What is added to the times of a recording.
    fn shift(&mut self, facts: &Facts) -> i64 {
        if let Some((_, shift)) = self.shifts.iter().find(|(node, _)| *node == facts.hostname) {
            return *shift;
        }
        let Some((begin, _)) = facts.sample_time else { return 0 };
        let first = *self.first.get_or_insert(begin);
        let shift = first.wrapping_sub(begin).cast_signed();
        self.shifts.push((facts.hostname.clone(), shift));
        shift
    }

    /// The sums.
    pub fn finish(self) -> Joined {
        let Joining { counting, recordings, tasks, kernels, .. } = self;
        let profile = |of: Counting| {
            let profiled = of.replay.filter(|_| of.is_wanted)?.finish();
            (!of.is_carrier || profiled.samples > 0).then_some(profiled)
        };
        let mut profiles: Vec<Profiled> = counting.into_iter().filter_map(profile).collect();
        let code = CodeFiles::of_system();
        for profiled in &mut profiles {
            if let Some(symbols) = kernels.without_names() {
                profiled.kernel = symbols;
            }
            for module in &mut profiled.modules {
                let origin = module.pid.and_then(|pid| tasks.origin(pid));
                let recording = origin.map_or(0, |(recording, _)| recording);
                if let Some(Recording { facts, .. }) = recordings.get(recording) {
                    identify(module, &code, facts, kernels.is_other(recording));
                }
            }
        }
        Joined { profiles, recordings, tasks }
    }
}

impl Manner {
    pub(crate) fn of(event: &Event, is_native: bool) -> Manner {
        Manner {
            every: decoder::every(event),
            graph: decoder::call_graph(event, is_native),
            is_weighted: decoder::is_weighted(event),
        }
    }

    /// Counts the samples of an event.
    pub(crate) fn replay(
        self,
        host: &Host,
        name: &str,
        has_times: bool,
        with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    ) -> Replay {
        let profile = Profile::every(self.every).text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
        let mut profile = with(profile, self.graph);
        if !has_times {
            // The places in the file are an order, and not times.
            profile = profile.threads_over_time(1);
        }
        if self.is_weighted {
            profile = profile.by_events();
        }
        Replay::new(host, name, &profile)
    }

    /// Refuses samples that stand for another number of events, or have other stacks.
    fn check(self, here: Manner, event: &str) -> Result<(), ReadError> {
        let stacks = |of: Manner| of.graph.as_ref().map(discriminant);
        let is_alike = self.is_weighted == here.is_weighted
            && (self.is_weighted || self.every == here.every)
            && stacks(self) == stacks(here);
        if is_alike {
            return Ok(());
        }
        let (event, [here, before]) = (event.to_string(), [here, self].map(|of| of.to_string()));
        Err(ReadError::OtherManner { event, here, before })
    }
}

impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.every {
            Every::Period(period) => write!(f, "with a period of {period}")?,
            Every::Frequency(hertz) => write!(f, "at {hertz} samples per second")?,
        }
        match self.graph {
            None => f.write_str(" and without call stacks"),
            Some(CallGraph::FramePointers) => f.write_str(" and with frame pointers"),
            Some(CallGraph::CallRecords) => f.write_str(" and with LBR"),
            Some(_) => f.write_str(" and with copies of the stack"),
        }
    }
}

impl fmt::Debug for Joining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Joining").field("recordings", &self.recordings).finish_non_exhaustive()
    }
}

pub(crate) fn is_aux(problem: &&Problem) -> bool {
    matches!(problem, Problem::Aux { .. })
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
    let level = match (event.excludes_kernel(), event.excludes_user()) {
        (true, false) => "u",
        (false, true) => "k",
        _ => "",
    };
    let precise = "p".repeat(event.precision().into());
    let colon = if level.is_empty() && precise.is_empty() { "" } else { ":" };
    match kernel::all().find(is_known) {
        Some(known) => format!("{known}{colon}{level}{precise}"),
        None => format!("event {}", index + 1),
    }
}
