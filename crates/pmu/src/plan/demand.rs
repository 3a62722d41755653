//! The demands of events on counters and shared registers.

/// The demands of an event on the pass that it is counted in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Demand {
    /// The counters that can count it, one a bit. Of several free ones the highest is taken, so that a counter of fixed
    /// purpose belongs above the general ones.
    pub counters: u64,
    /// The values that it writes to registers that it shares with other events.
    pub claims: Vec<Claim>,
}

/// A value that an event needs in a register that is not a counter's own: two events of one pass that need different
/// values need two such registers.
///
/// The offcore response registers of Intel's processors are such: two of them, for any number of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Claim {
    /// The kind of register.
    pub register: u32,
    /// The number that the PMU has of it.
    pub copies: u32,
    /// The value that is written there.
    pub value: u64,
}

impl Demand {
    /// An event that these counters can count, without claims.
    pub fn on(counters: u64) -> Demand {
        Demand { counters, claims: Vec::new() }
    }
}
