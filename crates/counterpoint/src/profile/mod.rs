//! Profiles: where in a program events happen.
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

mod count;
mod kernel;
mod modules;
mod open;

pub use modules::Module;

use crate::resolved::Metric;
use crate::{Error, EventSet, Note};
use count::State;
use counterpoint_perf::{Every, Reader, Sampler};
use counterpoint_profil::{BucketWidth, Flags, Histogram, Random, Scale, Snapshot};
use std::collections::BTreeMap;
use std::fmt;

/// How one event of a set is profiled: how often, and into which buckets.
#[derive(Clone, Debug)]
#[doc(alias = "PAPI_profil")]
pub struct Profile {
    pub(crate) every: Every,
    pub(crate) flags: Flags,
    pub(crate) random: Random,
    pub(crate) software: bool,
    pub(crate) term: Option<String>,
    pub(crate) into: Into,
}

/// Where samples are counted.
#[derive(Clone, Debug)]
pub(crate) enum Into {
    /// In regions of the caller's.
    Histogram(Box<Histogram>),
    /// In the text of every program and library that is met.
    Text(Scale, BucketWidth),
}

impl Profile {
    /// Counts the addresses of samples in the text of the program and its libraries, two addresses a bucket of 32 bits.
    pub fn every(every: Every) -> Profile {
        Profile {
            every,
            flags: Flags::default(),
            random: Random::default(),
            software: false,
            term: None,
            into: Into::Text(Scale::TWO_ADDRESSES, BucketWidth::Bits32),
        }
    }

    /// Counts in the regions of this histogram only, as addresses come; it is handed back by [`Profiling::stop`].
    #[must_use]
    pub fn histogram(mut self, histogram: Histogram) -> Profile {
        self.into = Into::Histogram(Box::new(histogram));
        self
    }

    /// Counts in the text of the program and its libraries, with these buckets.
    #[must_use]
    pub fn text(mut self, scale: Scale, width: BucketWidth) -> Profile {
        self.into = Into::Text(scale, width);
        self
    }

    /// What a sample adds; flags belong to one event, not to its set.
    #[must_use]
    pub fn flags(mut self, flags: Flags) -> Profile {
        self.flags = flags;
        self
    }

    /// The random numbers, for the flags that draw some.
    #[must_use]
    pub fn random(mut self, random: Random) -> Profile {
        self.random = random;
        self
    }

    /// Finds overflows by software, from the event's count at each tenth of a millisecond, also where the event could be sampled.
    ///
    /// Events that are computed from several others, and those that the kernel cannot sample, are profiled so in any case; it takes a period, no frequency.
    #[must_use]
    #[doc(alias = "PAPI_PROFIL_FORCE_SW")]
    pub fn software(mut self, software: bool) -> Profile {
        self.software = software;
        self
    }

    /// Samples this term of a derived event by hardware, in place of the event itself.
    ///
    /// Where none is named, an event of one term is sampled at that; one of several is looked at by software if it has a period, and sampled at the first term of its formula if it has a frequency.
    /// [`Profiled::terms`] says what was chosen.
    ///
    /// # Errors
    /// [`EventSet::open_profiles`] refuses a name that is no term of the event, and says which are.
    #[must_use]
    pub fn term(mut self, event: impl std::convert::Into<String>) -> Profile {
        self.term = Some(event.into());
        self
    }

    /// The histogram that was given to [`Profile::histogram`].
    pub fn into_histogram(self) -> Option<Histogram> {
        match self.into {
            Into::Histogram(histogram) => Some(*histogram),
            Into::Text(..) => None,
        }
    }
}

/// Why an event has no profile, with the profile that was asked for.
///
/// It becomes an [`Error`] by `?`.
#[derive(thiserror::Error)]
#[error("{error}")]
pub struct NotProfiled {
    /// What is wrong.
    pub error: Error,
    /// What was given to [`EventSet::profile`]; [`Profile::into_histogram`] gives the caller's buckets back.
    pub profile: Box<Profile>,
}

impl fmt::Debug for NotProfiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotProfiled").field("error", &self.error).finish_non_exhaustive()
    }
}

impl From<NotProfiled> for Error {
    fn from(refused: NotProfiled) -> Error {
        refused.error
    }
}

/// The profiles of a set's events, by the texts that they were added with.
pub(crate) type Profiles = BTreeMap<String, Profile>;

impl EventSet {
    /// Has an event of this set profiled; `None` turns it off. The event's profile until now is handed back.
    ///
    /// Several events may have profiles at once, each its own.
    ///
    /// # Errors
    /// An event that is not in the set, a name that cannot be found, a period or frequency of zero; nothing has changed then, and the profile comes back.
    #[doc(alias = "PAPI_profil")]
    #[doc(alias = "PAPI_sprofil")]
    pub fn profile(
        &mut self,
        event: &str,
        profile: impl std::convert::Into<Option<Profile>>,
    ) -> Result<Option<Profile>, NotProfiled> {
        let Some(profile) = profile.into() else { return Ok(self.profiles_mut().remove(event)) };
        match self.can_profile(event, profile.every) {
            Ok(()) => Ok(self.profiles_mut().insert(event.to_string(), profile)),
            Err(error) => Err(NotProfiled { error, profile: Box::new(profile) }),
        }
    }

    fn can_profile(&self, event: &str, every: Every) -> Result<(), Error> {
        if matches!(every, Every::Period(0) | Every::Frequency(0)) {
            return Err(Error::zero_period(event));
        }
        match self.resolve()?.metrics.iter().any(|metric| is_called(metric, event)) {
            true => Ok(()),
            false => Err(Error::not_in_set(event)),
        }
    }

    /// The events that have a profile.
    pub fn profiled(&self) -> Vec<&str> {
        self.profiles().keys().map(String::as_str).collect()
    }

    /// Opens the profiles of this set, which has none then.
    ///
    /// Sampling has begun unless the set is [delayed](EventSet::delayed); with a held command it begins with its exec.
    ///
    /// # Errors
    /// An event that is refused, with the reason. The profiles are still the set's.
    pub fn open_profiles(&mut self) -> Result<Profiling, Error> {
        let profiling = open::open(self)?;
        self.profiles_mut().clear();
        Ok(profiling)
    }
}

fn is_called(metric: &Metric, event: &str) -> bool {
    metric.event == event || metric.canonical == event
}

/// Profiles that are open.
pub struct Profiling {
    running: Vec<Running>,
}

struct Running {
    about: About,
    phase: Phase,
}

/// What is known of a profile before it runs.
struct About {
    event: String,
    every: Every,
    software: bool,
    notes: Vec<Note>,
    terms: Vec<String>,
}

enum Phase {
    /// Waits for [`Profiling::start`].
    Waiting(Box<(Sampler, State)>),
    Running(Reader<State>),
}

/// What an event's samples came to.
#[derive(Clone, Debug)]
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

impl Profiling {
    /// Starts sampling, in a set that is [delayed](EventSet::delayed).
    #[doc(alias = "PAPI_start")]
    pub fn start(&mut self) -> Result<(), Error> {
        self.run(true)
    }

    /// Has the rings read; `enable` is false where sampling begins by itself.
    fn run(&mut self, enable: bool) -> Result<(), Error> {
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
