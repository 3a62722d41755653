//! The numbers that libpfm gives to events, and how it spells their names.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use counterpoint_pmu::{Event, Machine, Pmu, PmuKind};

/// The events of a PMU with libpfm's numbers, in the order of the tables, or of the names if they are the kernel's.
pub fn events(pmu: &'static Pmu) -> impl Iterator<Item = (u32, Event)> {
    let mut events: Vec<Event> = pmu.all_events().collect();
    if pmu.kind == PmuKind::OsGeneric {
        events.sort_by(compare);
    }
    numbers(pmu).zip(events)
}

/// Which events of a PMU a machine has.
pub fn on(pmu: &'static Pmu, machine: &Machine) -> impl Fn(&Event) -> bool + use<> {
    // By their places in the tables: two events of a PMU may have one name.
    let place = |event: &Event| event.name.as_ptr().addr();
    let here: HashSet<usize> = pmu.events_on(machine).map(|event| place(&event)).collect();
    move |event| here.contains(&place(event))
}

/// The number of one event, without the list of all.
pub fn number_of(pmu: &'static Pmu, name: &'static str) -> Option<u32> {
    let position = pmu.position(name)?;
    let place = if pmu.kind == PmuKind::OsGeneric {
        let wanted = pmu.all_events().nth(position)?;
        // Of two events with one name the first comes first.
        let is_before = |(place, event): &(usize, Event)| {
            compare(event, &wanted).then(place.cmp(&position)).is_lt()
        };
        pmu.all_events().enumerate().filter(is_before).count()
    } else {
        position
    };
    known_number(pmu, place).or_else(|| numbers(pmu).nth(place))
}

/// The name of an event as libpfm has it.
pub fn spelling(event: &Event) -> Cow<'static, str> {
    if is_in_capitals(event) { event.name.to_ascii_uppercase().into() } else { event.name.into() }
}

/// The order of two events by their names as libpfm has them.
fn compare(one: &Event, other: &Event) -> Ordering {
    let bytes = |event: &Event| {
        let is_in_capitals = is_in_capitals(event);
        let name = event.name;
        name.bytes().map(move |byte| if is_in_capitals { byte.to_ascii_uppercase() } else { byte })
    };
    bytes(one).cmp(bytes(other))
}

/// perf's names for the kernel's events are in capitals.
fn is_in_capitals(event: &Event) -> bool {
    event.pmu.kind == PmuKind::OsGeneric && event.equiv.is_some()
}

/// The numbers of a PMU's events in the order of the tables, without an end: what libpfm does not have comes last.
fn numbers(pmu: &Pmu) -> impl Iterator<Item = u32> + use<> {
    let further = known_ranges(pmu).map(|range| *range.end() + 1).max().unwrap_or(0);
    known_ranges(pmu).flatten().chain(further..)
}

/// Those of the events that libpfm has, where they are not in that order.
fn known_ranges(pmu: &Pmu) -> impl Iterator<Item = RangeInclusive<u32>> + use<> {
    let wanted = hash(pmu.name.as_bytes(), 0, pmu.name.len());
    let same = NAMES.iter().filter(|(hash, _)| *hash == wanted);
    let own = same.map(|(_, line)| LINES[usize::from(*line)]).find_map(|(start, tab, end)| {
        let names = ORDER.get(start as usize..tab as usize)?;
        let is_own = names.split(',').any(|name| name == pmu.name);
        is_own.then(|| ORDER.get(tab as usize + 1..end as usize))?
    });
    own.unwrap_or_default().split_ascii_whitespace().map(|range| {
        let (from, till) = range.split_once('-').unwrap_or((range, range));
        from.parse().unwrap_or(0)..=till.parse().unwrap_or(0)
    })
}

/// The number at a place of the order, if libpfm has as many.
fn known_number(pmu: &Pmu, mut place: usize) -> Option<u32> {
    for range in known_ranges(pmu) {
        let count = (*range.end() + 1 - *range.start()) as usize;
        if place < count {
            return Some(*range.start() + place as u32);
        }
        place -= count;
    }
    None
}

/// For PMUs whose events libpfm does not have in the order of the tables: the PMUs, and the number of each event in that
/// order, which is that of the names, in any case. `3-5` stands for `3 4 5`.
const ORDER: &str = include_str!("order.txt");

/// The beginning, the tab and the end of each line, so that a program that asks for one event does not read
/// all of them.
static LINES: [(u32, u32, u32); line_count()] = lines();

const fn line_count() -> usize {
    let (mut at, mut count) = (0, 0);
    while at < ORDER.len() {
        count += (ORDER.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
}

const fn lines() -> [(u32, u32, u32); line_count()] {
    let mut lines = [(0, 0, 0); line_count()];
    let (mut at, mut count, mut start, mut tab) = (0, 0, 0, 0);
    while at < ORDER.len() {
        match ORDER.as_bytes()[at] {
            b'\t' => tab = at as u32,
            b'\n' => {
                lines[count] = (start, tab, at as u32);
                count += 1;
                start = at as u32 + 1;
            }
            _ => {}
        }
        at += 1;
    }
    lines
}

/// The hash of each PMU's name, and its line.
static NAMES: [(u32, u16); name_count()] = names();

const fn name_count() -> usize {
    let (mut line, mut count) = (0, 0);
    while line < LINES.len() {
        let (mut at, tab, _) = LINES[line];
        while at < tab {
            count += (ORDER.as_bytes()[at as usize] == b',') as usize;
            at += 1;
        }
        count += 1;
        line += 1;
    }
    count
}

const fn names() -> [(u32, u16); name_count()] {
    let mut names = [(0, 0); name_count()];
    let (mut line, mut count) = (0, 0);
    while line < LINES.len() {
        let (start, tab, _) = LINES[line];
        let (mut from, mut at) = (start as usize, start as usize);
        while at <= tab as usize {
            if at == tab as usize || ORDER.as_bytes()[at] == b',' {
                names[count] = (hash(ORDER.as_bytes(), from, at), line as u16);
                count += 1;
                from = at + 1;
            }
            at += 1;
        }
        line += 1;
    }
    names
}

/// FNV-1a, which is short enough for a constant.
const fn hash(bytes: &[u8], from: usize, till: usize) -> u32 {
    let (mut at, mut hash) = (from, 0x811c_9dc5_u32);
    while at < till {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_event_has_a_number_of_its_own() {
        for pmu in counterpoint_pmu::all() {
            let count = pmu.all_events().count();
            let numbers: BTreeSet<u32> = numbers(pmu).take(count).collect();
            assert_eq!(numbers.len(), count, "{}", pmu.name);
        }
        for line in ORDER.lines() {
            let (names, ranges) = line.split_once('\t').expect("a tab");
            for name in names.split(',') {
                let pmu = counterpoint_pmu::find(name).expect(name);
                let count = pmu.all_events().count();
                // None is left over.
                let known = ranges.split(' ').map(|range| match range.split_once('-') {
                    Some((from, till)) => {
                        till.parse::<usize>().expect("a number") + 1
                            - from.parse::<usize>().expect("a number")
                    }
                    None => 1,
                });
                assert!(known.sum::<usize>() <= count, "{name}");
            }
        }
    }
}
