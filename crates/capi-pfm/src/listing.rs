//! The events of a PMU by libpfm's numbers, with their C strings.

use std::borrow::Cow;
use std::ffi::CString;

use counterpoint_capi::{Lasting, text};
use counterpoint_pmu::{Attribute, Event, Layer, Machine, Pmu, PmuKind};

/// For PMUs whose events libpfm does not have in the order of their names: the PMUs, and the number of each event in
/// the order of the names. `3-5` stands for `3 4 5`.
const ORDER: &str = include_str!("order.txt");

/// The events of a PMU.
pub(crate) struct Listing {
    /// By their numbers, which have gaps.
    events: Box<[Option<Listed>]>,
    /// The number of each event by the address of its name, in the order of the addresses.
    by_name: Box<[(usize, u32)]>,
}

/// An event of the list.
pub(crate) struct Listed {
    pub(crate) event: Event,
    strings: Lasting<EventStrings>,
    attributes: [Lasting<Box<[ListedAttribute]>>; 3],
}

/// The strings of an event.
pub(crate) struct EventStrings {
    pub(crate) name: CString,
    pub(crate) description: CString,
    pub(crate) equiv: Option<CString>,
}

/// An attribute of an event, with its strings.
pub(crate) struct ListedAttribute {
    pub(crate) attribute: Attribute,
    pub(crate) name: CString,
    pub(crate) description: CString,
    pub(crate) equiv: Option<CString>,
}

impl Listing {
    pub(crate) fn of(pmu: &'static Pmu, machine: &Machine) -> Listing {
        let here: Vec<&str> = pmu.events_on(machine).map(|event| event.name).collect();
        let mut events: Vec<Event> = pmu.all_events().collect();
        events.sort_by_key(spelling);
        let mut listed: Vec<Option<Listed>> = Vec::new();
        let mut by_name = Vec::new();
        for (event, number) in events.into_iter().zip(numbers(pmu)) {
            by_name.push((event.name.as_ptr().addr(), number));
            if !here.iter().any(|name| std::ptr::eq(*name, event.name)) {
                continue;
            }
            let place = number as usize;
            if listed.len() <= place {
                listed.resize_with(place + 1, || None);
            }
            listed[place] = Some(Listed::of(event));
        }
        by_name.sort_unstable();
        Listing { events: listed.into(), by_name: by_name.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.iter().flatten().count()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Listed> {
        self.events.get(number as usize)?.as_ref()
    }

    /// The number of the first event from this number on.
    pub(crate) fn from(&self, number: u32) -> Option<u32> {
        let rest = self.events.get(number as usize..)?;
        rest.iter().position(Option::is_some).map(|further| number + further as u32)
    }

    /// The number of the event with this name, which comes from the tables.
    pub(crate) fn number(&self, name: &'static str) -> Option<u32> {
        let address = name.as_ptr().addr();
        let found = self.by_name.binary_search_by_key(&address, |(address, _)| *address);
        found.ok().map(|place| self.by_name[place].1)
    }
}

impl Listed {
    fn of(event: Event) -> Listed {
        Listed { event, strings: Lasting::new(), attributes: [const { Lasting::new() }; 3] }
    }

    pub(crate) fn strings(&self) -> &'static EventStrings {
        self.strings.get_or_make(|| EventStrings {
            name: text::owned(&spelling(&self.event)),
            description: text::owned(self.event.description().unwrap_or_default()),
            equiv: self.event.equiv.map(text::owned),
        })
    }

    pub(crate) fn attributes(&self, layer: Layer, machine: &Machine) -> &'static [ListedAttribute] {
        self.attributes[layer as usize].get_or_make(|| {
            let attributes = self.event.attributes(layer, machine).into_iter();
            attributes.map(ListedAttribute::of).collect()
        })
    }
}

impl ListedAttribute {
    fn of(attribute: Attribute) -> ListedAttribute {
        ListedAttribute {
            name: text::owned(attribute.name),
            description: text::owned(attribute.description().unwrap_or_default()),
            equiv: attribute.equiv.map(text::owned),
            attribute,
        }
    }
}

/// The number of one event, without the list of all.
pub(crate) fn number_of(pmu: &'static Pmu, name: &'static str) -> Option<u32> {
    let is_it = |event: &Event| std::ptr::eq(event.name, name);
    let wanted = spelling(&pmu.all_events().find(is_it)?);
    let (mut before, mut is_before) = (0, true);
    // Of two events with one name the first comes first.
    for event in pmu.all_events() {
        is_before &= !is_it(&event);
        let spelled = spelling(&event);
        before += usize::from(spelled < wanted || is_before && spelled == wanted);
    }
    numbers(pmu).nth(before)
}

/// The name of an event as libpfm has it: perf's names for the kernel's events are in capitals.
fn spelling(event: &Event) -> Cow<'static, str> {
    match event.pmu.kind == PmuKind::OsGeneric && event.equiv.is_some() {
        true => event.name.to_ascii_uppercase().into(),
        false => event.name.into(),
    }
}

/// The numbers of a PMU's events in the order of their names, without an end: what libpfm does not have comes last.
fn numbers(pmu: &Pmu) -> impl Iterator<Item = u32> + use<> {
    let line = ORDER.lines().filter_map(|line| line.split_once('\t'));
    let own = line.clone().find(|(names, _)| names.split(',').any(|name| name == pmu.name));
    let ranges = own.map_or("", |(_, ranges)| ranges).split_ascii_whitespace();
    let known = ranges.flat_map(|range| {
        let (from, till) = range.split_once('-').unwrap_or((range, range));
        from.parse::<u32>().unwrap_or(0)..=till.parse().unwrap_or(0)
    });
    let further = known.clone().max().map_or(0, |last| last + 1);
    known.chain(further..)
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
