//! What kernels count.

/// Something of which a kernel has a known number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Instructions that retire.
    Instructions,
    /// Branches of every kind.
    Branches,
    /// Branches that depend on a condition.
    ConditionalBranches,
    /// Branches that are taken.
    TakenBranches,
    /// Branches that are predicted wrongly.
    BranchMisses,
    /// Instructions that load from memory.
    Loads,
    /// Instructions that store to memory.
    Stores,
    /// Loads that miss the data cache of this level, from 1.
    CacheMisses(u8),
    /// Loads that miss every cache.
    LastLevelMisses,
    /// Loads whose page is in no TLB, so that the page tables are walked.
    TlbMisses,
    /// Atomic operations.
    Atomics,
    /// Floating-point operations in single precision; an instruction has one for each element.
    SingleOperations,
    /// Floating-point operations in double precision; an instruction has one for each element.
    DoubleOperations,
    /// Floating-point operations of either precision.
    FpOperations,
    /// Vector instructions in double precision.
    VectorDoubles,
    /// Pages that are new when they are written to.
    PageFaults,
    /// Times when the thread leaves its CPU.
    ContextSwitches,
    /// Times when the thread moves to another CPU.
    Migrations,
    /// CPU time of the thread, in nanoseconds.
    CpuTime,
    /// System calls.
    SystemCalls,
}

impl Quantity {
    /// Its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Instructions => "instructions",
            Quantity::Branches => "branches",
            Quantity::ConditionalBranches => "conditional branches",
            Quantity::TakenBranches => "taken branches",
            Quantity::BranchMisses => "branch misses",
            Quantity::Loads => "loads",
            Quantity::Stores => "stores",
            Quantity::CacheMisses(1) => "misses of the L1 cache",
            Quantity::CacheMisses(2) => "misses of the L2 cache",
            Quantity::CacheMisses(3) => "misses of the L3 cache",
            Quantity::CacheMisses(_) => "misses of a cache",
            Quantity::LastLevelMisses => "misses of every cache",
            Quantity::TlbMisses => "TLB misses",
            Quantity::Atomics => "atomic operations",
            Quantity::SingleOperations => "single-precision operations",
            Quantity::DoubleOperations => "double-precision operations",
            Quantity::FpOperations => "floating-point operations",
            Quantity::VectorDoubles => "double-precision vector instructions",
            Quantity::PageFaults => "page faults",
            Quantity::ContextSwitches => "context switches",
            Quantity::Migrations => "migrations",
            Quantity::CpuTime => "nanoseconds of CPU time",
            Quantity::SystemCalls => "system calls",
        }
    }
}
