//! The records that the indexes and names of a catalog refer to.

use crate::catalog::{Catalog, Reading};
use crate::records::{Domain, Event, Group};
use crate::schema::Field;
use std::collections::BTreeMap;

/// Resolves the indexes and names of a catalog.
///
/// The document defines an index as the position among all records; this is the raw index of the record.
/// Real catalogs count from the first record of the same domain, and a core event's primary group is the number of the hardware group.
/// Unless the catalog has a [`Reading`], the one is used by which more groups and events have the same record; if both agree equally, that of real catalogs.
///
/// ```
/// use counterpoint_catalog24x7::{CatalogBuilder, Domain, Event, Group, Links};
///
/// let catalog = CatalogBuilder::new(1)
///     .event(Event::new("PM_CYC", Domain::CORE))
///     .event(Event::new("CHIP_CYC", Domain::CHIP))
///     .group(Group::new("CHIP", Domain::CHIP, &[0]))
///     .build()?;
/// let links = Links::new(&catalog);
/// let slot = links.slots(&catalog.groups[0]).next().unwrap();
/// assert_eq!((slot.index, slot.event), (0, links.by_name("CHIP_CYC")));
/// # Ok::<(), counterpoint_catalog24x7::EncodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Links<'c> {
    catalog: &'c Catalog,
    reading: Reading,
    first_events: BTreeMap<Domain, u32>,
    first_groups: BTreeMap<Domain, u32>,
    /// The field of each counter that a slot can belong to, by schema and number, sorted.
    counters: Vec<(u8, u16, u16)>,
    /// The offsets of the records of core groups, each with the first group at that offset, sorted.
    core_groups: Vec<(u16, u32)>,
    /// The names of events with their positions, sorted; events without a readable name are omitted.
    names: Vec<(&'c [u8], u32)>,
    formulas_are_there: bool,
}

/// A slot of a group that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The index of the slot, 0 to 15.
    pub slot: usize,
    /// The raw index of the event.
    pub index: u16,
    /// The position of the event in the catalog, if it exists.
    pub event: Option<usize>,
    /// The counter of the group's schema that belongs to the slot, if it exists.
    pub counter: Option<Field>,
}

/// The kind of a variant of an event; the name of a variant is the event's name and a suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Counted in user state: `_USER`.
    User,
    /// Counted in kernel state: `_KERNEL`.
    Kernel,
    /// The increment of the last sample: `_LAST_SAMPLE` in real catalogs, `_SAMPLE` in the document.
    LastSample,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Variant; 3] = [Variant::User, Variant::Kernel, Variant::LastSample];

    /// The suffixes that denote it in names.
    pub fn suffixes(self) -> &'static [&'static str] {
        match self {
            Variant::User => &["_USER"],
            Variant::Kernel => &["_KERNEL"],
            Variant::LastSample => &["_LAST_SAMPLE", "_SAMPLE"],
        }
    }
}

impl<'c> Links<'c> {
    /// Indexes the catalog.
    pub fn new(catalog: &'c Catalog) -> Links<'c> {
        let names = catalog.events.iter().zip(0..).filter_map(|(event, index)| {
            let name = event.name.as_ref()?.as_bytes();
            (!name.is_empty()).then_some((name, index))
        });
        let mut names: Vec<(&[u8], u32)> = names.collect();
        // In real catalogs the names form sorted runs, of which this sort takes advantage. It leaves equal names in order.
        names.sort_by_key(|(name, _)| *name);
        let mut links = Links {
            catalog,
            reading: Reading::Domain,
            first_events: firsts(catalog.events.iter().map(|event| event.domain)),
            first_groups: firsts(catalog.groups.iter().map(|group| group.domain)),
            counters: counters(catalog),
            core_groups: core_groups(catalog),
            names,
            formulas_are_there: catalog.events.iter().any(|event| event.formula_index != 0)
                // A single formula may be the one of every event.
                || catalog.formulas.len() == 1,
        };
        links.reading = catalog.reading.unwrap_or_else(|| links.better_reading());
        links
    }

    /// From where indexes count.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    fn better_reading(&mut self) -> Reading {
        let agreeing = [Reading::Domain, Reading::Document].map(|reading| {
            self.reading = reading;
            self.agreeing()
        });
        if agreeing[1] > agreeing[0] { Reading::Document } else { Reading::Domain }
    }

    /// The number of events that have the record of the group that lists them, or that they name.
    fn agreeing(&self) -> usize {
        let is_same = |group: &Group, event: &Event| {
            let of_group = (group.domain, group.group_record_offset, group.group_record_length);
            of_group == (event.domain, event.group_record_offset, event.group_record_length)
        };
        let listed = self.catalog.groups.iter().map(|group| {
            let events = self.slots(group).filter_map(|slot| self.catalog.events.get(slot.event?));
            events.filter(|event| is_same(group, event)).count()
        });
        let named = self.catalog.events.iter().filter(|event| {
            let group = self.primary_group(event).and_then(|at| self.catalog.groups.get(at));
            group.is_some_and(|group| is_same(group, event))
        });
        listed.sum::<usize>() + named.count()
    }

    /// The event with this index in a record of a domain.
    pub fn event(&self, domain: Domain, index: u16) -> Option<usize> {
        let place = self.first(*self.first_events.get(&domain)?) + usize::from(index);
        (self.catalog.events.get(place)?.domain == domain).then_some(place)
    }

    /// The record that indexes count from, where the first record of the domain is.
    fn first(&self, of_domain: u32) -> usize {
        match self.reading {
            Reading::Domain => of_domain as usize,
            Reading::Document => 0,
        }
    }

    /// The group with this index in a record of a domain.
    pub fn group(&self, domain: Domain, index: u16) -> Option<usize> {
        let place = self.first(*self.first_groups.get(&domain)?) + usize::from(index);
        (self.catalog.groups.get(place)?.domain == domain).then_some(place)
    }

    /// The slots of a group that are in use.
    pub fn slots(&self, group: &'c Group) -> impl Iterator<Item = Slot> + '_ {
        let indexes = group.event_indexes.iter().take(usize::from(group.event_count)).enumerate();
        indexes.filter(|(_, index)| **index != Group::FREE).map(move |(slot, index)| Slot {
            slot,
            index: *index,
            event: self.event(group.domain, *index),
            counter: self.counter(group.schema_index, slot as u16 + 1),
        })
    }

    /// The field of a schema for this counter.
    fn counter(&self, schema: u8, number: u16) -> Option<Field> {
        let key = |(schema, number, _): &(u8, u16, u16)| (*schema, *number);
        let place = self.counters.binary_search_by_key(&(schema, number), key).ok()?;
        let (_, _, field) = self.counters.get(place)?;
        self.catalog.schemas.get(usize::from(schema))?.fields.get(usize::from(*field)).copied()
    }

    /// The index of an event's formula; `None` if it is 0xffff, or if the catalog is older than this field (the index is 0 for every event).
    pub fn formula(&self, event: &Event) -> Option<u16> {
        let there = self.formulas_are_there && event.formula_index != Event::NO_FORMULA;
        there.then_some(event.formula_index)
    }

    /// The primary group of an event: in real catalogs by the number of the hardware group for core events, otherwise by its index.
    pub fn primary_group(&self, event: &Event) -> Option<usize> {
        if event.group_record_length == 0 {
            return None;
        }
        if event.domain != Domain::CORE || self.reading == Reading::Document {
            return self.group(event.domain, event.primary_group_index);
        }
        let begin = event.primary_group_index.checked_mul(event.group_record_length)?;
        let place = self.core_groups.binary_search_by_key(&begin, |(offset, _)| *offset).ok()?;
        self.core_groups.get(place).map(|(_, group)| *group as usize)
    }

    /// The first event with a name.
    pub fn by_name(&self, wanted: &str) -> Option<usize> {
        let place = self.names.partition_point(|(name, _)| *name < wanted.as_bytes());
        let (name, index) = self.names.get(place)?;
        (*name == wanted.as_bytes()).then_some(*index as usize)
    }

    /// A variant of an event, both given by their position in the catalog.
    pub fn variant(&self, event: usize, variant: Variant) -> Option<usize> {
        let event = self.catalog.events.get(event)?;
        let base = event.name()?;
        let same_domain = |place: &usize| {
            self.catalog.events.get(*place).is_some_and(|v| v.domain == event.domain)
        };
        let names = variant.suffixes().iter().map(|suffix| format!("{base}{suffix}"));
        names.filter_map(|name| self.by_name(&name)).find(same_domain)
    }

    /// Each event with the name of an earlier one, and the first event with that name, in the order of the catalog.
    pub(crate) fn duplicates(&self) -> Vec<(usize, usize)> {
        let mut duplicates = Vec::new();
        for same in self.names.chunk_by(|a, b| a.0 == b.0) {
            if let Some(((_, first), others)) = same.split_first() {
                duplicates
                    .extend(others.iter().map(|(_, other)| (*other as usize, *first as usize)));
            }
        }
        duplicates.sort_unstable();
        duplicates
    }
}

/// The counters in the schemas that a group can refer to, limited to those that a slot can have; for several fields of one kind, the first.
fn counters(catalog: &Catalog) -> Vec<(u8, u16, u16)> {
    let mut counters = Vec::new();
    for (schema, number) in catalog.schemas.iter().zip(0..=u8::MAX) {
        let mut seen = [false; 17];
        for (field, place) in schema.fields.iter().zip(0..) {
            let kind = field.kind.0;
            match seen.get_mut(usize::from(kind)) {
                Some(seen @ false) if kind > 0 => {
                    *seen = true;
                    counters.push((number, kind, place));
                }
                _ => {}
            }
        }
    }
    counters.sort_unstable();
    counters
}

/// The offsets of the records of core groups, each with the first group at that offset.
fn core_groups(catalog: &Catalog) -> Vec<(u16, u32)> {
    let groups = catalog.groups.iter().enumerate();
    let core = groups.filter(|(_, group)| group.domain == Domain::CORE);
    let mut places: Vec<(u16, u32)> =
        core.map(|(index, group)| (group.group_record_offset, index as u32)).collect();
    places.sort_unstable();
    places.dedup_by_key(|(offset, _)| *offset);
    places
}

/// The position of the first record of each domain.
fn firsts(domains: impl Iterator<Item = Domain>) -> BTreeMap<Domain, u32> {
    let mut firsts = BTreeMap::new();
    let mut last = None;
    for (domain, index) in domains.zip(0..) {
        // The records of a domain follow each other in most catalogs.
        if last.replace(domain) != Some(domain) {
            firsts.entry(domain).or_insert(index);
        }
    }
    firsts
}
