//! Sets of counters, a bit for each, and the registers that events share.

/// The bit of the first fixed counter.
pub const FIXED: u32 = 32;

/// The bit of Intel's counter of top-down slots, the fourth of the fixed ones.
///
/// In a group of perf_events it comes before the [metrics](METRIC).
pub const TOPDOWN_SLOTS: u32 = FIXED + 3;

/// The bit of the first top-down metric of Intel's processors, which are read beside the counter of slots.
pub const METRIC: u32 = 48;

/// The kinds of registers that events share, as [`Claim::register`](crate::plan::Claim::register).
pub mod registers {
    /// Intel's off-core response registers.
    pub const OFFCORE_RESPONSE: u32 = 0;
    /// Intel's threshold of load latencies.
    pub const LOAD_LATENCY: u32 = 1;
    /// Intel's choice of front-end events.
    pub const FRONTEND: u32 = 2;
    /// The privilege levels of all counters of a POWER processor.
    pub const LEVELS: u32 = 3;
}

/// The counters of a PMU, a bit for each; fixed ones from [`FIXED`] on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CounterSet {
    /// The counters that count many events.
    #[doc(alias = "num_cntrs")]
    pub general: u64,
    /// The counters that count one event each.
    #[doc(alias = "num_fixed_cntrs")]
    pub fixed: u64,
    /// Of the general ones, those that belong to the core's other thread while hyper-threading is on.
    pub other_thread: u64,
}

impl CounterSet {
    /// The set of these counters, fixed ones from [`FIXED`] on, none of which belongs to another thread.
    ///
    /// ```
    /// let set = counterpoint_pmu::counters::CounterSet::of(0x3_0000_000f);
    /// assert_eq!((set.general, set.fixed), (0xf, 0x3_0000_0000));
    /// ```
    pub fn of(counters: u64) -> CounterSet {
        let general = counters & ((1 << FIXED) - 1);
        CounterSet { general, fixed: counters & !general, other_thread: 0 }
    }
}
