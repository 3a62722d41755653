//! The source of the data of an access, in words.

use std::fmt;

/// The source of the data of an access, as the processor reported it: the bits of `union perf_mem_data_src`.
///
/// Each part is a text, which is empty if the processor did not report the part.
///
/// ```
/// use counterpoint_perf::records::DataSource;
///
/// let source = DataSource(0x6810_0142);
/// assert_eq!((source.operation(), source.level()), ("load".to_owned(), "L1 hit".to_owned()));
/// assert_eq!((source.tlb(), source.is_locked()), ("L1 or L2 hit".to_owned(), Some(false)));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "PERF_SAMPLE_DATA_SRC")]
pub struct DataSource(pub u64);

/// The words of bits, from the lowest one up.
type Names = &'static [&'static str];

const OPERATION: Names = &["", "load", "store", "prefetch", "code"];
const LEVEL: Names = &[
    "L1",
    "LFB",
    "L2",
    "L3",
    "local RAM",
    "remote RAM, 1 hop",
    "remote RAM, 2 hops",
    "remote cache, 1 hop",
    "remote cache, 2 hops",
    "I/O",
    "uncached",
];
/// A number, and no bits; those without a word are not known, or stand for nothing.
const LEVEL_NUMBER: [&str; 16] = [
    "",
    "L1",
    "L2",
    "L3",
    "L4",
    "L2 MHB",
    "MSC",
    "L0",
    "uncached",
    "CXL",
    "I/O",
    "any cache",
    "LFB",
    "RAM",
    "PMEM",
    "",
];
/// How far away a remote level is, by number.
const HOPS: [&str; 8] = ["", "same node", "same socket", "same board", "other board", "", "", ""];
const SNOOP: Names = &["", "none", "hit", "miss", "HitM"];
const SNOOP_MORE: Names = &["forwarded", "peer"];
const TLB: Names = &["L1", "L2", "walker", "fault handler"];
const BLOCKED: Names = &["", "data", "address"];
/// What follows the levels of caches and of TLBs.
const OUTCOME: Names = &["", "hit", "miss"];

impl DataSource {
    /// The kind of the access: `load`, `store`, `prefetch`, `code`.
    pub fn operation(self) -> String {
        joined(words(self.bits(0, 5), OPERATION))
    }

    /// Where the data were found or missed, such as `L1 hit`, `local RAM hit` or `remote RAM, same socket hit`.
    pub fn level(self) -> String {
        let mut levels = words(self.bits(8, 11), LEVEL);
        let number = LEVEL_NUMBER[self.bits(33, 4) as usize];
        let is_remote = self.bits(37, 1) != 0;
        let hops = HOPS[self.bits(43, 3) as usize];
        // Processors report a level in both forms.
        let is_there = levels.iter().any(|level| level.contains(number));
        let apart = match (is_remote, hops) {
            _ if number.is_empty() || (is_there && hops.is_empty()) => None,
            (false, "") => Some(number.to_owned()),
            (true, "") => Some(format!("remote {number}")),
            (_, hops) => Some(format!("remote {number}, {hops}")),
        };
        levels.extend(apart);
        with_outcome(levels, self.bits(5, 3))
    }

    /// What the snoops of other caches found: `none`, `hit`, `miss`, `HitM` (hit of a modified line), `forwarded`, `peer`.
    pub fn snoop(self) -> String {
        let more = words(self.bits(38, 2), SNOOP_MORE);
        joined([words(self.bits(19, 5), SNOOP), more].concat())
    }

    /// Where the translation of the address was found or missed, such as `L1 or L2 hit`.
    pub fn tlb(self) -> String {
        with_outcome(words(self.bits(29, 4), TLB), self.bits(26, 3))
    }

    /// Whether the access was locked; `None` if the processor did not report it.
    pub fn is_locked(self) -> Option<bool> {
        let bits = self.bits(24, 2);
        (self.0 != 0 && bits & 1 == 0).then_some(bits & 2 != 0)
    }

    /// Why a load had to wait: `data` that could not be forwarded, or the `address` of an earlier store.
    pub fn blocked(self) -> String {
        joined(words(self.bits(40, 3), BLOCKED))
    }

    fn bits(self, from: u32, count: u32) -> u64 {
        self.0 >> from & ((1 << count) - 1)
    }
}

/// The parts that the processor reported.
impl fmt::Debug for DataSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let locked = self.is_locked().filter(|is| *is).map_or("", |_| "locked");
        let snoop = Some(self.snoop()).filter(|text| !text.is_empty());
        let tlb = Some(self.tlb()).filter(|text| !text.is_empty());
        let parts = [
            self.operation(),
            self.level(),
            snoop.map_or(String::new(), |text| format!("snoop {text}")),
            tlb.map_or(String::new(), |text| format!("TLB {text}")),
            locked.to_owned(),
            self.blocked(),
        ];
        let parts: Vec<&str> =
            parts.iter().map(String::as_str).filter(|of| !of.is_empty()).collect();
        write!(f, "DataSource({})", parts.join("; "))
    }
}

/// The words of the bits that are set.
fn words(bits: u64, names: Names) -> Vec<String> {
    let set =
        names.iter().enumerate().filter(|(bit, name)| bits >> bit & 1 != 0 && !name.is_empty());
    set.map(|(_, name)| (*name).to_owned()).collect()
}

fn joined(words: Vec<String>) -> String {
    words.join(" or ")
}

fn with_outcome(levels: Vec<String>, bits: u64) -> String {
    let outcome = words(bits, OUTCOME).join(" and ");
    match (joined(levels), outcome) {
        (levels, outcome) if levels.is_empty() => outcome,
        (levels, outcome) if outcome.is_empty() => levels,
        (levels, outcome) => format!("{levels} {outcome}"),
    }
}
