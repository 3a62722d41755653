//! The text tables, and the index that finds one line of them without reading the rest.
//!
//! A table lists events in the order of their names, each with its unit masks below it.
//! The index is generated: open-addressed places of the names' hashes, where each event's line begins,
//! and for each unit mask how far below its event it stands and what must be known of all of them.

mod hash;
#[rustfmt::skip]
mod index;
mod row;

pub(crate) use hash::hash;
pub(crate) use row::{Marks, Mask, Row};

use crate::pmu::Pmu;
use row::word_length;

/// The tables of every vendor that the crate was built with, in the order in which PMUs are tried.
pub(crate) static VENDORS: &[&Pmus] = &[
    #[cfg(feature = "intel")]
    &index::intel::PMUS,
    #[cfg(feature = "amd")]
    &index::amd::PMUS,
    #[cfg(feature = "arm")]
    &index::arm::PMUS,
    #[cfg(feature = "power")]
    &index::power::PMUS,
    #[cfg(feature = "s390x")]
    &index::s390x::PMUS,
    #[cfg(feature = "sparc")]
    &index::sparc::PMUS,
    #[cfg(feature = "mips")]
    &index::mips::PMUS,
];

/// The PMUs of a vendor.
pub(crate) struct Pmus {
    slots: &'static [u16],
    pub(crate) list: &'static [Pmu],
}

impl Pmus {
    pub(crate) fn find(&self, hash: u32, name: &str) -> Option<&'static Pmu> {
        places(self.slots, hash)
            .filter_map(|number| self.list.get(number))
            .find(|pmu| pmu.name.eq_ignore_ascii_case(name))
    }
}

/// One table of events, shared by the PMUs that differ in nothing but their number.
pub(crate) struct Table {
    text: &'static str,
    slots: &'static [u16],
    /// Where the line begins (32 bits), the number of its first unit mask (16), how many it has (15),
    /// and whether it or one of them is precise.
    events: &'static [u64],
    /// Bytes below the event (16 bits), hash of the name (8), group (4), default, for some PMUs only.
    masks: &'static [u32],
}

impl Table {
    /// A table without events.
    pub(crate) const EMPTY: Table = Table { text: "", slots: &[], events: &[], masks: &[] };

    /// The first event of this name that the PMU has.
    pub(crate) fn find(&'static self, pmu: &'static Pmu, name: &str) -> Option<(Place, Row)> {
        places(self.slots, hash(name)).find_map(|number| {
            let place = self.place(number)?;
            let row = begins(self.text, place.start as usize, name)
                .then(|| Row::parse(self.text, place.start as usize, name.len()))?;
            row.is_for(pmu).then_some((place, row))
        })
    }

    /// Every event that the PMU has on any machine.
    pub(crate) fn events(
        &'static self,
        pmu: &'static Pmu,
    ) -> impl Iterator<Item = (Place, Row)> + use<> {
        (0..self.events.len())
            .filter_map(|number| self.place(number))
            .map(|place| {
                let start = place.start as usize;
                (place, Row::parse(self.text, start, length(self.text, start)))
            })
            .filter(|(_, row)| row.is_for(pmu) && !row.marks.has(Marks::OPTIONAL))
    }

    fn place(&'static self, number: usize) -> Option<Place> {
        let entry = *self.events.get(number)?;
        Some(Place {
            table: self,
            start: entry as u32,
            first: (entry >> 32) as u16,
            count: (entry >> 48 & 0x7fff) as u16,
            precise: entry >> 63 != 0,
        })
    }
}

/// Where an event and its unit masks stand.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    table: &'static Table,
    start: u32,
    first: u16,
    count: u16,
    /// The event or one of its unit masks can be sampled without skid, though perhaps not on every PMU.
    pub(crate) precise: bool,
}

impl Place {
    /// No place: the event stands in no table, and has no unit masks there.
    pub(crate) const NOWHERE: Place =
        Place { table: &Table::EMPTY, start: 0, first: 0, count: 0, precise: false };

    /// The entries of its unit masks.
    fn entries(&self) -> &'static [u32] {
        let first = usize::from(self.first);
        self.table.masks.get(first..first + usize::from(self.count)).unwrap_or_default()
    }

    /// The unit mask of this name.
    pub(crate) fn mask(&self, pmu: &Pmu, name: &str) -> Option<Mask> {
        let tag = hash(name) >> 24;
        let (text, start) = (self.table.text, self.start as usize);
        self.entries().iter().enumerate().filter(|(_, entry)| **entry >> 16 & 0xff == tag).find_map(
            |(number, entry)| {
                let start = mask_start(start, *entry);
                let mask = begins(text, start, name)
                    .then(|| Mask::parse(text, start, name.len(), number as u16))?;
                mask.row.is_for(pmu).then_some(mask)
            },
        )
    }

    /// Every unit mask that the PMU has.
    pub(crate) fn masks(&self, pmu: &Pmu) -> impl Iterator<Item = Mask> {
        self.parsed(pmu, |_| true)
    }

    /// The unit masks of a group.
    pub(crate) fn group(&self, pmu: &Pmu, group: u8) -> impl Iterator<Item = Mask> {
        self.parsed(pmu, move |entry| entry >> 24 & 0xf == u32::from(group))
    }

    /// The unit masks of a group that apply when none of it is named.
    pub(crate) fn defaults(&self, pmu: &Pmu, group: u8) -> impl Iterator<Item = Mask> {
        self.parsed(pmu, move |entry| entry >> 24 & 0xf == u32::from(group) && entry >> 28 & 1 != 0)
    }

    pub(crate) fn has_masks(&self, pmu: &Pmu) -> bool {
        self.masks(pmu).next().is_some()
    }

    fn parsed(&self, pmu: &Pmu, wanted: impl Fn(u32) -> bool) -> impl Iterator<Item = Mask> {
        let (text, start) = (self.table.text, self.start as usize);
        self.entries().iter().enumerate().filter(move |(_, entry)| wanted(**entry)).filter_map(
            move |(number, entry)| {
                let start = mask_start(start, *entry);
                let mask = Mask::parse(text, start, length(text, start), number as u16);
                mask.row.is_for(pmu).then_some(mask)
            },
        )
    }
}

/// Where the name of a unit mask begins: a tab stands before it.
fn mask_start(event: usize, entry: u32) -> usize {
    event + (entry & 0xffff) as usize + 1
}

/// The line at `start` begins with this name, in any case.
fn begins(text: &str, start: usize, name: &str) -> bool {
    let line = text.as_bytes().get(start..).unwrap_or_default();
    line.get(name.len()) == Some(&b' ') && line[..name.len()].eq_ignore_ascii_case(name.as_bytes())
}

/// The length of the name at `start`.
fn length(text: &str, start: usize) -> usize {
    word_length(text.get(start..).unwrap_or_default())
}

/// The numbers that stand where this hash leads, up to the first empty place.
fn places(slots: &'static [u16], hash: u32) -> impl Iterator<Item = usize> {
    let last = slots.len().wrapping_sub(1);
    (0..slots.len())
        .map(move |step| slots[(hash as usize).wrapping_add(step) & last])
        .take_while(|number| *number != 0)
        .map(|number| usize::from(number) - 1)
}
