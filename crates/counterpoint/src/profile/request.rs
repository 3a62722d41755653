use crate::Error;
use counterpoint_perf::Every;
use counterpoint_profil::{BucketWidth, Flags, Histogram, Random, Scale};
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
    pub(crate) buckets: Buckets,
}

/// Where samples are counted.
#[derive(Clone, Debug)]
pub(crate) enum Buckets {
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
            buckets: Buckets::Text(Scale::TWO_ADDRESSES, BucketWidth::Bits32),
        }
    }

    /// Counts in the regions of this histogram only, as addresses come; it is handed back by [`Profiling::stop`](super::Profiling::stop).
    #[must_use]
    pub fn histogram(mut self, histogram: Histogram) -> Profile {
        self.buckets = Buckets::Histogram(Box::new(histogram));
        self
    }

    /// Counts in the text of the program and its libraries, with these buckets.
    #[must_use]
    pub fn text(mut self, scale: Scale, width: BucketWidth) -> Profile {
        self.buckets = Buckets::Text(scale, width);
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
    /// [`Profiled::terms`](super::Profiled::terms) says what was chosen.
    ///
    /// # Errors
    /// [`EventSet::open_profiles`](crate::EventSet::open_profiles) refuses a name that is no term of the event, and says which are.
    #[must_use]
    pub fn term(mut self, event: impl Into<String>) -> Profile {
        self.term = Some(event.into());
        self
    }

    /// The histogram that was given to [`Profile::histogram`].
    pub fn into_histogram(self) -> Option<Histogram> {
        match self.buckets {
            Buckets::Histogram(histogram) => Some(*histogram),
            Buckets::Text(..) => None,
        }
    }
}

/// Why an event has no profile, with the profile that was asked for.
///
/// It becomes an [`Error`] by `?`.
#[derive(thiserror::Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct NotProfiled {
    /// What is wrong.
    #[source]
    pub error: Error,
    /// What was given to [`EventSet::profile`](crate::EventSet::profile); [`Profile::into_histogram`] gives the caller's buckets back.
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
