//! The events of vendors that are built in, read in place.

use super::event::{self, Event};
use super::names;
use super::unit::CORE;
use crate::cpu::CpuId;
use crate::detect::is_any;
use crate::tables::layout::{Column, EventRows, Listing, MetricRows};
use crate::tables::table::Image;
use crate::tables::vendors::VENDORS;

/// The events of a processor, from the files of its vendor; a row of the maps of Linux and of Intel.
pub(crate) struct Processor {
    /// The files that they are from, and their release.
    pub(crate) source: &'static str,
    /// Words as in the lists of PMUs.
    pub(crate) machines: &'static str,
    pub(crate) image: Image,
    pub(crate) events: Listing<EventRows>,
    pub(crate) metrics: Listing<MetricRows>,
}

impl Processor {
    /// The events of each kind of core of a processor.
    pub(super) fn all(cpu: &CpuId) -> Vec<&'static Processor> {
        let processors = VENDORS.iter().flat_map(|vendor| vendor.processors);
        processors.filter(|processor| is_any(processor.machines, cpu)).collect()
    }

    pub(super) fn events(&'static self) -> impl Iterator<Item = Event> {
        (0..self.events.count).filter_map(|number| self.event(number))
    }

    pub(super) fn names(&'static self) -> impl Iterator<Item = &'static str> {
        (0..self.events.count).filter_map(|number| self.name(number))
    }

    /// The unit of each event, or the word for one that names no unit.
    pub(super) fn units(&'static self) -> impl Iterator<Item = &'static str> {
        let words = |number| self.text(self.events.of.words, number);
        (0..self.events.count).filter_map(words).filter_map(|words| words.split(' ').next())
    }

    /// The events with a name, however it is spelled.
    pub(super) fn named<'n>(&'static self, name: &'n str) -> impl Iterator<Item = Event> + use<'n> {
        let hash = names::short_hash(name).into();
        (self.first_from(hash)..self.events.count)
            .take_while(move |number| self.hash(*number) == hash)
            .filter(move |number| {
                self.name(*number).is_some_and(|known| names::is_alike(known, name))
            })
            .filter_map(|number| self.event(number))
    }

    /// The first event with this hash or a greater one. Hashes are spread evenly, so that their values tell where to look:
    /// a look-up in a process that just began reads few pages.
    fn first_from(&self, hash: u64) -> u32 {
        let (mut from, mut till) = (0, self.events.count);
        let (mut low, mut high) = (0, u64::from(u16::MAX));
        while from < till {
            let part = u64::from(till - from) * hash.saturating_sub(low) / (high - low).max(1);
            let place = from + (part as u32).min(till - from - 1);
            let found = self.hash(place);
            if found < hash {
                (from, low) = (place + 1, found);
            } else {
                (till, high) = (place, found);
            }
        }
        from
    }

    fn hash(&self, number: u32) -> u64 {
        let row =
            self.row(number).and_then(|row| self.events.of.hashes.get(self.image.numbers, row));
        row.unwrap_or(u64::MAX)
    }

    /// The row of an event.
    fn row(&self, number: u32) -> Option<usize> {
        let row = self.events.rows.get(self.image.numbers, number as usize)?;
        usize::try_from(row).ok()
    }

    fn name(&self, number: u32) -> Option<&'static str> {
        self.text(self.events.of.names, number)
    }

    fn text(&self, column: Column<3>, number: u32) -> Option<&'static str> {
        self.image.text(column.get(self.image.numbers, self.row(number)?)?)
    }

    fn event(&self, number: u32) -> Option<Event> {
        let (name, terms) = (self.name(number)?, self.text(self.events.of.terms, number)?);
        let mut event =
            Event { name: name.to_owned(), terms: terms.to_owned(), ..Event::default() };
        let mut words = self.text(self.events.of.words, number)?.split(' ');
        event.unit = words.next().filter(|unit| *unit != CORE).map(str::to_owned);
        for word in words {
            match word.split_once('=').unwrap_or((word, "")) {
                ("counters", text) => event.counters = hexadecimal(text),
                ("pebs", _) => event.is_precise = true,
                ("errata", numbers) => event.errata = Some(numbers.replace(',', ", ")),
                ("scale", text) => event.scale = event::scale(text),
                ("latency", text) => event.latency = text.parse().ok(),
                ("now", name) => {
                    event.is_deprecated = true;
                    event.successor = Some(name.to_owned());
                }
                ("deprecated", _) => event.is_deprecated = true,
                _ => {}
            }
        }
        Some(event)
    }
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
