//! Where the data of an access was found.

use std::fmt;

/// Where the data of an access was found, and what it cost: the bits of `union perf_mem_data_src`, of which each may say that it is not known.
///
/// ```
/// use counterpoint_perf::records::{DataSource, Operation, Snoop};
/// // A load that found its line changed by another core, in the third cache.
/// let source = DataSource::from_bits(2 | (2 | 0x40) << 5 | 0x10 << 19 | 2 << 26 | 0x18 << 26);
/// assert_eq!(source.operation(), Some(Operation::Load));
/// assert_eq!(source.level().unwrap().to_string(), "L3 hit");
/// assert_eq!(source.snoop(), Some(Snoop::HitModified));
/// assert_eq!(source.tlb().unwrap(), "L1 or L2 hit");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "perf_mem_data_src")]
pub struct DataSource(u64);

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// It reads data.
    Load,
    /// It writes data.
    Store,
    /// It reads and writes, as some processors say of every access that may do both.
    LoadStore,
    /// It fetches data that may be needed.
    Prefetch,
    /// It reads instructions.
    Execute,
}

/// What other caches said when an access asked them for its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Snoop {
    /// None was asked.
    None,
    /// None has the line.
    Miss,
    /// One has it.
    Hit,
    /// One has it, and has changed it.
    #[doc(alias = "HITM")]
    HitModified,
    /// One has it and passed it on.
    Forward,
    /// One of the same level had it.
    Peer,
}

/// A place of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MemoryPlace {
    /// The cache of this level, from 1.
    Cache(u8),
    /// The buffer of lines that are on the way to the first cache.
    LineFillBuffer,
    /// A cache whose level is not known.
    AnyCache,
    /// Memory.
    Memory,
    /// Memory that keeps its data without power.
    PersistentMemory,
    /// Memory behind a CXL link.
    Cxl,
    /// A device.
    Io,
    /// Memory that is not cached.
    Uncached,
}

/// Where the data of an access was found, or was not.
///
/// It is shown in the words of perf, such as `L1 hit`, `Local RAM hit` and `Remote Cache (1 hop) hit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryLevel {
    /// The place; `None` if only it is known whether it was found, or that it is not here.
    pub place: Option<MemoryPlace>,
    /// The number of steps to another node or socket, 0 if it is not said, or `None` if it is of this one.
    pub remote: Option<u8>,
    /// False if it was looked for there and not found; `None` if it is not known.
    pub is_hit: Option<bool>,
}

impl DataSource {
    /// The source with these bits.
    pub fn from_bits(bits: u64) -> DataSource {
        DataSource(bits)
    }

    /// Its bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    fn field(self, shift: u32, bits: u32) -> u64 {
        self.0 >> shift & ((1 << bits) - 1)
    }

    /// What the access does.
    pub fn operation(self) -> Option<Operation> {
        let field = self.field(0, 5);
        let has = |bit| field & bit != 0;
        match () {
            () if has(0x10) => Some(Operation::Execute),
            () if has(0x8) => Some(Operation::Prefetch),
            () if has(0x2) && has(0x4) => Some(Operation::LoadStore),
            () if has(0x2) => Some(Operation::Load),
            () if has(0x4) => Some(Operation::Store),
            () => None,
        }
    }

    /// Where the data was found. Of the two fields that say it, the older one knows whether memory and caches are of this node, and the newer one knows more levels.
    pub fn level(self) -> Option<MemoryLevel> {
        let field = self.field(5, 14);
        let has = |bit| field & bit != 0;
        let is_hit = match (has(0x2), has(0x4)) {
            (false, false) => None,
            (hit, _) => Some(hit),
        };
        let old = OLD_LEVELS.iter().find(|(bit, ..)| has(*bit));
        let (place, remote) = match old {
            Some((_, place, remote)) => (Some(*place), remote.or(self.hops())),
            None => (self.new_place(), self.hops()),
        };
        let level = MemoryLevel { place, remote, is_hit };
        (level != MemoryLevel { place: None, remote: None, is_hit: None }).then_some(level)
    }

    /// The place by the newer field.
    fn new_place(self) -> Option<MemoryPlace> {
        match self.field(33, 4) {
            level @ 1..=4 => Some(MemoryPlace::Cache(level as u8)),
            0x8 => Some(MemoryPlace::Uncached),
            0x9 => Some(MemoryPlace::Cxl),
            0xa => Some(MemoryPlace::Io),
            0xb => Some(MemoryPlace::AnyCache),
            0xc => Some(MemoryPlace::LineFillBuffer),
            0xd => Some(MemoryPlace::Memory),
            0xe => Some(MemoryPlace::PersistentMemory),
            _ => None,
        }
    }

    /// The number of steps to where it is, if that is not here.
    fn hops(self) -> Option<u8> {
        (self.field(37, 1) != 0).then(|| self.field(43, 3) as u8)
    }

    /// What other caches said.
    pub fn snoop(self) -> Option<Snoop> {
        let (field, more) = (self.field(19, 5), self.field(38, 2));
        match () {
            () if field & 0x10 != 0 => Some(Snoop::HitModified),
            () if more & 2 != 0 => Some(Snoop::Peer),
            () if more & 1 != 0 => Some(Snoop::Forward),
            () if field & 0x4 != 0 => Some(Snoop::Hit),
            () if field & 0x8 != 0 => Some(Snoop::Miss),
            () if field & 0x2 != 0 => Some(Snoop::None),
            () => None,
        }
    }

    /// Where the translation of the address was found, in the words of perf, such as `L1 or L2 hit`; empty if it is not known.
    pub fn tlb(self) -> Option<String> {
        let field = self.field(26, 7);
        let names = [(0x8, "L1"), (0x10, "L2"), (0x20, "Walker"), (0x40, "Fault")];
        let places: Vec<&str> =
            names.iter().filter(|(bit, _)| field & bit != 0).map(|(_, name)| *name).collect();
        let outcome = match field & 0x6 {
            0x4 => " miss",
            0 => "",
            _ => " hit",
        };
        let text = format!("{}{outcome}", places.join(" or "));
        Some(text.trim_start().to_string()).filter(|text| !text.is_empty())
    }

    /// Why a load had to wait, in the words of perf: `Data` that could not be forwarded, or the `Addr` of an earlier store; `None` if it did not, or if it is not known.
    pub fn blocked(self) -> Option<&'static str> {
        match self.field(40, 3) {
            field if field & 2 != 0 => Some("Data"),
            field if field & 4 != 0 => Some("Addr"),
            _ => None,
        }
    }

    /// True if the access locked the line; `None` if it is not known.
    pub fn is_locked(self) -> Option<bool> {
        let field = self.field(24, 2);
        (self.0 != 0 && field & 1 == 0).then_some(field & 2 != 0)
    }
}

/// The bits of the older field of levels, the one that counts first.
const OLD_LEVELS: [(u64, MemoryPlace, Option<u8>); 11] = [
    (0x8, MemoryPlace::Cache(1), None),
    (0x10, MemoryPlace::LineFillBuffer, None),
    (0x20, MemoryPlace::Cache(2), None),
    (0x40, MemoryPlace::Cache(3), None),
    (0x80, MemoryPlace::Memory, None),
    (0x100, MemoryPlace::Memory, Some(1)),
    (0x200, MemoryPlace::Memory, Some(2)),
    (0x400, MemoryPlace::AnyCache, Some(1)),
    (0x800, MemoryPlace::AnyCache, Some(2)),
    (0x1000, MemoryPlace::Io, None),
    (0x2000, MemoryPlace::Uncached, None),
];

impl MemoryLevel {
    fn place(self) -> String {
        let hops = match self.remote {
            None | Some(0) => String::new(),
            Some(1) => " (1 hop)".to_string(),
            Some(hops) => format!(" ({hops} hops)"),
        };
        let (cache, ram) = match self.remote {
            None => ("Any cache", "Local RAM"),
            Some(_) => ("Remote Cache", "Remote RAM"),
        };
        let remote = if self.remote.is_some() { "Remote " } else { "" };
        match self.place {
            None => format!("{remote}{hops}").trim_end().to_string(),
            Some(MemoryPlace::Cache(level)) => format!("{remote}L{level}{hops}"),
            Some(MemoryPlace::LineFillBuffer) => "LFB/MAB".to_string(),
            Some(MemoryPlace::AnyCache) => format!("{cache}{hops}"),
            Some(MemoryPlace::Memory) => format!("{ram}{hops}"),
            Some(MemoryPlace::PersistentMemory) => format!("{remote}PMEM{hops}"),
            Some(MemoryPlace::Cxl) => format!("{remote}CXL{hops}"),
            Some(MemoryPlace::Io) => "I/O".to_string(),
            Some(MemoryPlace::Uncached) => "Uncached".to_string(),
        }
    }
}

impl fmt::Display for MemoryLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match self.is_hit {
            None => "",
            Some(true) => " hit",
            Some(false) => " miss",
        };
        f.write_str(format!("{}{outcome}", self.place()).trim_start())
    }
}

impl Operation {
    /// Its name: `load`, `store` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Load => "load",
            Operation::Store => "store",
            Operation::LoadStore => "load or store",
            Operation::Prefetch => "prefetch",
            Operation::Execute => "execute",
        }
    }

    /// Returns true if it may write.
    pub fn writes(self) -> bool {
        matches!(self, Operation::Store | Operation::LoadStore)
    }
}

impl Snoop {
    /// Its name in the words of perf: `None`, `Miss`, `Hit`, `HitM`, `Fwd` and `Peer`.
    pub fn name(self) -> &'static str {
        match self {
            Snoop::None => "None",
            Snoop::Miss => "Miss",
            Snoop::Hit => "Hit",
            Snoop::HitModified => "HitM",
            Snoop::Forward => "Fwd",
            Snoop::Peer => "Peer",
        }
    }
}
