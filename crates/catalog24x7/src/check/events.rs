//! Checks events: their names, groups, formulas and places.

use super::{Checker, placed};
use crate::catalog::Reading;
use crate::diagnostic::{Code, Diagnostic};
use crate::links::Variant;
use crate::page0::Section;
use crate::records::{Domain, Event};
use std::collections::BTreeMap;

impl Checker<'_> {
    pub(super) fn events(&mut self) {
        let catalog = self.catalog;
        let mut runs = Runs::default();
        let mut differs = None;
        for (index, at, event) in placed(catalog, Section::Event, &catalog.events) {
            let place = (Section::Event, Some(index));
            self.domain(place, at + 4, event.domain);
            if runs.splits(event.domain) {
                self.split(place, at + 4, event.domain);
            }
            if event.reserved != 0 {
                self.reserved(place, at + 5);
            }
            self.event_indexes(place, at, event);
            self.counter(place, at, event);
            self.variant(place, at, event);
            let resolved = self.links.primary_group(event);
            if resolved.is_some_and(|group| group != usize::from(event.primary_group_index)) {
                differs.get_or_insert((index, at));
            }
        }
        let duplicates = self.links.duplicates();
        for (index, first) in &duplicates {
            self.duplicate(*index, *first);
        }
        self.suffixes(&duplicates);
        if let Some((index, at)) = differs {
            let place = (Section::Event, Some(index));
            self.add(
                Code::ReadingsDiffer,
                place,
                at + 0x10,
                "primary_group_index",
                || "from here on, primary groups differ from the document's interpretation",
            );
        }
    }

    pub(super) fn domain(
        &mut self,
        place: (Section, Option<usize>),
        offset: usize,
        domain: Domain,
    ) {
        if domain.name().is_none() {
            self.add(Code::UnknownDomain, place, offset, "domain", || {
                format!("domain {} is not defined in the document", domain.0)
            });
        }
    }

    pub(super) fn split(&mut self, place: (Section, Option<usize>), offset: usize, domain: Domain) {
        self.add(Code::DomainSplit, place, offset, "domain", || {
            format!("domain {} starts again here, so indexes do not reach these records", domain.0)
        });
    }

    fn event_indexes(&mut self, place: (Section, Option<usize>), at: usize, event: &Event) {
        let formulas = self.catalog.formulas.len();
        let formula = self.links.formula(event).filter(|index| usize::from(*index) >= formulas);
        if let Some(index) = formula {
            self.add(Code::NoFormula, place, at + 2, "formula_index", || {
                format!("formula {index} does not exist; the catalog has {formulas}")
            });
        }
        let (domain, group) = (event.domain, event.primary_group_index);
        let is_number = domain == Domain::CORE && self.links.reading() == Reading::Domain;
        // The group may be there with another offset, or not be read, which is said at the group.
        let is_there = is_number && (usize::from(group) < self.core_groups || self.misses_groups());
        let has_record = event.group_record_length != 0;
        if has_record && !is_there && self.links.primary_group(event).is_none() {
            self.add(Code::NoPrimaryGroup, place, at + 0x10, "primary_group_index", || {
                if is_number {
                    let length = event.group_record_length;
                    format!("no core group has record {group} of those with {length} bytes")
                } else {
                    format!("group {group} does not exist in domain {}", domain.0)
                }
            });
        }
    }

    fn misses_groups(&self) -> bool {
        let stated = self.catalog.page0.extent(Section::Group).count;
        self.catalog.groups.len() < usize::from(stated)
    }

    fn counter(&mut self, place: (Section, Option<usize>), at: usize, event: &Event) {
        if !event.group_record_offset.is_multiple_of(8) {
            self.add(Code::UnalignedOffset, place, at + 6, "group_record_offset", || {
                format!(
                    "the offset {} of the group record is not a multiple of 8",
                    event.group_record_offset
                )
            });
        }
        let (counter, length) = (event.counter_offset, event.group_record_length);
        if length != 0 && u32::from(counter) + 8 > u32::from(length) {
            self.add(Code::CounterPastRecord, place, at + 0x0a, "counter_offset", || {
                format!(
                    "the 8 bytes at {counter} are outside the {length} bytes of the group record"
                )
            });
        }
        if !counter.is_multiple_of(8) {
            self.add(Code::UnalignedCounter, place, at + 0x0a, "counter_offset", || {
                format!("the offset {counter} of the counter is not a multiple of 8")
            });
        }
    }

    /// Reports a description of an event that only filters another one, or samples it.
    fn variant(&mut self, place: (Section, Option<usize>), at: usize, event: &Event) {
        let Some(name) = event.name() else { return };
        let mut suffixes = Variant::ALL.iter().flat_map(|variant| variant.suffixes());
        let Some(suffix) = suffixes.find(|suffix| name.ends_with(*suffix)) else { return };
        let texts = event.texts();
        let described = texts
            .iter()
            .skip(1)
            .find(|(_, text)| text.is_some_and(|text| !text.as_bytes().is_empty()));
        if let Some((field, _)) = described {
            self.add(Code::VariantDescribed, place, at + 0x14, field, || {
                format!("`{name}` has a description, and events that end with {suffix} have none")
            });
        }
    }

    /// Reports events that are called as the kernel calls a duplicate: the second of `X` is `X__1`.
    fn suffixes(&mut self, duplicates: &[(usize, usize)]) {
        let mut copies: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, first) in duplicates {
            let number = copies.entry(*first).or_default();
            *number += 1;
            let Some(name) = self.catalog.events[*first].name() else { continue };
            let Some(index) = self.links.by_name(&format!("{name}__{number}")) else { continue };
            let place = |events| placed(self.catalog, Section::Event, events).nth(index);
            let at = place(&self.catalog.events).map_or(0, |(_, at, _)| at);
            let number = *number;
            self.add(Code::DuplicateName, (Section::Event, Some(index)), at + 0x14, "name", || {
                format!("the kernel calls duplicate {number} of `{name}` so, too")
            });
        }
    }

    fn duplicate(&mut self, index: usize, first: usize) {
        let catalog = self.catalog;
        let (event, other) = (&catalog.events[index], &catalog.events[first]);
        // The position is computed only for findings that are kept, so that many findings cost no more than a few.
        self.findings.add(|| {
            let at = placed(catalog, Section::Event, &catalog.events).nth(index).map_or(0, |p| p.1);
            let name = event.name.as_ref().map(|name| name.to_printable()).unwrap_or_default();
            let domain = if event.domain == other.domain { "the same" } else { "another" };
            let message = format!("event {first}, in {domain} domain, is also called `{name}`");
            Diagnostic::new(Code::DuplicateName, Section::Event, index, at + 0x14, "name", message)
        });
    }
}

/// Detects records of a domain that are not contiguous.
#[derive(Default)]
pub(super) struct Runs {
    last: Option<Domain>,
    seen: std::collections::BTreeSet<Domain>,
    told: std::collections::BTreeSet<Domain>,
}

impl Runs {
    /// Returns true if a domain that has ended starts again; true only the first time.
    pub(super) fn splits(&mut self, domain: Domain) -> bool {
        if self.last.replace(domain) == Some(domain) {
            return false;
        }
        !self.seen.insert(domain) && self.told.insert(domain)
    }
}
