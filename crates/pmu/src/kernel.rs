//! The events that Linux itself names: hardware, software and cache events.
//!
//! They need no table of a processor: the kernel maps them to whatever the machine has.
//! The facts are in `tables/kernel.txt`, which is read at compile time.

use std::fmt;

use crate::tables::hash::hash;

const TABLE: &str = include_str!("../tables/kernel.txt");

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

impl KernelEvent {
    const NONE: KernelEvent = KernelEvent {
        group: Group::Hardware,
        name: "",
        constant: "",
        config: 0,
        unit: Unit::Count,
        kernel_only: false,
        description: "",
        role: Role::Event,
        precise: false,
        in_libpfm: true,
        names: "",
    };
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

/// The table's lines, each taken apart.
pub(crate) static ROWS: [KernelEvent; count()] = read();

/// The hash of each name, its line, and which name of the line it is, of which the constant is the last; in the order of the
/// hashes.
static NAMES: [(u32, u8, u8); name_count()] = names();

const fn name_count() -> usize {
    let (mut line, mut count) = (0, 0);
    while line < ROWS.len() {
        let mut rest = ROWS[line].names;
        while !rest.is_empty() {
            rest = cut(rest, b',').1;
            count += 1;
        }
        count += 1;
        line += 1;
    }
    count
}

const fn names() -> [(u32, u8, u8); name_count()] {
    let mut names = [(0, 0, 0); name_count()];
    let (mut line, mut count) = (0, 0);
    while line < ROWS.len() {
        let (mut rest, mut nth, mut is_last) = (ROWS[line].names, 0, false);
        while !is_last {
            is_last = rest.is_empty();
            let (name, after) = if is_last { (ROWS[line].constant, "") } else { cut(rest, b',') };
            let named = (hash(name), line as u8, nth);
            let mut at = count;
            while at > 0 && names[at - 1].0 > named.0 {
                names[at] = names[at - 1];
                at -= 1;
            }
            names[at] = named;
            (rest, nth) = (after, nth + 1);
            count += 1;
        }
        line += 1;
    }
    names
}

const fn count() -> usize {
    let (mut rest, mut count) = (TABLE, 0);
    while !rest.is_empty() {
        let (line, after) = cut(rest, b'\n');
        count += row(line).is_some() as usize;
        rest = after;
    }
    count
}

const fn read() -> [KernelEvent; count()] {
    let (mut rest, mut read) = (TABLE, 0);
    let mut rows = [KernelEvent::NONE; count()];
    while !rest.is_empty() {
        let (line, after) = cut(rest, b'\n');
        if let Some(row) = row(line) {
            rows[read] = row;
            read += 1;
        }
        rest = after;
    }
    rows
}

/// The event of one line; `None` for comments and blank lines.
const fn row(line: &'static str) -> Option<KernelEvent> {
    let (facts, description) = cut(line, b'|');
    let (group, facts) = word(facts);
    let (group, role) = match group.as_bytes() {
        b"hardware" => (Group::Hardware, Role::Event),
        b"software" => (Group::Software, Role::Event),
        b"cache" => (Group::Cache, Role::Event),
        b"whole-cache" => (Group::Cache, Role::WholeCache),
        b"optional" => (Group::Hardware, Role::Optional),
        _ => return None,
    };
    let (config, facts) = word(facts);
    let (unit, facts) = word(facts);
    let (mut flags, facts) = word(facts);
    let (constant, facts) = word(facts);
    let (names, _) = word(facts);
    let Ok(config) = u64::from_str_radix(config.split_at(2).1, 16) else { return None };
    let unit = if let b"ns" = unit.as_bytes() { Unit::Nanoseconds } else { Unit::Count };
    let (name, _) = cut(names, b',');
    let description = description.trim_ascii();
    let none = KernelEvent::NONE;
    let mut row =
        KernelEvent { group, name, constant, config, unit, description, role, names, ..none };
    while !flags.is_empty() {
        let (flag, after) = cut(flags, b',');
        match flag.as_bytes() {
            b"kernel-only" => row.kernel_only = true,
            b"precise" => row.precise = true,
            b"not-libpfm" => row.in_libpfm = false,
            _ => {}
        }
        flags = after;
    }
    Some(row)
}

/// The text before and after a character; without the character all of it and nothing.
const fn cut(text: &'static str, at: u8) -> (&'static str, &'static str) {
    let mut end = 0;
    while end < text.len() && text.as_bytes()[end] != at {
        end += 1;
    }
    let (before, after) = text.split_at(end);
    if after.is_empty() { (before, after) } else { (before, after.split_at(1).1) }
}

/// The first word of a text, and the rest.
const fn word(text: &'static str) -> (&'static str, &'static str) {
    cut(text.trim_ascii_start(), b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_comment_or_an_event() {
        let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert_eq!(lines.count(), rows().count());
        assert_eq!(rows().filter(|event| event.role == Role::Optional).count(), 5);
        assert_eq!(rows().filter(|event| event.role == Role::WholeCache).count(), 7);
    }
}
