//! The numbers of the format.

/// The first bytes of a file, in the byte order of the machine that wrote it.
pub(crate) const MAGIC: u64 = u64::from_ne_bytes(*b"PERFILE2");
/// The size of the header.
pub(crate) const HEADER: u64 = 104;
/// The size of the header of a recording that went through a pipe.
pub(crate) const PIPE_HEADER: u64 = 16;
/// An offset and a size.
pub(crate) const SECTION: u64 = 16;
/// The size of a record's header.
pub(crate) const RECORD: usize = 8;

/// The bits of the sections about the machine and the recording.
pub(crate) mod feature {
    pub(crate) const TRACING_DATA: u32 = 1;
    pub(crate) const BUILD_ID: u32 = 2;
    pub(crate) const HOSTNAME: u32 = 3;
    pub(crate) const OS_RELEASE: u32 = 4;
    pub(crate) const VERSION: u32 = 5;
    pub(crate) const ARCH: u32 = 6;
    pub(crate) const CPUS: u32 = 7;
    pub(crate) const CPUID: u32 = 9;
    pub(crate) const COMMAND_LINE: u32 = 11;
    pub(crate) const EVENTS: u32 = 12;
    pub(crate) const NUMA_TOPOLOGY: u32 = 14;
    /// There are data of a tracer.
    pub(crate) const AUXTRACE: u32 = 18;
    pub(crate) const SAMPLE_TIME: u32 = 21;
    pub(crate) const MEM_TOPOLOGY: u32 = 22;
    /// The last bit, which perf does not use: the rank and the number of ranks.
    pub(crate) const RANK: u32 = 255;
    /// The number of bits.
    pub(crate) const COUNT: u32 = 256;
}

/// The contents of samples and of trailers, as bits of an event's `sample_type`.
pub(crate) mod contents {
    pub(crate) const IP: u64 = 1 << 0;
    pub(crate) const TID: u64 = 1 << 1;
    pub(crate) const TIME: u64 = 1 << 2;
    pub(crate) const ADDR: u64 = 1 << 3;
    pub(crate) const ID: u64 = 1 << 6;
    pub(crate) const CPU: u64 = 1 << 7;
    pub(crate) const STREAM_ID: u64 = 1 << 9;
    pub(crate) const WEIGHT: u64 = 1 << 14;
    pub(crate) const DATA_SRC: u64 = 1 << 15;
    pub(crate) const IDENTIFIER: u64 = 1 << 16;
    pub(crate) const PHYS_ADDR: u64 = 1 << 19;
}

/// The types of records: those that perf adds to those of the kernel, and the kernel's samples.
pub(crate) mod kind {
    pub(crate) const SAMPLE: u32 = 9;
    /// The first one of perf.
    pub(crate) const FIRST: u32 = 64;
    pub(crate) const ATTR: u32 = 64;
    pub(crate) const EVENT_TYPE: u32 = 65;
    /// Descriptions of tracepoints that are behind the record, and not in it.
    pub(crate) const TRACING_DATA: u32 = 66;
    pub(crate) const BUILD_ID: u32 = 67;
    /// No earlier record is in the file after the next one of these.
    pub(crate) const FINISHED_ROUND: u32 = 68;
    pub(crate) const AUXTRACE_INFO: u32 = 70;
    /// Data that are behind the record, and not in it.
    pub(crate) const AUXTRACE: u32 = 71;
    pub(crate) const EVENT_UPDATE: u32 = 78;
    /// From the counter of the processor to times.
    pub(crate) const TIME_CONV: u32 = 79;
    pub(crate) const FEATURE: u32 = 80;
    pub(crate) const COMPRESSED: u32 = 81;
    pub(crate) const COMPRESSED2: u32 = 83;
}

/// The most events of a file; perf opens far fewer.
pub(crate) const MOST_EVENTS: u64 = 4096;

/// The most bytes of a section that is read: of ids, and of facts.
pub(crate) const MOST_SECTION: u64 = 16 << 20;
