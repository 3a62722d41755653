//! Facts about likwid's names: those of processors, of their events, and of the boxes outside the cores.
//!
//! The files of `tables/likwid` have them, each with a description of its form at the top.

use counterpoint_pmu::syntax::{Term, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

static NAMES: &str = include_str!("../../tables/likwid/names.txt");
static BOXES: &str = include_str!("../../tables/likwid/boxes.txt");
static FOLDERS: &str = include_str!("../../tables/likwid/folders.txt");

/// likwid's folder of group files, such as `skylakeX`, for the processors with a PMU of the tables; `None` if likwid has
/// none for them, or if several processors with this PMU have folders of their own.
///
/// ```
/// use counterpoint::metrics::likwid_folder;
/// assert_eq!(likwid_folder("skx"), Some("skylakeX"));
/// assert_eq!(likwid_folder("amd64_k8_revg"), Some("k8"));
/// assert_eq!(likwid_folder("sparc"), None);
/// ```
#[cfg(feature = "definitions")]
pub fn likwid_folder(pmu: &str) -> Option<&'static str> {
    let mut lines = lines(FOLDERS).filter_map(|line| line.split_once(' '));
    lines.find(|(pattern, _)| is_like(pmu, pattern)).map(|(_, folder)| folder)
}

/// The events that likwid's name of a core event stands for on a PMU, if they are not the vendor's name.
pub(crate) fn core_events(pmu: &str, name: &str) -> impl Iterator<Item = &'static str> {
    /// The events of each name, with the patterns of their PMUs.
    static EVENTS: LazyLock<HashMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
        let (mut events, mut pmus) = (HashMap::<_, Vec<_>>::new(), "");
        for line in lines(NAMES) {
            if let Some(patterns) = line.strip_prefix('[') {
                pmus = patterns.trim_end_matches(']');
            } else if let Some((name, event)) = line.split_once(' ') {
                events.entry(name).or_default().push((pmus, event));
            }
        }
        events
    });
    let applies = |pmus: &str| pmus.split(' ').any(|pattern| is_like(pmu, pattern));
    let events = EVENTS.get(name).into_iter().flatten();
    events.filter(move |(pmus, _)| applies(pmus)).map(|(_, event)| *event)
}

/// A kind of box, such as `mbox`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The kernel's PMUs, without the numbers of boxes.
    devices: &'static str,
    /// The boxes in words, or the reason why perf does not count them.
    pub(crate) words: &'static str,
    events: &'static str,
}

/// One box, or all of a kind if likwid does not number them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Box {
    pub(crate) kind: Kind,
    pub(crate) number: Option<usize>,
}

impl Box {
    /// The box that likwid's terms mean: `mbox3`, and a name in capital letters between the slashes.
    pub(crate) fn of_terms(pmu: &str, terms: &[Term]) -> Option<Box> {
        let is_likwids = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let event = event_of(terms.first()?);
        let is_event = !event.is_empty() && event.chars().all(is_likwids);
        let named = kinds().find_map(|kind| {
            let number = pmu.strip_prefix(kind.name)?;
            let is_whole = number.chars().all(|c| c.is_ascii_digit());
            let number = if number.is_empty() { None } else { Some(number.parse().ok()?) };
            is_whole.then_some(Box { kind, number })
        });
        named.filter(|_| is_event)
    }
}

impl Kind {
    /// The names of the kernel's PMUs, of which a machine has one; none if perf does not count such boxes.
    pub(crate) fn devices(self) -> impl Iterator<Item = &'static str> {
        self.devices.split(' ').filter(|device| *device != "-")
    }

    /// The events for which an event of the boxes may stand, in the order of preference.
    pub(crate) fn events(self, name: &str) -> Vec<&str> {
        let mut known = self.events.lines().filter_map(|line| line.trim_start().split_once(' '));
        match known.find(|(known, _)| *known == name) {
            Some((_, events)) => events.split(' ').collect(),
            None => vec![name],
        }
    }

    /// Returns true if values are in the unit of sysfs; the others are counts, which likwid's formulas multiply themselves.
    pub(crate) fn is_scaled(self) -> bool {
        self.name == "pwr"
    }
}

/// The name of a term, without likwid's options.
pub(crate) fn event_of(term: &Term) -> &str {
    term.name.split(':').next().unwrap_or_default()
}

fn kinds() -> impl Iterator<Item = Kind> {
    // The events of a kind reach to the next line that does not begin with a tab.
    BOXES.match_indices('\n').filter_map(|(at, _)| {
        let rest = &BOXES[at + 1..];
        let head = rest.lines().next()?;
        let mut parts = head.split(" | ");
        let (name, devices, words) = (parts.next()?, parts.next()?, parts.next()?);
        let events = &rest[(head.len() + 1).min(rest.len())..];
        let end = events.split_inclusive('\n').take_while(|line| line.starts_with('\t'));
        let events = &events[..end.map(str::len).sum()];
        (!head.starts_with(['#', '\t'])).then_some(Kind { name, devices, words, events })
    })
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// Returns true if a name is the pattern, or begins like one that ends with `*`.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// Returns true if a name is another one with `_` for `.` and `:`; case is ignored.
pub(crate) fn is_spelled(name: &str, likwids: &str) -> bool {
    let plain = |c: char| if matches!(c, '.' | ':') { '_' } else { c.to_ascii_uppercase() };
    name.chars().map(plain).eq(likwids.chars().map(|c| c.to_ascii_uppercase()))
}

/// A term that is only a name.
pub(crate) fn flag(name: &str) -> Term {
    Term { name: name.to_string(), value: Value::Flag, span: 0..0, value_span: 0..0 }
}
