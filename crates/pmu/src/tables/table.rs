//! A table of events, in which one event is found without reading the rest.

use std::ops::Range;

use super::hash::{hash, of_mask};
use super::layout::{Codes, Column, Layout, Rows, Slots};
use super::row::{Facts, Marks, Mask, Row, Variant};
use crate::short::find;

/// The image of a vendor's tables, which [`layout`](super::layout) describes, and the facts that it refers to.
#[derive(Clone, Copy)]
pub(crate) struct Image {
    pub(crate) numbers: &'static [u8],
    pub(super) texts: &'static str,
    pub(super) facts: &'static [Facts],
}

/// One table of events, shared by the PMUs that differ in nothing but their number.
pub(crate) struct Table {
    pub(super) image: Image,
    pub(super) layout: Layout,
}

impl Table {
    /// A table without events.
    pub(crate) const EMPTY: Table = {
        const ROWS: Rows = Rows {
            count: 0,
            slots: Slots { column: Column { start: 0 }, last: 0 },
            names: Column { start: 0 },
            codes: Codes { start: 0, width: 1 },
            facts: Column { start: 0 },
            descriptions: Column { start: 0 },
        };
        const IMAGE: Image = Image { numbers: &[], texts: "", facts: &[] };
        Table {
            image: IMAGE,
            layout: Layout { events: ROWS, masks: ROWS, firsts: Column { start: 0 } },
        }
    };

    /// The first event of this name that the PMU has and that is wanted.
    // Not inline, so that what calls it stays small for the events that are in no table.
    #[inline(never)]
    pub(crate) fn find(
        &'static self,
        variant: Variant,
        name: &str,
        wanted: impl Fn(&Row) -> bool,
    ) -> Option<(Place, Row)> {
        let events = &self.layout.events;
        events.slots.find(self.image.numbers, hash(name), |number| {
            let row = self.image.named(events, number, name)?;
            (row.is_for(variant) && wanted(&row)).then_some((self.place(number), row))
        })
    }

    /// Every event that the PMU has, on some machines only or on all.
    pub(crate) fn events(
        &'static self,
        variant: Variant,
    ) -> impl Iterator<Item = (Place, Row)> + use<> {
        let events = &self.layout.events;
        (0..events.count as usize)
            .filter_map(|number| Some((self.place(number), self.image.row(events, number)?)))
            .filter(move |(_, row)| row.is_for(variant))
    }

    /// The place among the events that the PMU has of the one whose name this is.
    pub(crate) fn position(&'static self, variant: Variant, name: &'static str) -> Option<usize> {
        let (place, _) = self.find(variant, name, |row| std::ptr::eq(row.name, name))?;
        let before = 0..usize::from(place.number);
        let facts = before.filter_map(|number| self.image.facts(&self.layout.events, number));
        Some(facts.filter(|facts| facts.is_for(variant)).count())
    }

    fn place(&'static self, number: usize) -> Place {
        Place { table: self, number: number as u16 }
    }
}

impl Image {
    fn row(&self, rows: &Rows, number: usize) -> Option<Row> {
        let name = self.text(rows.names.get(self.numbers, number)?)?;
        self.filled(rows, number, name)
    }

    /// The row of this number, if that is its name, in any case.
    fn named(&self, rows: &Rows, number: usize, name: &str) -> Option<Row> {
        let start = rows.names.get(self.numbers, number)? as usize;
        let end = start + name.len();
        // Few other names are as long.
        if self.texts.as_bytes().get(end) != Some(&b'\n') {
            return None;
        }
        let found = self.texts.get(start..end).filter(|found| same(found, name))?;
        self.filled(rows, number, found)
    }

    fn filled(&self, rows: &Rows, number: usize, name: &'static str) -> Option<Row> {
        let facts = self.facts(rows, number)?;
        Some(Row { name, code: rows.codes.get(self.numbers, number)?, facts })
    }

    fn facts(&self, rows: &Rows, number: usize) -> Option<&'static Facts> {
        self.facts.get(rows.facts.get(self.numbers, number)? as usize)
    }

    /// The text that the name of the line with this number is an alias of, if it is one.
    // Few are.
    #[cold]
    fn alias(&self, rows: &Rows, number: usize) -> Option<&'static str> {
        let start = rows.names.get(self.numbers, number)?;
        let name = self.text(start)?;
        self.text(start + name.len() as u64 + 1)
    }

    fn description(&self, rows: &Rows, number: usize) -> Option<&'static str> {
        let start = rows.descriptions.get(self.numbers, number)?;
        self.text(start).filter(|_| start > 0)
    }

    /// The text that begins here.
    pub(crate) fn text(&self, start: u64) -> Option<&'static str> {
        let start = start as usize;
        self.texts.get(start..find(self.texts.as_bytes(), start, *b"\n"))
    }
}

/// The position of an event, and of its unit masks.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    table: &'static Table,
    number: u16,
}

impl Place {
    /// Not a position: the event is not in a table, and has no unit masks there.
    pub(crate) const NOWHERE: Place = Place { table: &Table::EMPTY, number: 0 };

    /// The numbers of its unit masks among those of the table.
    fn numbers(&self) -> Range<usize> {
        let first = usize::from(self.number);
        let Table { image, layout } = self.table;
        let number = |index| layout.firsts.get(image.numbers, index).unwrap_or(0) as usize;
        number(first)..number(first + 1)
    }

    /// The unit mask of this name.
    pub(crate) fn mask(&self, variant: Variant, name: &str) -> Option<Mask> {
        let numbers = self.numbers();
        if numbers.is_empty() {
            return None;
        }
        let Table { image, layout: Layout { masks, .. } } = self.table;
        masks.slots.find(image.numbers, of_mask(hash(name), self.number.into()), |number| {
            if !numbers.contains(&number) {
                return None;
            }
            let row = image.named(masks, number, name)?;
            let number = (number - numbers.start) as u16;
            row.is_for(variant).then_some(Mask { number, row })
        })
    }

    /// The text that the event's name is an alias of.
    pub(crate) fn alias(&self, row: &Row) -> Option<&'static str> {
        let Table { image, layout } = self.table;
        let is_alias = row.marks.has(Marks::ALIAS);
        is_alias.then(|| image.alias(&layout.events, self.number.into())).flatten()
    }

    /// The text that the name of a unit mask is an alias of.
    pub(crate) fn mask_alias(&self, mask: &Mask) -> Option<&'static str> {
        let Table { image, layout } = self.table;
        let number = self.numbers().start + usize::from(mask.number);
        let is_alias = mask.has(Marks::ALIAS);
        is_alias.then(|| image.alias(&layout.masks, number)).flatten()
    }

    /// The description of the event.
    pub(crate) fn description(&self) -> Option<&'static str> {
        let Table { image, layout } = self.table;
        image.description(&layout.events, self.number.into())
    }

    /// The description of a unit mask.
    pub(crate) fn mask_description(&self, mask: &Mask) -> Option<&'static str> {
        let Table { image, layout } = self.table;
        image.description(&layout.masks, self.numbers().start + usize::from(mask.number))
    }

    /// Every unit mask that the PMU has.
    pub(crate) fn masks(&self, variant: Variant) -> impl Iterator<Item = Mask> + use<> {
        self.masks_that(variant, |_| true)
    }

    /// The unit masks of a group.
    pub(crate) fn group(&self, variant: Variant, group: u8) -> impl Iterator<Item = Mask> + use<> {
        self.masks_that(variant, move |facts| facts.group == group)
    }

    /// The unit masks of a group that apply when none of it is named.
    pub(crate) fn defaults(
        &self,
        variant: Variant,
        group: u8,
    ) -> impl Iterator<Item = Mask> + use<> {
        self.masks_that(variant, move |facts| {
            facts.group == group && facts.marks.has(Marks::DEFAULT)
        })
    }

    fn masks_that<F: Fn(&Facts) -> bool>(
        &self,
        variant: Variant,
        wanted: F,
    ) -> impl Iterator<Item = Mask> + use<F> {
        let Table { image, layout: Layout { masks, .. } } = self.table;
        let numbers = self.numbers();
        let first = numbers.start;
        let facts = move |number: &usize| image.facts(masks, *number);
        numbers.filter(move |number| facts(number).is_some_and(&wanted)).filter_map(move |number| {
            let row = image.row(masks, number)?;
            row.is_for(variant).then_some(Mask { number: (number - first) as u16, row })
        })
    }
}

/// The names are one, in any case.
pub(crate) fn same(known: &str, name: &str) -> bool {
    // Most are written as they are listed, and compared at once then.
    known == name || known.eq_ignore_ascii_case(name)
}
