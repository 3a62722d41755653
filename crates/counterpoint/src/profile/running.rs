use super::counted::Counted;
use super::kernel::KernelSymbols;
use super::module::Module;
use super::off_cpu::OffCpu;
use super::parts::Part;
use super::stacks::CallStacks;
use super::state::State;
use super::threads::ThreadTimes;
use crate::counting::error::CountError;
use crate::error::Error;
use crate::error::profile::ProfileError;
use crate::report::note::Note;
use counterpoint_perf::{Every, Reader, Sampler};
use counterpoint_profil::write::{self, Symbol};
use counterpoint_profil::{Histogram, Snapshot};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Open profiles.
pub struct Profiling {
    pub(super) running: Vec<Running>,
}

pub(super) struct Running {
    pub about: About,
    pub phase: Phase,
}

/// The facts about a profile that are known before it runs.
#[derive(Clone)]
pub(super) struct About {
    pub event: String,
    pub every: Every,
    pub software: bool,
    pub notes: Vec<Note>,
    pub terms: Vec<String>,
    /// The events whose counts are in its samples.
    pub counted: Vec<String>,
    /// It is sampled on all CPUs, whether the target is there or not.
    pub is_everywhere: bool,
}

pub(super) enum Phase {
    /// Waits for [`Profiling::start`], before it begins or while it is paused.
    Waiting(Box<(Sampler, State)>),
    Running(Reader<State>),
}

/// The finished profile of an event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Profiled {
    /// The text with which the event was added to the set.
    pub event: String,
    /// The period or frequency of its samples.
    pub every: Every,
    /// True if overflows were found by software.
    pub software: bool,
    /// The ways in which it was sampled differently than requested.
    pub notes: Vec<Note>,
    /// The terms that were sampled in place of a derived event, if it was sampled by hardware: one, or one for each kind of core.
    pub terms: Vec<String>,
    /// The number of samples, including those outside all regions and those that the flags dropped.
    pub samples: u64,
    /// The number of samples that the kernel lost for lack of space.
    pub lost: u64,
    /// The number of times that the kernel stopped the event for some milliseconds because it was too frequent.
    pub throttled: u64,
    /// The histogram.
    pub snapshot: Snapshot,
    /// The module of each region of the snapshot, then the modules in which only callers are; empty with a histogram of the caller.
    pub modules: Vec<Module>,
    /// The code of the kernel and the names of its functions, which are read when an event of the set has a sample from there; none without, and with a histogram of the caller.
    pub kernel: KernelSymbols,
    /// The files in which run-time compilers keep what they compile (jitdump), by the process that has mapped each.
    #[doc(alias = "jitdump")]
    pub jit_dumps: BTreeMap<u32, PathBuf>,
    /// The call stacks, if they were asked for.
    pub stacks: Option<CallStacks>,
    /// The samples of each thread over time, if they were asked for.
    pub threads: Option<ThreadTimes>,
    /// True if counts are those of events, of which samples stand for different numbers, and not of samples: see [`Profile::by_events`](super::Profile::by_events).
    pub by_events: bool,
    /// The time off the CPU, in µs, which is counted in place of samples, if it was asked for.
    pub off_cpu: Option<OffCpu>,
    /// The samples by the keys of [`Profile::keys`](super::Profile::keys), in their order; empty without keys.
    pub parts: Vec<Part>,
    /// The histogram of [`Profile::histogram`](super::Profile::histogram).
    pub histogram: Option<Histogram>,
}

impl fmt::Debug for Profiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events: Vec<_> = self.running.iter().map(|running| &running.about.event).collect();
        f.debug_struct("Profiling").field("events", &events).finish_non_exhaustive()
    }
}

impl Profiling {
    /// Starts sampling in a set that is [delayed](crate::EventSet::delayed), and continues it after [`pause`](Profiling::pause).
    ///
    /// # Errors
    /// Returns an error if the kernel cannot start an event, in which case none is started and no profile is lost.
    /// Also returns one if there is no thread that could read the samples of an event, whose profile is then lost; the others are started.
    #[doc(alias = "PAPI_start")]
    pub fn start(&mut self) -> Result<(), Error> {
        self.run(true)
    }

    /// Starts the reader of the rings; `enable` is false if sampling begins by itself.
    pub(super) fn run(&mut self, enable: bool) -> Result<(), Error> {
        if enable {
            self.enable()?;
        }
        self.change(|about, phase| match phase {
            Phase::Waiting(waiting) => {
                let (sampler, state) = *waiting;
                let reader = Reader::start(sampler, state, State::take);
                reader.map(Phase::Running).map_err(|e| {
                    Error::from(ProfileError::Reader { event: about.event.to_string(), error: e })
                })
            }
            running => Ok(running),
        })
    }

    /// Starts all waiting events, or none.
    fn enable(&mut self) -> Result<(), Error> {
        let mut enabled: Vec<&mut Sampler> = Vec::new();
        for Running { phase, .. } in &mut self.running {
            let Phase::Waiting(waiting) = phase else { continue };
            enabled.push(&mut waiting.0);
            let started = enabled.last_mut().map_or(Ok(()), |sampler| sampler.enable());
            if let Err(error) = started {
                // An event that cannot be stopped either is sampled until it starts again.
                for sampler in enabled {
                    let _ = sampler.disable();
                }
                return Err(Error::from(CountError::Kernel {
                    what: "start sampling",
                    errno: error,
                }));
            }
        }
        Ok(())
    }

    /// Brings every profile to another phase; those that fail are lost, and the first error is returned when all have been tried.
    fn change(
        &mut self,
        mut to: impl FnMut(&About, Phase) -> Result<Phase, Error>,
    ) -> Result<(), Error> {
        let mut failed = None;
        for Running { about, phase } in std::mem::take(&mut self.running) {
            match to(&about, phase) {
                Ok(phase) => self.running.push(Running { about, phase }),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// The number of samples so far, over all events.
    pub fn samples(&self) -> u64 {
        let of = |running: &Running| match &running.phase {
            Phase::Running(reader) => reader.state().samples,
            Phase::Waiting(waiting) => waiting.1.samples,
        };
        self.running.iter().map(of).sum()
    }

    /// The profiles so far, in the order in which they were set; sampling continues.
    ///
    /// Samples of the last quarter of a second may be missing: the kernel's rings are read when they are half full, or that often.
    /// Lost samples are those that the kernel has reported so far.
    pub fn snapshot(&self) -> Vec<Profiled> {
        let of = |running: &Running| match &running.phase {
            Phase::Running(reader) => running.about.so_far(&reader.state()),
            Phase::Waiting(waiting) => running.about.so_far(&waiting.1),
        };
        self.running.iter().map(of).collect()
    }

    /// The profiles of the samples since the last call, or since the start, in the order in which they were set; sampling continues.
    ///
    /// Neither this nor another function returns these samples later; only the histograms of the caller keep their counts.
    /// As with [`snapshot`](Profiling::snapshot), samples of the last quarter of a second may be missing, and are in the next ones.
    pub fn take(&mut self) -> Vec<Profiled> {
        let of = |running: &mut Running| {
            let about = running.about.clone();
            match &mut running.phase {
                Phase::Running(reader) => about.profiled(reader.state().take_counted()),
                Phase::Waiting(waiting) => about.profiled(waiting.1.take_counted()),
            }
        };
        self.running.iter_mut().map(of).collect()
    }

    /// Stops sampling until [`start`](Profiling::start), which continues with the same counts.
    ///
    /// The samples that the kernel has taken are read first, so that a [snapshot](Profiling::snapshot) of a paused profile has all of them.
    ///
    /// # Errors
    /// Returns an error if the kernel cannot stop or read an event, whose profile is then lost; the others are paused.
    pub fn pause(&mut self) -> Result<(), Error> {
        self.change(|_, phase| match phase {
            Phase::Running(reader) => {
                let waiting = reader.stop().map_err(|e| {
                    Error::from(CountError::Kernel { what: "stop sampling", errno: e })
                })?;
                Ok(Phase::Waiting(Box::new(waiting)))
            }
            waiting => Ok(waiting),
        })
    }

    /// Returns true if all targets have ended.
    pub fn is_finished(&self) -> bool {
        let ended = |running: &Running| match &running.phase {
            Phase::Running(reader) => running.about.is_everywhere || reader.is_finished(),
            Phase::Waiting(_) => false,
        };
        self.running.iter().all(ended)
    }

    /// Stops sampling and returns the profile of each event, in the order in which they were set.
    #[doc(alias = "PAPI_stop")]
    pub fn stop(self) -> Result<Vec<Profiled>, Error> {
        let failed = |e| Error::from(CountError::Kernel { what: "read samples", errno: e });
        // All stop before the first is read, or they would sample the reading.
        let mut stopped = Vec::new();
        for Running { about, phase } in self.running {
            let (sampler, state) = match phase {
                Phase::Waiting(waiting) => *waiting,
                Phase::Running(reader) => reader.stop().map_err(failed)?,
            };
            stopped.push((about, sampler.lost().map_err(failed)?, state));
        }
        let profiled = |(about, lost, mut state): (About, u64, State)| {
            state.lost = lost;
            about.profiled(state.finish())
        };
        Ok(stopped.into_iter().map(profiled).collect())
    }
}

impl Profiled {
    /// The profile as the writers of [`counterpoint_profil::write`] take it, with these names of addresses.
    pub fn named<'a>(&'a self, symbols: &'a dyn Fn(u64) -> Option<Symbol>) -> write::Profile<'a> {
        let period = match self.every {
            Every::Period(period) if self.off_cpu.is_none() && !self.by_events => period,
            _ => 0,
        };
        let is_estimate = self.by_events && matches!(self.every, Every::Frequency(_));
        let unit = if self.by_events { Some("events") } else { self.off_cpu.map(|_| "µs") };
        let counted = write::Profile::new(&self.event, &self.snapshot);
        write::Profile { period, lost: self.lost, unit, is_estimate, symbols, ..counted }
    }
}

impl About {
    fn so_far(&self, state: &State) -> Profiled {
        let State { samples, throttled, lost, .. } = *state;
        let threads = state.threads.clone().map(|mut threads| threads.take_counted());
        self.clone().profiled(([samples, throttled, lost], state.sink.clone().finish(), threads))
    }

    pub(super) fn profiled(
        self,
        ([samples, throttled, lost], counted, threads): ([u64; 3], Counted, Option<ThreadTimes>),
    ) -> Profiled {
        Profiled {
            event: self.event,
            every: self.every,
            software: self.software,
            notes: self.notes,
            terms: self.terms,
            samples,
            lost,
            throttled,
            snapshot: counted.snapshot,
            modules: counted.modules,
            kernel: counted.kernel,
            jit_dumps: counted.jit_dumps,
            stacks: counted.stacks,
            parts: counted.parts,
            threads,
            by_events: counted.by_events,
            off_cpu: counted.off_cpu,
            histogram: counted.histogram,
        }
    }
}
