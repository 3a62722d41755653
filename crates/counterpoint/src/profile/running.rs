use super::modules::Module;
use super::state::State;
use crate::{Error, Note};
use counterpoint_perf::{Every, Reader, Sampler};
use counterpoint_profil::{Histogram, Snapshot};
use std::fmt;

/// Profiles that are open.
pub struct Profiling {
    pub(super) running: Vec<Running>,
}

pub(super) struct Running {
    pub about: About,
    pub phase: Phase,
}

/// What is known of a profile before it runs.
pub(super) struct About {
    pub event: String,
    pub every: Every,
    pub software: bool,
    pub notes: Vec<Note>,
    pub terms: Vec<String>,
}

pub(super) enum Phase {
    /// Waits for [`Profiling::start`].
    Waiting(Box<(Sampler, State)>),
    Running(Reader<State>),
}

/// What an event's samples came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Profiled {
    /// The event as it was named.
    pub event: String,
    /// How often it was sampled.
    pub every: Every,
    /// Whether overflows were found by software.
    pub software: bool,
    /// How it was sampled otherwise than asked for.
    pub notes: Vec<Note>,
    /// Of a derived event that was sampled by hardware, the terms that were sampled in its place: one, or one for each kind of core.
    pub terms: Vec<String>,
    /// How many samples came, those that no region counts and that the flags dropped included.
    pub samples: u64,
    /// How many the kernel had no room for.
    pub lost: u64,
    /// How often the kernel stopped the event for some milliseconds, because it came too often.
    pub throttled: u64,
    /// What was counted where.
    pub snapshot: Snapshot,
    /// What each region of the snapshot is the text of; empty with a histogram of the caller's.
    pub modules: Vec<Module>,
    /// The caller's histogram.
    pub histogram: Option<Histogram>,
}

impl fmt::Debug for Profiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events: Vec<_> = self.running.iter().map(|running| &running.about.event).collect();
        f.debug_struct("Profiling").field("events", &events).finish_non_exhaustive()
    }
}

impl Profiling {
    /// Starts sampling, in a set that is [delayed](crate::EventSet::delayed).
    #[doc(alias = "PAPI_start")]
    pub fn start(&mut self) -> Result<(), Error> {
        self.run(true)
    }

    /// Has the rings read; `enable` is false where sampling begins by itself.
    pub(super) fn run(&mut self, enable: bool) -> Result<(), Error> {
        for Running { phase, .. } in &mut self.running {
            if let (Phase::Waiting(waiting), true) = (phase, enable) {
                waiting.0.enable().map_err(|e| Error::kernel("start sampling", e))?;
            }
        }
        let mut phases = Vec::new();
        for Running { about, phase } in self.running.drain(..) {
            let phase = match phase {
                Phase::Waiting(waiting) => {
                    let (sampler, state) = *waiting;
                    let reader = Reader::start(sampler, state, State::take);
                    Phase::Running(reader.map_err(|e| Error::reader(&about.event, e))?)
                }
                running => running,
            };
            phases.push(Running { about, phase });
        }
        self.running = phases;
        Ok(())
    }

    /// How many samples have come so far, over all events.
    pub fn samples(&self) -> u64 {
        let of = |running: &Running| match &running.phase {
            Phase::Running(reader) => reader.state().samples,
            Phase::Waiting(_) => 0,
        };
        self.running.iter().map(of).sum()
    }

    /// Whether all targets have ended.
    pub fn is_finished(&self) -> bool {
        let ended = |running: &Running| match &running.phase {
            Phase::Running(reader) => reader.is_finished(),
            Phase::Waiting(_) => false,
        };
        self.running.iter().all(ended)
    }

    /// Stops sampling and says what came, one for each profiled event, in the order of their names.
    #[doc(alias = "PAPI_stop")]
    pub fn stop(self) -> Result<Vec<Profiled>, Error> {
        let failed = |e| Error::kernel("read samples", e);
        // All stop before the first is looked at, or they would sample that.
        let mut stopped = Vec::new();
        for Running { about, phase } in self.running {
            let (sampler, state) = match phase {
                Phase::Waiting(waiting) => *waiting,
                Phase::Running(reader) => reader.stop().map_err(failed)?,
            };
            stopped.push((about, sampler.lost().map_err(failed)?, state));
        }
        Ok(stopped.into_iter().map(|(about, lost, state)| about.profiled(lost, state)).collect())
    }
}

impl About {
    fn profiled(self, lost: u64, state: State) -> Profiled {
        let (samples, throttled) = (state.samples, state.throttled);
        let counted = state.finish();
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
            histogram: counted.histogram,
        }
    }
}
