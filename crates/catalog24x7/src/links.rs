use crate::catalog::Catalog;
use crate::records::{Domain, Event, Group};
use crate::schema::Field;
use std::collections::BTreeMap;

/// Follows the indexes and names of a catalog as real catalogs mean them.
///
/// The document's reading of an index is the place among all records; that is the raw number of the record.
/// Real catalogs count from the first record of the same domain, and a core event's primary group is the number of the hardware group.
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
    first_events: BTreeMap<Domain, u32>,
    first_groups: BTreeMap<Domain, u32>,
    /// The field of each counter that a slot may be, by schema and number, sorted.
    counters: Vec<(u8, u16, u16)>,
    /// Where the records of core groups begin, with the first group of each place, sorted.
    core_groups: Vec<(u16, u32)>,
    /// The names of events with their places, sorted; those without a name that can be read are not there.
    names: Vec<(&'c [u8], u32)>,
    formulas_are_there: bool,
}

/// A slot of a group that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Which of the sixteen it is.
    pub slot: usize,
    /// The event's index as it stands there.
    pub index: u16,
    /// Which event of the catalog it is, if there is such an event.
    pub event: Option<usize>,
    /// The counter of the group's schema that belongs to the slot, if there is one.
    pub counter: Option<Field>,
}

/// How a variant of an event differs; the names of variants are the event's name and a suffix.
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

    /// The suffixes of its names.
    pub fn suffixes(self) -> &'static [&'static str] {
        match self {
            Variant::User => &["_USER"],
            Variant::Kernel => &["_KERNEL"],
            Variant::LastSample => &["_LAST_SAMPLE", "_SAMPLE"],
        }
    }
}

impl<'c> Links<'c> {
    /// Looks at what there is.
    pub fn new(catalog: &'c Catalog) -> Links<'c> {
        let names = catalog.events.iter().zip(0..).filter_map(|(event, index)| {
            let name = event.name.as_ref()?.as_bytes();
            (!name.is_empty()).then_some((name, index))
        });
        let mut names: Vec<(&[u8], u32)> = names.collect();
        // Real catalogs have them sorted in runs, which this sort makes use of.
        names.sort();
        Links {
            catalog,
            first_events: firsts(catalog.events.iter().map(|event| event.domain)),
            first_groups: firsts(catalog.groups.iter().map(|group| group.domain)),
            counters: counters(catalog),
            core_groups: core_groups(catalog),
            names,
            formulas_are_there: catalog.events.iter().any(|event| event.formula_index != 0),
        }
    }

    /// The event that an index among those of a domain means.
    pub fn event(&self, domain: Domain, index: u16) -> Option<usize> {
        let place = *self.first_events.get(&domain)? as usize + usize::from(index);
        (self.catalog.events.get(place)?.domain == domain).then_some(place)
    }

    /// The group that an index among those of a domain means.
    pub fn group(&self, domain: Domain, index: u16) -> Option<usize> {
        let place = *self.first_groups.get(&domain)? as usize + usize::from(index);
        (self.catalog.groups.get(place)?.domain == domain).then_some(place)
    }

    /// The slots of a group that are in use and not free.
    pub fn slots(&self, group: &'c Group) -> impl Iterator<Item = Slot> + '_ {
        let indexes = group.event_indexes.iter().take(usize::from(group.event_count)).enumerate();
        indexes.filter(|(_, index)| **index != Group::FREE).map(move |(slot, index)| Slot {
            slot,
            index: *index,
            event: self.event(group.domain, *index),
            counter: self.counter(group.schema_index, slot as u16 + 1),
        })
    }

    /// The field of a schema that is this counter.
    fn counter(&self, schema: u8, number: u16) -> Option<Field> {
        let key = |(schema, number, _): &(u8, u16, u16)| (*schema, *number);
        let place = self.counters.binary_search_by_key(&(schema, number), key).ok()?;
        let (_, _, field) = self.counters.get(place)?;
        self.catalog.schemas.get(usize::from(schema))?.fields.get(usize::from(*field)).copied()
    }

    /// The index of an event's formula: none where the catalog is older than that field (every event says 0), nor where it says 0xffff.
    pub fn formula(&self, event: &Event) -> Option<u16> {
        let there = self.formulas_are_there && event.formula_index != Event::NO_FORMULA;
        there.then_some(event.formula_index)
    }

    /// The primary group of an event: that of the hardware group number for core events, by index in the domain for others.
    pub fn primary_group(&self, event: &Event) -> Option<usize> {
        if event.group_record_length == 0 {
            return None;
        }
        if event.domain != Domain::CORE {
            return self.group(event.domain, event.primary_group_index);
        }
        let begin = event.primary_group_index.checked_mul(event.group_record_length)?;
        let place = self.core_groups.binary_search_by_key(&begin, |(offset, _)| *offset).ok()?;
        self.core_groups.get(place).map(|(_, group)| *group as usize)
    }

    /// The first event of a name.
    pub fn by_name(&self, wanted: &str) -> Option<usize> {
        let place = self.names.partition_point(|(name, _)| *name < wanted.as_bytes());
        let (name, index) = self.names.get(place)?;
        (*name == wanted.as_bytes()).then_some(*index as usize)
    }

    /// The variant of an event, by its place in the catalog.
    pub fn variant(&self, event: usize, variant: Variant) -> Option<usize> {
        let event = self.catalog.events.get(event)?;
        let base = event.name()?;
        let same_domain = |place: &usize| {
            self.catalog.events.get(*place).is_some_and(|v| v.domain == event.domain)
        };
        let names = variant.suffixes().iter().map(|suffix| format!("{base}{suffix}"));
        names.filter_map(|name| self.by_name(&name)).find(same_domain)
    }

    /// Each event whose name an earlier one has, with the first of that name, in the order of the catalog.
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

/// The counters of the schemas that a group can name, those that a slot may be; of several fields of a kind the first.
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

/// Where the records of core groups begin, with the first group of each place.
fn core_groups(catalog: &Catalog) -> Vec<(u16, u32)> {
    let groups = catalog.groups.iter().enumerate();
    let core = groups.filter(|(_, group)| group.domain == Domain::CORE);
    let mut places: Vec<(u16, u32)> =
        core.map(|(index, group)| (group.group_record_offset, index as u32)).collect();
    places.sort_unstable();
    places.dedup_by_key(|(offset, _)| *offset);
    places
}

/// The place of the first record of each domain.
fn firsts(domains: impl Iterator<Item = Domain>) -> BTreeMap<Domain, u32> {
    let mut firsts = BTreeMap::new();
    for (index, domain) in domains.enumerate() {
        firsts.entry(domain).or_insert(index as u32);
    }
    firsts
}
