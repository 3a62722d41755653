//! The events that Linux itself names: hardware, software and cache events.
//!
//! They need no table of a processor: the kernel maps them to whatever the machine has.
//! The facts are in `tables/kernel.txt`, from which the build script makes the statics.

use std::fmt;

use crate::tables::hash::hash;

// `ROWS`, every line of the table taken apart; and `NAMES`: the hash of each name, its line, and which name of the line it is,
// of which the constant is the last, in the order of the hashes.
include!(concat!(env!("OUT_DIR"), "/kernel.rs"));

/// The kernel event with this name, in perf's spelling or the kernel's constant, in any case.
///
/// A cache event's constant is libpfm's: `PERF_COUNT_HW_CACHE_L1D:READ:MISS`. Its name may also be put
/// together as perf takes it: `LLC-misses`, `l1d-read-refs`; reads and accesses are the default.
///
/// ```
/// use counterpoint_pmu::kernel;
///
/// let clock = kernel::find("Task-Clock").unwrap();
/// assert_eq!((clock.group.kind(), clock.config), (1, 1));
/// assert_eq!(clock.constant, "PERF_COUNT_SW_TASK_CLOCK");
/// assert_eq!(clock.unit, kernel::Unit::Nanoseconds);
/// assert!(kernel::find("cs").unwrap().kernel_only);
/// assert_eq!(kernel::find("LLC-misses").unwrap().name, "LLC-load-misses");
/// ```
pub fn find(name: &str) -> Option<KernelEvent> {
    let mut events = called(name).map(|(row, _)| *row).filter(|row| row.role == Role::Event);
    events.next().or_else(|| find_cache(name))
}

/// The lines of the table with this constant, or this name of perf's, in any case, and how they spell it.
pub(crate) fn called(
    name: &str,
) -> impl Iterator<Item = (&'static KernelEvent, &'static str)> + Clone {
    let wanted = hash(name);
    let start = NAMES.partition_point(|(hash, ..)| *hash < wanted);
    let same = NAMES[start..].iter().take_while(move |(hash, ..)| *hash == wanted);
    let named = same.filter_map(|&(_, line, nth)| {
        let row = &ROWS[usize::from(line)];
        Some((row, row.names().chain([row.constant]).nth(nth.into())?))
    });
    named.filter(move |(_, known)| known.eq_ignore_ascii_case(name))
}

/// Every event of the kernel: hardware, then software, then cache events.
pub fn all() -> impl Iterator<Item = KernelEvent> {
    rows().filter(|event| event.role == Role::Event).copied()
}

/// An event that the kernel names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelEvent {
    /// Which of the kernel's lists it belongs to; decides `perf_event_attr.type`.
    pub group: Group,
    /// The name that perf prints, such as `L1-dcache-load-misses`.
    pub name: &'static str,
    /// The kernel's constant, such as `PERF_COUNT_SW_TASK_CLOCK`; for cache events libpfm's
    /// `PERF_COUNT_HW_CACHE_L1D:READ:MISS`.
    pub constant: &'static str,
    /// `perf_event_attr.config`.
    pub config: u64,
    /// The unit of one count.
    pub unit: Unit,
    /// Happens in the kernel alone: counted with the kernel excluded it gives a constant, false 0.
    pub kernel_only: bool,
    /// A description in one line.
    pub description: &'static str,
    pub(crate) role: Role,
    pub(crate) precise: bool,
    pub(crate) in_libpfm: bool,
    names: &'static str,
}

impl KernelEvent {
    /// perf's names for it, the preferred one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split(',')
    }

    /// perf's other names for it: `cs` for `context-switches`.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names().skip(1)
    }

    /// `perf_event_attr.type`.
    pub fn kind(&self) -> u32 {
        self.group.kind()
    }
}

impl fmt::Display for KernelEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Which of the kernel's lists an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// Counted by the processor, by a mapping of the kernel's.
    #[doc(alias = "PERF_TYPE_HARDWARE")]
    Hardware,
    /// Counted by the kernel itself.
    #[doc(alias = "PERF_TYPE_SOFTWARE")]
    Software,
    /// A cache, an operation and a result, counted by the processor.
    #[doc(alias = "PERF_TYPE_HW_CACHE")]
    Cache,
}

impl Group {
    /// `perf_event_attr.type` of its events.
    pub fn kind(self) -> u32 {
        match self {
            Group::Hardware => 0,
            Group::Software => 1,
            Group::Cache => 3,
        }
    }
}

/// The unit of one count of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// One occurrence.
    Count,
    /// A nanosecond.
    Nanoseconds,
}

/// The kind of a line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An event of the kernel's.
    Event,
    /// A cache before an operation and a result are chosen.
    WholeCache,
    /// A raw event that exists where the processor's sysfs directory names it.
    Optional,
}

/// Every line of the table.
pub(crate) fn rows() -> impl Iterator<Item = &'static KernelEvent> + Clone {
    ROWS.iter()
}

/// The names in constants of perf's words for an operation or a result.
const CACHE_WORDS: [(&str, &[&str]); 5] = [
    ("READ", &["load", "loads", "read"]),
    ("WRITE", &["store", "stores", "write"]),
    ("PREFETCH", &["prefetch", "prefetches"]),
    ("ACCESS", &["refs", "reference", "ops", "access"]),
    ("MISS", &["misses", "miss"]),
];

/// A cache, then an operation, a result or both in either order, as perf puts them together.
fn find_cache(name: &str) -> Option<KernelEvent> {
    // Vendors' names, which are looked up more often, have these or points.
    if name.contains(['.', '_', ':']) {
        return None;
    }
    let after = |word: &str| {
        let (start, rest) = name.split_at_checked(word.len())?;
        rest.strip_prefix('-').filter(|_| start.eq_ignore_ascii_case(word))
    };
    let whole = rows().filter(|row| row.role == Role::WholeCache);
    let mut split = whole.filter_map(|row| Some((row, row.names().find_map(after)?)));
    let (cache, words) = split.next()?;
    let (mut operation, mut result) = (None, None);
    for word in words.split('-') {
        let is_meant = |known: &&str| known.eq_ignore_ascii_case(word);
        let (meant, _) = CACHE_WORDS.iter().find(|(_, words)| words.iter().any(is_meant))?;
        let place = if ["ACCESS", "MISS"].contains(meant) { &mut result } else { &mut operation };
        if place.replace(*meant).is_some() {
            return None;
        }
    }
    let constant = [cache.constant, operation.unwrap_or("READ"), result.unwrap_or("ACCESS")];
    all().find(|event| event.constant.split(':').eq(constant))
}
