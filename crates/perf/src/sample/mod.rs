//! Sampling: what a sample holds, the rings it comes through, and the records in them.

mod overflow;
mod reader;
pub mod records;
mod ring;
mod sampler;

pub use overflow::Overflow;
pub use reader::Reader;
pub use sampler::{Drained, Numbers, Sampler, Woken};

use std::ops::BitOr;

/// What a sample holds and when its reader is woken: the same for all events of a [`Sampler`].
///
/// How often an event is sampled is [`Attr::every`](crate::Attr::every).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampling {
    /// What each sample holds.
    #[doc(alias = "sample_type")]
    pub fields: Fields,
    /// With records of mapped files, names, starts and ends of the target's threads.
    #[doc(alias = "mmap2")]
    #[doc(alias = "comm")]
    pub tasks: bool,
    /// When a waiting reader is woken.
    pub wake: Wake,
}

impl Sampling {
    /// Samples that hold `fields`; the reader is woken when a ring is half full.
    pub fn new(fields: Fields) -> Sampling {
        Sampling { fields, ..Sampling::default() }
    }
}

/// When a reader is woken that waits for records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wake {
    /// When a ring is half full.
    #[default]
    HalfFull,
    /// When so many bytes are in a ring; more than it holds is when it is full.
    #[doc(alias = "wakeup_watermark")]
    Bytes(u32),
    /// After so many samples; other records do not count.
    #[doc(alias = "wakeup_events")]
    Samples(u32),
}

/// A set of things that a sample can hold (`perf_event_sample_format`).
///
/// ```
/// use counterpoint_perf::Fields;
/// let fields = Fields::IP | Fields::TID;
/// assert!(fields.contains(Fields::IP) && !fields.contains(Fields::TIME));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "PERF_SAMPLE")]
pub struct Fields(u64);

impl Fields {
    /// The address of the instruction.
    #[doc(alias = "PERF_SAMPLE_IP")]
    pub const IP: Fields = Fields(1 << 0);
    /// The process and the thread.
    #[doc(alias = "PERF_SAMPLE_TID")]
    pub const TID: Fields = Fields(1 << 1);
    /// When, in nanoseconds of the kernel's `perf` clock.
    #[doc(alias = "PERF_SAMPLE_TIME")]
    pub const TIME: Fields = Fields(1 << 2);
    /// The address of the data: of a page fault, a watched place, a precise load or store.
    #[doc(alias = "PERF_SAMPLE_ADDR")]
    pub const ADDR: Fields = Fields(1 << 3);
    /// The counts of the event and of those in its group.
    #[doc(alias = "PERF_SAMPLE_READ")]
    pub const READ: Fields = Fields(1 << 4);
    /// The addresses from which it was called.
    #[doc(alias = "PERF_SAMPLE_CALLCHAIN")]
    pub const CALLCHAIN: Fields = Fields(1 << 5);
    /// The number of the event, for [`Sampler::numbers`].
    #[doc(alias = "PERF_SAMPLE_ID")]
    pub const ID: Fields = Fields(1 << 6);
    /// The CPU.
    #[doc(alias = "PERF_SAMPLE_CPU")]
    pub const CPU: Fields = Fields(1 << 7);
    /// How many events this sample stands for.
    #[doc(alias = "PERF_SAMPLE_PERIOD")]
    pub const PERIOD: Fields = Fields(1 << 8);
    /// What the access cost, in the PMU's own unit, mostly cycles.
    #[doc(alias = "PERF_SAMPLE_WEIGHT")]
    pub const WEIGHT: Fields = Fields(1 << 14);
    /// Where the data came from, as bits of `union perf_mem_data_src`.
    #[doc(alias = "PERF_SAMPLE_DATA_SRC")]
    pub const DATA_SRC: Fields = Fields(1 << 15);

    const KNOWN: u64 = 0b1100_0001_1111_1111;

    /// The kernel's bits (`sample_type`).
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The set with these bits; `None` if there are others than the constants have.
    pub fn from_bits(bits: u64) -> Option<Fields> {
        (bits & !Fields::KNOWN == 0).then_some(Fields(bits))
    }

    /// Whether all of `other` are in this set.
    pub fn contains(self, other: Fields) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Fields {
    type Output = Fields;

    fn bitor(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }
}
