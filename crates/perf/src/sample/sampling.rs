//! The request for samples: their contents, and when their reader is woken.

use std::ops::BitOr;

/// The contents of samples and when their reader is woken, the same for all events of a [`Sampler`](crate::Sampler).
///
/// [`Attr::every`](crate::Attr::every) determines how often an event is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampling {
    /// The contents of each sample.
    #[doc(alias = "sample_type")]
    pub fields: Fields,
    /// True to include records of mapped files, names, starts and ends of the target's threads.
    #[doc(alias = "mmap2")]
    #[doc(alias = "comm")]
    pub tasks: bool,
    /// True if the records of mapped files identify them by their build ids, where they have one; on Linux before 5.12, and else, by device and inode.
    #[doc(alias = "build_id")]
    pub build_ids: bool,
    /// True if the records of mapped files are also those of files that are not code: perf looks for unwind information in them.
    #[doc(alias = "mmap_data")]
    pub data_files: bool,
    /// True to include records of the times at which threads stop and begin to run on a CPU; they need [`Fields::TID`] and [`Fields::TIME`] to be decoded.
    #[doc(alias = "context_switch")]
    pub switches: bool,
    /// When a waiting reader is woken.
    pub wakeup: Wakeup,
    /// The parts of stacks that samples with [`Fields::CALLCHAIN`] or [`Fields::STACK_USER`] contain.
    pub stack: StackParts,
}

impl Sampling {
    /// Samples with `fields`; the reader is woken when a ring is half full.
    pub fn new(fields: Fields) -> Sampling {
        Sampling { fields, ..Sampling::default() }
    }
}

/// The parts of stacks that samples contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackParts {
    /// Leave the functions of the kernel out of call chains, as always for events that exclude the kernel.
    #[doc(alias = "exclude_callchain_kernel")]
    pub exclude_kernel: bool,
    /// Leave the functions of programs out of call chains, because they are found in another way.
    #[doc(alias = "exclude_callchain_user")]
    pub exclude_user: bool,
    /// The maximum number of frames of a call chain; 0 stands for the kernel's own, `/proc/sys/kernel/perf_event_max_stack`.
    #[doc(alias = "sample_max_stack")]
    pub max_frames: u16,
    /// The number of bytes of the user stack that are copied, a multiple of 8.
    #[doc(alias = "sample_stack_user")]
    pub copied_bytes: u16,
}

/// When a reader that waits for records is woken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wakeup {
    /// When a ring is half full.
    #[default]
    HalfFull,
    /// When a ring contains this many bytes; if that is more than its size, when it is full.
    #[doc(alias = "wakeup_watermark")]
    Bytes(u32),
    /// After this many samples; other records do not count.
    #[doc(alias = "wakeup_events")]
    Samples(u32),
}

/// A set of fields that a sample can contain (`perf_event_sample_format`).
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
    /// The time, in nanoseconds of the kernel's `perf` clock.
    #[doc(alias = "PERF_SAMPLE_TIME")]
    pub const TIME: Fields = Fields(1 << 2);
    /// The address of the data: of a page fault, a watched location, a precise load or store.
    #[doc(alias = "PERF_SAMPLE_ADDR")]
    pub const ADDR: Fields = Fields(1 << 3);
    /// The counts of the event and of the other events in its group.
    #[doc(alias = "PERF_SAMPLE_READ")]
    pub const READ: Fields = Fields(1 << 4);
    /// The call chain.
    #[doc(alias = "PERF_SAMPLE_CALLCHAIN")]
    pub const CALLCHAIN: Fields = Fields(1 << 5);
    /// The id of the event, for [`Sampler::event_ids`](crate::Sampler::event_ids).
    #[doc(alias = "PERF_SAMPLE_ID")]
    pub const ID: Fields = Fields(1 << 6);
    /// The id of the event that was opened, not of its copy in a child.
    #[doc(alias = "PERF_SAMPLE_STREAM_ID")]
    pub const STREAM_ID: Fields = Fields(1 << 9);
    /// The CPU.
    #[doc(alias = "PERF_SAMPLE_CPU")]
    pub const CPU: Fields = Fields(1 << 7);
    /// The number of events that this sample stands for.
    #[doc(alias = "PERF_SAMPLE_PERIOD")]
    pub const PERIOD: Fields = Fields(1 << 8);
    /// The fields of a tracepoint.
    #[doc(alias = "PERF_SAMPLE_RAW")]
    pub const RAW: Fields = Fields(1 << 10);
    /// The calls of user code that have not returned, as recorded by the processor (LBR).
    #[doc(alias = "PERF_SAMPLE_BRANCH_STACK")]
    #[doc(alias = "PERF_SAMPLE_BRANCH_CALL_STACK")]
    pub const BRANCH_STACK: Fields = Fields(1 << 11);
    /// The registers of user code that are needed to unwind its stack; on x86-64, arm64 and 64-bit RISC-V.
    #[doc(alias = "PERF_SAMPLE_REGS_USER")]
    pub const REGS_USER: Fields = Fields(1 << 12);
    /// A copy of the top of the user stack, of [`StackParts::copied_bytes`].
    #[doc(alias = "PERF_SAMPLE_STACK_USER")]
    pub const STACK_USER: Fields = Fields(1 << 13);
    /// The cost of the access, in a unit defined by the PMU, usually cycles.
    #[doc(alias = "PERF_SAMPLE_WEIGHT")]
    pub const WEIGHT: Fields = Fields(1 << 14);
    /// The same, with two shorter costs, in place of [`Fields::WEIGHT`] (Linux 5.12).
    #[doc(alias = "PERF_SAMPLE_WEIGHT_STRUCT")]
    pub const WEIGHT_STRUCT: Fields = Fields(1 << 24);
    /// The source of the data.
    #[doc(alias = "PERF_SAMPLE_DATA_SRC")]
    pub const DATA_SRC: Fields = Fields(1 << 15);
    /// The id of the event, at the same place in samples of all events.
    #[doc(alias = "PERF_SAMPLE_IDENTIFIER")]
    pub const IDENTIFIER: Fields = Fields(1 << 16);

    /// The abort of a hardware transaction, as the processor reports it.
    #[doc(alias = "PERF_SAMPLE_TRANSACTION")]
    pub const TRANSACTION: Fields = Fields(1 << 17);
    /// The registers at the time of the sample, of user code or of the kernel; they are not decoded.
    #[doc(alias = "PERF_SAMPLE_REGS_INTR")]
    pub const REGS_INTR: Fields = Fields(1 << 18);
    /// The physical address of the data.
    #[doc(alias = "PERF_SAMPLE_PHYS_ADDR")]
    pub const PHYS_ADDR: Fields = Fields(1 << 19);
    /// The control group, by its id.
    #[doc(alias = "PERF_SAMPLE_CGROUP")]
    pub const CGROUP: Fields = Fields(1 << 21);
    /// The size of the page of the data.
    #[doc(alias = "PERF_SAMPLE_DATA_PAGE_SIZE")]
    pub const DATA_PAGE_SIZE: Fields = Fields(1 << 22);
    /// The size of the page of the code.
    #[doc(alias = "PERF_SAMPLE_CODE_PAGE_SIZE")]
    pub const CODE_PAGE_SIZE: Fields = Fields(1 << 23);

    /// All fields that have a constant; the only other one is a part of a processor's trace, at the end of a sample.
    #[doc(alias = "PERF_SAMPLE_AUX")]
    pub const ALL: Fields = Fields(0x1ff_ffff & !(1 << 20));

    /// The bits for the kernel (`sample_type`).
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The set with these bits; `None` if there are bits without a constant.
    pub fn from_bits(bits: u64) -> Option<Fields> {
        (bits & !Fields::ALL.0 == 0).then_some(Fields(bits))
    }

    /// The fields of this set that are not in `other`.
    #[must_use]
    pub fn without(self, other: Fields) -> Fields {
        Fields(self.0 & !other.0)
    }

    /// Returns true if all of `other` are in this set.
    #[inline]
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
