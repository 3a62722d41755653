//! An access to data.

use counterpoint_perf::records::{DataSource, Sample};

/// An access to data that was sampled: a load or a store, or a page fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// The address of the data; 0 if it is not known.
    pub address: u64,
    /// The size of its page in bytes, if it is known.
    pub page_bytes: Option<u64>,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The time of the sample; the last of all if it has none.
    pub time: u64,
    /// The CPU.
    pub cpu: Option<u32>,
    /// The physical address of the data, if it was sampled.
    pub physical: Option<u64>,
    /// Where the data was found; nothing is known of a page fault.
    pub source: DataSource,
    /// The cost in the unit of the processor, usually cycles; `None` if it was not measured.
    #[doc(alias = "weight")]
    pub latency: Option<u64>,
    /// The number of events that the sample stands for.
    pub period: u64,
    /// Its part of the sum by which rows are ordered: as with perf the latency, which is at least 1, or the period where latencies are not sampled.
    pub cost: u64,
}

/// The first address of the kernel.
const KERNEL: u64 = 1 << 63;

impl Access {
    /// The access that a sample is; `None` if it was taken without addresses of data.
    pub fn of(sample: &Sample<'_>) -> Option<Access> {
        let is_known = |number: &u64| *number != 0;
        let period = sample.period.unwrap_or(1).max(1);
        Some(Access {
            address: sample.addr?,
            page_bytes: sample.data_page_size.filter(is_known),
            pid: sample.pid.unwrap_or(0),
            tid: sample.tid.unwrap_or(0),
            time: sample.time.unwrap_or(u64::MAX - 1),
            cpu: sample.cpu,
            physical: sample.phys_addr.filter(is_known),
            source: sample.data_src.unwrap_or_default(),
            latency: sample.weight.filter(is_known),
            period,
            cost: sample.weight.map_or(period, |weight| weight.max(1)),
        })
    }

    /// Returns true if the data is the kernel's.
    pub fn is_kernel(&self) -> bool {
        self.address >= KERNEL
    }
}
