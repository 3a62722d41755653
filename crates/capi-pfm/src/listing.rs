//! The events of a PMU by libpfm's numbers, with their C strings.

use std::ffi::CString;

use counterpoint_capi::{Lasting, order, text};
use counterpoint_pmu::{Attribute, Event, Layer, Machine, Pmu};

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
        let is_here = order::on(pmu, machine);
        let mut listed: Vec<Option<Listed>> = Vec::new();
        let mut by_name = Vec::new();
        for (number, event) in order::events(pmu) {
            by_name.push((event.name.as_ptr().addr(), number));
            if !is_here(&event) {
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
            name: text::owned(&order::spelling(&self.event)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_the_machine_are_listed_where_it_has_them() {
        let perf = counterpoint_pmu::find("perf").expect("the kernel's PMU");
        let names = |machine: &Machine| -> Vec<&str> {
            let listing = Listing::of(perf, machine);
            listing.events.iter().flatten().map(|listed| listed.event.name).collect()
        };
        let own = ["slots", "topdown-retiring", "topdown-bad-spec"];
        let mut machine = Machine::default();
        assert!(own.iter().all(|name| !names(&machine).contains(name)));
        machine.core_events = own.map(str::to_owned).to_vec();
        let listed = names(&machine);
        assert!(own.iter().all(|name| listed.contains(name)), "{listed:?}");
    }

    #[test]
    fn the_number_of_one_event_is_that_of_the_list() {
        let machine = Machine::default();
        for pmu in counterpoint_pmu::all() {
            let listing = Listing::of(pmu, &machine);
            // Long tables are looked at here and there.
            let step = (pmu.all_events().count() / 20).max(1);
            for event in pmu.all_events().step_by(step) {
                let number = order::number_of(pmu, event.name);
                assert!(number.is_some(), "{}::{}", pmu.name, event.name);
                assert_eq!(number, listing.number(event.name), "{}::{}", pmu.name, event.name);
            }
        }
    }
}
