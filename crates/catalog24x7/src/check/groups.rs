//! Checks groups: their records, events and counters.

use super::events::Runs;
use super::{Checker, placed};
use crate::catalog::Reading;
use crate::diagnostic::Code;
use crate::links::{Slot, Variant};
use crate::page0::Section;
use crate::records::{Domain, Event, Group};
use std::collections::BTreeMap;

/// A group with its place in the catalog and the position of its record in the file.
#[derive(Clone, Copy)]
struct Placed<'c> {
    place: (Section, Option<usize>),
    at: usize,
    group: &'c Group,
}

impl Placed<'_> {
    /// The position of the index of a slot's event.
    fn slot(self, slot: usize) -> usize {
        self.at + 0x10 + 2 * slot
    }
}

impl Checker<'_> {
    pub(super) fn groups(&mut self) {
        let catalog = self.catalog;
        let mut runs = Runs::default();
        let mut differs = None;
        for (index, at, group) in placed(catalog, Section::Group, &catalog.groups) {
            let place = (Section::Group, Some(index));
            if group.reserved != 0 {
                self.reserved(place, at + 2);
            }
            self.domain(place, at + 8, group.domain);
            if runs.splits(group.domain) {
                self.split(place, at + 8, group.domain);
            }
            if group.reserved_end != 0 {
                self.reserved(place, at + 9);
            }
            if !group.group_record_offset.is_multiple_of(8) {
                self.add(Code::UnalignedOffset, place, at + 0x0a, "group_record_offset", || {
                    format!(
                        "the offset {} of the group record is not a multiple of 8",
                        group.group_record_offset
                    )
                });
            }
            let placed = Placed { place, at, group };
            self.schema_of(placed);
            let slots: Vec<Slot> = self.links.slots(group).collect();
            self.slots(placed, &slots);
            let absolute = |slot: &Slot| slot.event.is_none_or(|e| e == usize::from(slot.index));
            if let Some(slot) = slots.iter().find(|slot| !absolute(slot)) {
                differs.get_or_insert((index, placed.slot(slot.slot)));
            }
        }
        self.group_names();
        self.non_idle();
        if let Some((index, at)) = differs {
            let place = (Section::Group, Some(index));
            self.add(
                Code::ReadingsDiffer,
                place,
                at,
                "event_indexes",
                || "from here on, events of groups differ from the document's interpretation",
            );
        }
    }

    /// Reports groups with the name of an earlier one.
    fn group_names(&mut self) {
        let mut seen = BTreeMap::new();
        for (index, at, group) in placed(self.catalog, Section::Group, &self.catalog.groups) {
            let Some(name) = group.name().filter(|name| !name.is_empty()) else { continue };
            if let Some(first) = seen.get(name) {
                let place = (Section::Group, Some(index));
                self.add(Code::DuplicateName, place, at + 0x30, "name", || {
                    format!("group {first} is also called `{name}`")
                });
            } else {
                seen.insert(name, index);
            }
        }
    }

    /// Returns true if an event has the counter of its slot: the document does not say so, real catalogs do it, but for the increments of the last sample of the document's layout.
    fn has_counter_of_slot(&self, event: &Event) -> bool {
        let name = event.name().unwrap_or_default();
        let is_sample = Variant::LastSample.suffixes().iter().any(|suffix| name.ends_with(suffix));
        self.links.reading() == Reading::Domain && !is_sample
    }

    fn is_field(&self, group: &Group, offset: u16) -> bool {
        let schema = self.catalog.schemas.get(usize::from(group.schema_index));
        schema.is_some_and(|schema| schema.fields.iter().any(|field| field.offset == offset))
    }

    /// Reports a group whose events after a free slot are not counted.
    fn lost_slots(&mut self, placed: Placed<'_>) {
        let Placed { place, group, .. } = placed;
        let count = usize::from(group.event_count).min(group.event_indexes.len());
        let (counted, beyond) = group.event_indexes.split_at(count);
        if !counted.contains(&Group::FREE) {
            return;
        }
        // Slots that nobody uses are 0 in real catalogs, and free in the document.
        let is_used = |index: &u16| *index != 0 && *index != Group::FREE;
        if let Some(slot) = beyond.iter().position(is_used) {
            let slot = count + slot;
            self.add(Code::LostSlot, place, placed.slot(slot), "event_indexes", || {
                format!(
                    "slot {slot} has event {}, and the group has {count} slots, of which one is free",
                    group.event_indexes[slot]
                )
            });
        }
    }

    /// Reports the first core group that lacks an event which the document puts into each of them.
    fn non_idle(&mut self) {
        const EVERYWHERE: [(&[&str], u8); 2] =
            [(&["HPM_NON_IDLE_INST"], 3), (&["HPM_NON_IDLE_PCYC", "HPMC_NON_IDLE_PCYC"], 4)];
        for (names, counter) in EVERYWHERE {
            let event = names.iter().find_map(|name| Some((*name, self.links.by_name(name)?)));
            let Some((name, event)) = event else { continue };
            let lacking = placed(self.catalog, Section::Group, &self.catalog.groups)
                .filter(|(_, _, group)| group.domain == Domain::CORE)
                .find(|(_, _, group)| {
                    let mut slots = self.links.slots(group);
                    !slots.any(|slot| {
                        slot.slot + 1 == usize::from(counter) && slot.event == Some(event)
                    })
                });
            if let Some((index, at, _)) = lacking {
                let at = at + 0x10 + 2 * (usize::from(counter) - 1);
                let place = (Section::Group, Some(index));
                self.add(Code::NotEverywhere, place, at, "event_indexes", || {
                    format!("`{name}` does not have GRS_COUNTER_{counter} of this core group")
                });
            }
        }
    }

    fn schema_of(&mut self, Placed { place, at, group }: Placed<'_>) {
        let schemas = &self.catalog.schemas;
        let Some(extent) = self.extents.get(usize::from(group.schema_index)).copied() else {
            self.add(Code::NoSchema, place, at + 0x0e, "schema_index", || {
                format!(
                    "schema {} does not exist; the catalog has {}",
                    group.schema_index,
                    schemas.len()
                )
            });
            return;
        };
        let length = group.group_record_length;
        if u32::from(length) < extent {
            self.add(
                Code::RecordShorterThanSchema,
                place,
                at + 0x0c,
                "group_record_length",
                || {
                    format!(
                        "the record has {length} bytes, but schema {} describes {extent}",
                        group.schema_index
                    )
                },
            );
        }
    }

    fn slots(&mut self, placed: Placed<'_>, slots: &[Slot]) {
        let Placed { place, at, group } = placed;
        if !(1..=16).contains(&group.event_count) {
            self.add(Code::EventCount, place, at + 0x0f, "event_count", || {
                format!("the group has {} events", group.event_count)
            });
        }
        self.lost_slots(placed);
        let mut states = 0;
        for (number, slot) in slots.iter().enumerate() {
            let at = placed.slot(slot.slot);
            if slots[..number].iter().any(|other| other.index == slot.index) {
                self.add(Code::RepeatedEvent, place, at, "event_indexes", || {
                    format!("slot {} repeats event {}", slot.slot, slot.index)
                });
            }
            let Some(event) = slot.event.and_then(|event| self.catalog.events.get(event)) else {
                self.add(Code::NoEvent, place, at, "event_indexes", || {
                    let domain = group.domain.0;
                    format!(
                        "slot {}: event {} does not exist in domain {domain}",
                        slot.slot, slot.index
                    )
                });
                continue;
            };
            states |= event.flags;
            if event.group_record_length == 0 {
                self.add(Code::NoRecord, place, at, "event_indexes", || {
                    let name = event.name.as_ref().map(|name| name.to_printable());
                    let name = name.unwrap_or_default();
                    format!("slot {}: the event `{name}` has no group record", slot.slot)
                });
            }
            self.counter_of_slot(placed, slot, event);
        }
        if states & !group.flags != 0 {
            self.add(Code::States, place, at + 4, "flags", || {
                format!(
                    "its events have the state flags {states:#x}, but the group has {:#x}",
                    group.flags
                )
            });
        }
    }

    /// Reports an event whose counter does not belong to its slot, if the schema of the group exists.
    fn counter_of_slot(&mut self, placed: Placed<'_>, slot: &Slot, event: &Event) {
        let Placed { place, group, .. } = placed;
        let counter = slot.counter.map(|field| field.offset);
        let is_its_counter = if self.has_counter_of_slot(event) {
            counter == Some(event.counter_offset)
        } else {
            self.is_field(group, event.counter_offset)
        };
        let is_known_schema = usize::from(group.schema_index) < self.catalog.schemas.len();
        if is_its_counter || !is_known_schema {
            return;
        }
        self.add(Code::NotItsCounter, place, placed.slot(slot.slot), "event_indexes", || {
            let name = event.name.as_ref().map(|name| name.to_printable());
            let (name, number) = (name.unwrap_or_default(), slot.slot + 1);
            let here = format!(
                "slot {}: the counter of `{name}` is at {}",
                slot.slot, event.counter_offset
            );
            match counter {
                Some(offset) => format!("{here}, but GRS_COUNTER_{number} is at {offset}"),
                None => format!("{here}, but the schema has no GRS_COUNTER_{number}"),
            }
        });
    }
}
