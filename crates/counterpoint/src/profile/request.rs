use super::parts::SampleKey;
use crate::error::Error;
use counterpoint_perf::Every;
use counterpoint_profil::{BucketWidth, Flags, Histogram, PapiFlags, Random, Scale, SharedBuckets};
use std::fmt;

/// The profile of one event of a set: the rate, and the buckets.
#[derive(Clone, Debug)]
#[doc(alias = "PAPI_profil")]
pub struct Profile {
    pub(crate) every: Every,
    pub(crate) flags: Flags,
    pub(crate) random: Random,
    pub(crate) software: bool,
    pub(crate) term: Option<String>,
    pub(crate) buckets: Buckets,
    pub(crate) call_graph: Option<CallGraph>,
    pub(crate) intervals: Option<usize>,
    pub(crate) stack_intervals: Option<usize>,
    pub(crate) off_cpu: bool,
    pub(crate) by_events: bool,
    pub(crate) wake_ups: bool,
    pub(crate) accesses: bool,
    pub(crate) leader: Option<String>,
    pub(crate) counted: Vec<String>,
    pub(crate) keys: Vec<SampleKey>,
}

/// The way in which the call stack of a sample is found.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum CallGraph {
    /// By the kernel, from the frame pointers, which the program must have been compiled with.
    FramePointers,
    /// From a copy of the stack, by the unwind information of the program and its libraries, whose files are found as [`code_files`](super::code_files) does; on x86-64 and arm64.
    ///
    /// Needs the feature `unwind`.
    #[cfg(feature = "unwind")]
    Copies {
        /// The number of bytes that are copied with each sample, a multiple of 8.
        bytes: u16,
    },
    /// Not at all: a stack is the function of the sample, with those that were inlined there.
    #[default]
    Innermost,
    /// From the calls that the processor recorded (LBR).
    #[doc(alias = "LBR")]
    CallRecords,
}

/// The buckets in which samples are counted.
#[derive(Clone, Debug)]
pub(crate) enum Buckets {
    /// In the caller's regions.
    Histogram(Box<Histogram>),
    /// In the caller's regions and in its memory.
    Shared(Box<Histogram<SharedBuckets>>),
    /// In the text of every program and library that has samples.
    Text(Scale, BucketWidth),
}

impl CallGraph {
    /// The number of bytes of the stack that are copied with each sample.
    pub(crate) fn copied_bytes(self) -> Option<u16> {
        match self {
            #[cfg(feature = "unwind")]
            CallGraph::Copies { bytes } => Some(bytes),
            CallGraph::Innermost | CallGraph::FramePointers | CallGraph::CallRecords => None,
        }
    }
}

impl Profile {
    /// Counts the addresses of samples in the text of the program and its libraries, in 32-bit buckets of two addresses each.
    pub fn every(every: Every) -> Profile {
        Profile {
            every,
            flags: Flags::default(),
            random: Random::default(),
            software: false,
            term: None,
            buckets: Buckets::Text(Scale::TWO_ADDRESSES, BucketWidth::Bits32),
            call_graph: None,
            intervals: None,
            stack_intervals: None,
            off_cpu: false,
            by_events: false,
            wake_ups: false,
            accesses: false,
            leader: None,
            counted: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Counts the time in µs that threads do not run, where in the program each of them stopped: to wait, or because another thread got the CPU.
    ///
    /// It is a profile of the event `context-switches`, of which every occurrence is sampled, in the kernel too, so that it needs the right to sample the kernel.
    /// [`Profiled::off_cpu`](super::Profiled::off_cpu) says what is known beside the counts. A thread that does not run during the whole profile is not seen.
    ///
    /// ```
    /// use counterpoint::profile::Profile;
    /// use counterpoint::{EventSet, Target};
    /// use std::time::Duration;
    ///
    /// let mut set = EventSet::new(Target::ThisThread).event("context-switches");
    /// set.profile("context-switches", Profile::off_cpu())?;
    /// # if set.open_profiles().is_err() { return Ok(()); }
    /// # set.profile("context-switches", Profile::off_cpu())?;
    /// let profiling = set.open_profiles()?;
    /// std::thread::sleep(Duration::from_millis(20));
    /// let waited = profiling.stop()?.remove(0).snapshot;
    /// println!("{} ms", (waited.total() + waited.outside) / 1000);
    /// # assert!(waited.total() + waited.outside >= 20_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "sched_switch")]
    pub fn off_cpu() -> Profile {
        let every = Profile::every(Every::Period(1));
        let buckets = Buckets::Text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
        Profile { buckets, off_cpu: true, ..every }
    }

    /// Takes a sample of each wake-up of a thread on all CPUs, whatever the target of the set is, for a [recorder](super::Recorder) of the samples: with the fields that say which thread is woken, and without a call stack.
    ///
    /// It is a profile of the tracepoint `sched:sched_waking`, and needs tracefs and the right to sample the kernel on all CPUs.
    /// An interrupt wakes threads of a program while another program runs, which a target does not see.
    #[doc(alias = "sched_waking")]
    pub fn wake_ups() -> Profile {
        Profile { wake_ups: true, ..Profile::every(Every::Period(1)) }
    }

    /// Samples also have the address of the data that was accessed, where it was found and how long that took, and the registers, for a [recorder](super::Recorder) of the samples; records say what is mapped beside code.
    ///
    /// It is for events that know addresses: loads and stores that the processor samples ([`memory::events`](crate::memory::events)), and page faults, which know nothing but the address.
    #[must_use]
    #[doc(alias = "PERF_SAMPLE_DATA_SRC")]
    pub fn accesses(self) -> Profile {
        Profile { accesses: true, ..self }
    }

    /// Takes samples as often as this.
    #[must_use]
    pub fn rate(self, every: Every) -> Profile {
        Profile { every, ..self }
    }

    /// Samples the event in a group behind this one, without which the processor does not sample it.
    #[must_use]
    #[doc(alias = "mem-loads-aux")]
    pub fn behind(self, leader: impl Into<String>) -> Profile {
        Profile { leader: Some(leader.into()), ..self }
    }

    /// Samples also have the counts of the event and of these events, which are opened in its group, for a [recorder](super::Recorder) of the samples.
    ///
    /// By how much the counts have grown since the sample before says what happened in between: [`SampledCounts`](crate::metrics::SampledCounts) adds it up.
    /// Each must be one event of its own; opening fails if the processor cannot count them at the same time.
    /// Linux counts the children of a thread apart since 6.12; before, they are left out, which is a note of the profile.
    #[must_use]
    #[doc(alias = "PERF_SAMPLE_READ")]
    pub fn counting(self, events: impl IntoIterator<Item = String>) -> Profile {
        Profile { counted: events.into_iter().collect(), ..self }
    }

    /// Counts only in the regions of this histogram, by the addresses of the process; [`Profiling::stop`](super::Profiling::stop) returns it.
    #[must_use]
    pub fn histogram(mut self, histogram: Histogram) -> Profile {
        self.buckets = Buckets::Histogram(Box::new(histogram));
        self
    }

    /// Counts only in the regions of this histogram, in the buckets of the caller, which hold the counts while the profile runs.
    ///
    /// Samples appear there when the kernel's rings are read: when they are half full, or four times a second.
    /// [`Profiled::histogram`](super::Profiled::histogram) is then `None`.
    ///
    /// ```
    /// use counterpoint::profil::{Histogram, Region};
    /// use counterpoint::profile::Profile;
    /// use counterpoint::{EventSet, Target, perf::Every};
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let counts: Arc<[AtomicU64]> = Arc::new([AtomicU64::new(0)]);
    /// let regions = vec![(Region::catch_all(), counts.clone().into())];
    /// let profile = Profile::every(Every::Period(1)).shared_histogram(Histogram::with_buckets(regions)?);
    /// let mut set = EventSet::new(Target::ThisThread).event("page-faults:u");
    /// set.profile("page-faults:u", profile)?;
    /// let mut profiling = set.open_profiles()?;
    /// let memory = vec![1_u8; 40 << 20];
    /// profiling.pause()?;
    /// println!("{} page faults, {} bytes", counts[0].load(Ordering::Relaxed), memory.len());
    /// # assert!(counts[0].load(Ordering::Relaxed) > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shared_histogram(mut self, histogram: Histogram<SharedBuckets>) -> Profile {
        self.buckets = Buckets::Shared(Box::new(histogram));
        self
    }

    /// Counts in the text of the program and its libraries, in these buckets, which take memory only if they have samples; a histogram of the caller counts a sample faster.
    #[must_use]
    pub fn text(mut self, scale: Scale, width: BucketWidth) -> Profile {
        self.buckets = Buckets::Text(scale, width);
        self
    }

    /// Also counts the call stack of each sample, in [`Profiled::stacks`](super::Profiled::stacks); not with a histogram of the caller.
    ///
    /// At most 1048576 different frames are kept, in some 80 MB; samples of stacks beyond that are counted without their stack.
    #[must_use]
    #[doc(alias = "call-graph")]
    pub fn call_graph(mut self, graph: CallGraph) -> Profile {
        self.call_graph = Some(graph);
        self
    }

    /// Also counts the samples of each thread over time, in [`Profiled::threads`](super::Profiled::threads), in at most this many intervals.
    ///
    /// Intervals are about a millisecond long at first, and become twice as long whenever there would be too many.
    #[must_use]
    pub fn threads_over_time(mut self, intervals: usize) -> Profile {
        self.intervals = Some(intervals);
        self
    }

    /// Also counts the call stacks of each thread over time, in [`CallStacks::times`](super::CallStacks::times), in at most this many intervals; it needs a [call graph](Profile::call_graph).
    ///
    /// At most 2097152 counts of stacks of threads in intervals are kept, in 48 MB: intervals become longer when there are more.
    #[must_use]
    pub fn stacks_over_time(mut self, intervals: usize) -> Profile {
        self.stack_intervals = Some(intervals);
        self
    }

    /// Also counts the samples by these keys, in [`Profiled::parts`](super::Profiled::parts); not with a histogram of the caller.
    ///
    /// At most 1048576 pairs of a part and a bucket are kept; samples beyond that are counted outside of the buckets of their part.
    #[must_use]
    pub fn keys(mut self, keys: &[SampleKey]) -> Profile {
        self.keys = keys.to_vec();
        self
    }

    /// Counts each sample as the events that it stands for, its period, in 64-bit buckets; not with a histogram of the caller.
    ///
    /// At a [frequency](Every::Frequency), the kernel changes the period as often as the event occurs more or less, so that the number of samples is not in proportion to the events.
    /// A tracepoint such as `sched:sched_stat_runtime` says itself for how many events it stands.
    /// A set's profile does so for every event at a frequency but clocks, and for tracepoints with a period of 1, unless it has flags; recorded samples need this call.
    #[must_use]
    #[doc(alias = "PERF_SAMPLE_PERIOD")]
    pub fn by_events(mut self) -> Profile {
        if let Buckets::Text(_, width) = &mut self.buckets {
            *width = BucketWidth::Bits64;
            self.by_events = true;
        }
        self
    }

    /// The flags with which samples are counted; they belong to one event, not to its set.
    #[must_use]
    pub fn flags(mut self, flags: Flags) -> Profile {
        self.flags = flags;
        self
    }

    /// The flags of a call to `PAPI_profil`: how samples are counted, whether overflows are found by software, and the width of the buckets.
    ///
    /// A [histogram](Profile::histogram) keeps the width of its own buckets.
    #[must_use]
    pub fn papi_flags(mut self, flags: PapiFlags) -> Profile {
        if let Buckets::Text(_, width) = &mut self.buckets {
            *width = flags.width;
        }
        self.flags(flags.flags).software(flags.force_software)
    }

    /// The random number generator, for the flags that need one.
    #[must_use]
    pub fn random(mut self, random: Random) -> Profile {
        self.random = random;
        self
    }

    /// Finds overflows by software, from the event's count every tenth of a millisecond, even if the event could be sampled.
    ///
    /// This is always used for events that are computed from several others and for those that the kernel cannot sample; it needs a period, not a frequency.
    #[must_use]
    #[doc(alias = "PAPI_PROFIL_FORCE_SW")]
    pub fn software(mut self, software: bool) -> Profile {
        self.software = software;
        self
    }

    /// Samples this term of a derived event by hardware, in place of the event itself.
    ///
    /// By default, an event of one term is sampled by that term; the overflows of an event of several terms are found by software if there is a period, and its first term is sampled if there is a frequency.
    /// [`Profiled::terms`](super::Profiled::terms) has the terms that were chosen.
    ///
    /// # Errors
    /// [`EventSet::open_profiles`](crate::EventSet::open_profiles) returns an error for a name that is not a term of the event; the error lists the terms.
    #[must_use]
    pub fn term(mut self, event: impl Into<String>) -> Profile {
        self.term = Some(event.into());
        self
    }

    /// The histogram that was passed to [`Profile::histogram`]; the buckets of [`Profile::shared_histogram`] are the caller's.
    pub fn into_histogram(self) -> Option<Histogram> {
        match self.buckets {
            Buckets::Histogram(histogram) => Some(*histogram),
            Buckets::Shared(_) | Buckets::Text(..) => None,
        }
    }

    /// A clone of a histogram of the caller that counts as this profile says.
    pub(crate) fn applied_to<B>(&self, histogram: &Histogram<B>, threshold: u64) -> Histogram<B>
    where
        B: counterpoint_profil::Buckets + Clone,
    {
        histogram.clone().with_flags(self.flags, threshold).with_random(self.random)
    }
}

/// The error of a profile that cannot be set, with the profile itself.
///
/// The operator `?` converts it to an [`Error`].
#[derive(thiserror::Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct NotProfiled {
    /// The error.
    #[source]
    pub error: Error,
    /// The profile that was passed to [`EventSet::profile`](crate::EventSet::profile); [`Profile::into_histogram`] returns its buckets.
    pub profile: Box<Profile>,
}

impl fmt::Debug for NotProfiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotProfiled").field("error", &self.error).finish_non_exhaustive()
    }
}

impl From<NotProfiled> for Error {
    fn from(failed: NotProfiled) -> Error {
        failed.error
    }
}

/// The profiles of the events of a set, each with the text with which its event was added, in the order in which they were set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profiles(Vec<(String, Profile)>);

impl Profiles {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(String, Profile)> {
        self.0.iter()
    }

    /// Sets the profile of an event in the place of its previous one, which is returned.
    pub(crate) fn set(&mut self, event: String, profile: Profile) -> Option<Profile> {
        match self.0.iter_mut().find(|(of, _)| *of == event) {
            Some((_, before)) => Some(std::mem::replace(before, profile)),
            None => {
                self.0.push((event, profile));
                None
            }
        }
    }

    pub(crate) fn remove(&mut self, event: &str) -> Option<Profile> {
        let place = self.0.iter().position(|(of, _)| of == event)?;
        Some(self.0.remove(place).1)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
