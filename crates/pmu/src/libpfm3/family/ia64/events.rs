//! The facts of the tables about an event of an IA-64 PMU.

use crate::libpfm3::table::Row;

/// Which sampling hardware an event drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    BranchBuffer,
    /// Instruction event address registers, with their mode.
    InstructionEar(u32),
    /// Data event address registers, with their mode.
    DataEar(u32),
}

/// The restriction of the prefetches of an event by a code range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefetch {
    No,
    Yes,
    /// Fetches or prefetches, as the request chooses.
    Either,
}

/// The caches whose events exclude each other by sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cache {
    None,
    L1d,
    L2,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub code: u8,
    /// Four bits for counters; event address registers use up to eight.
    pub umask: u8,
    /// Counters that may hold it, as bits.
    pub counters: u64,
    pub kind: Kind,
    /// True if code ranges, opcode matchers and data ranges restrict it.
    pub by_code: bool,
    pub by_opcode: bool,
    pub by_data: bool,
    pub cache: Cache,
    pub set: u8,
    /// Instructions retired: which pair of debug registers tags them.
    pub retired: Option<u8>,
    /// Tagged instructions retired: their pair, whose tags an opcode matcher restricts.
    pub tags: Option<u8>,
    pub prefetch: Prefetch,
    /// Only one event of this kind can be counted.
    pub cancel: bool,
    pub mesi: bool,
    /// Counts cycles, with or without qualification.
    pub cycles: bool,
}

impl Facts {
    pub(super) fn parse(row: &Row) -> Facts {
        let words = row.words;
        let small = |key: &str| words.number(key) as u8;
        let optional = |key: &str| words.get(key).map(|_| small(key));
        Facts {
            code: row.code as u8,
            umask: small("umask"),
            counters: words.number("counters"),
            kind: match (words.get("iear"), words.get("dear")) {
                (Some(_), _) => Kind::InstructionEar(small("iear").into()),
                (_, Some(_)) => Kind::DataEar(small("dear").into()),
                _ if words.has("btb") => Kind::BranchBuffer,
                _ => Kind::Normal,
            },
            by_code: words.has("iarr"),
            by_opcode: words.has("opcm"),
            by_data: words.has("darr"),
            cache: match (words.get("l1d"), words.get("l2")) {
                (Some(_), _) => Cache::L1d,
                (_, Some(_)) => Cache::L2,
                _ => Cache::None,
            },
            set: optional("l1d").or(optional("l2")).unwrap_or(0),
            retired: optional("retired").or(optional("tagged")),
            tags: optional("tagged"),
            prefetch: match (words.has("prefetch"), words.has("either")) {
                (true, _) => Prefetch::Yes,
                (_, true) => Prefetch::Either,
                _ => Prefetch::No,
            },
            cancel: words.has("cancel"),
            mesi: words.has("mesi"),
            cycles: words.has("cycles"),
        }
    }
}
