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
use row::word_at;

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
            let found = word_at(self.text, place.start).eq_ignore_ascii_case(name);
            let row = found.then(|| Row::parse(self.text, place.start))?;
            row.is_for(pmu).then_some((place, row))
        })
    }

    /// Every event that the PMU has.
    pub(crate) fn events(
        &'static self,
        pmu: &'static Pmu,
    ) -> impl Iterator<Item = (Place, Row)> + use<> {
        (0..self.events.len())
            .filter_map(|number| self.place(number))
            .map(|place| (place, Row::parse(self.text, place.start)))
            .filter(|(_, row)| row.is_for(pmu))
    }

    fn place(&'static self, number: usize) -> Option<Place> {
        let entry = *self.events.get(number)?;
        let first = (entry >> 32 & 0xffff) as usize;
        let masks = self.masks.get(first..first + (entry >> 48 & 0x7fff) as usize)?;
        let start = (entry & 0xffff_ffff) as usize;
        Some(Place { text: self.text, start, masks, precise: entry >> 63 != 0 })
    }
}

/// Where an event and its unit masks stand.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    text: &'static str,
    start: usize,
    masks: &'static [u32],
    /// The event or one of its unit masks can be sampled without skid, though perhaps not on every PMU.
    pub(crate) precise: bool,
}

impl Place {
    /// No place: the event stands in no table, and has no unit masks there.
    pub(crate) const NOWHERE: Place = Place { text: "", start: 0, masks: &[], precise: false };

    /// The unit mask of this name.
    pub(crate) fn mask(&self, pmu: &Pmu, name: &str) -> Option<Mask> {
        let tag = hash(name) >> 24;
        self.parsed(pmu, move |entry| entry >> 16 & 0xff == tag)
            .find(|mask| mask.name.eq_ignore_ascii_case(name))
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
        let Place { text, start, masks, .. } = *self;
        masks.iter().enumerate().filter(move |(_, entry)| wanted(**entry)).filter_map(
            move |(number, entry)| {
                let mask = Mask::parse(text, start + (entry & 0xffff) as usize, number as u16);
                mask.row.is_for(pmu).then_some(mask)
            },
        )
    }
}

/// The numbers that stand where this hash leads, up to the first empty place.
fn places(slots: &'static [u16], hash: u32) -> impl Iterator<Item = usize> {
    let last = slots.len().wrapping_sub(1);
    (0..slots.len())
        .map(move |step| slots[(hash as usize).wrapping_add(step) & last])
        .take_while(|number| *number != 0)
        .map(|number| usize::from(number) - 1)
}
