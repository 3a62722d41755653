//! A table of events, and the index that finds one event of it without reading the rest.
//!
//! The text lists events in the order of their names, each with its unit masks below it. The index is
//! generated from it: the position of each line, its code, the rest of the line as one of the [`Facts`] that
//! many lines share, and the hashes of the names as an open-addressed table. Of the text only names are read, and
//! the names that an alias stands for.

use std::ops::Range;

use super::hash::{hash, of_mask};
use super::row::{Facts, Marks, Mask, Row, Variant};
use crate::short::find;

/// One table of events, shared by the PMUs that differ in nothing but their number.
pub(crate) struct Table {
    pub(super) text: &'static str,
    /// The vendor's `descriptions.txt`.
    pub(super) descriptions: &'static str,
    /// The facts of the lines, by the numbers in `Rows::facts`.
    pub(super) facts: &'static [Facts],
    pub(super) events: Rows,
    /// The unit masks of all events.
    pub(super) masks: Rows,
    /// The first unit mask of each event, and where those of the last one end.
    pub(super) firsts: &'static [u16],
}

/// The lines of a table that are of one kind.
pub(super) struct Rows {
    /// Numbers of lines, each plus one, where the hashes of their names lead.
    pub(super) slots: &'static [u16],
    /// The place where the names begin.
    pub(super) starts: &'static [u32],
    pub(super) codes: &'static [u64],
    pub(super) facts: &'static [u16],
    /// The place where the description of each line begins in the vendor's; 0 if it has none.
    pub(super) descriptions: &'static [u32],
}

impl Rows {
    const EMPTY: Rows = Rows { slots: &[], starts: &[], codes: &[], facts: &[], descriptions: &[] };
}

impl Table {
    /// A table without events.
    pub(crate) const EMPTY: Table = Table {
        text: "",
        descriptions: "",
        facts: &[],
        events: Rows::EMPTY,
        masks: Rows::EMPTY,
        firsts: &[],
    };

    /// The first event of this name that the PMU has and that is wanted.
    pub(crate) fn find(
        &'static self,
        variant: Variant,
        name: &str,
        wanted: impl Fn(&Row) -> bool,
    ) -> Option<(Place, Row)> {
        find_place(self.events.slots, hash(name), |number| {
            let row = self.named(&self.events, number, name)?;
            (row.is_for(variant) && wanted(&row)).then_some((self.place(number), row))
        })
    }

    /// Every event that the PMU has, on some machines only or on all.
    pub(crate) fn events(
        &'static self,
        variant: Variant,
    ) -> impl Iterator<Item = (Place, Row)> + use<> {
        (0..self.events.starts.len())
            .filter_map(|number| Some((self.place(number), self.row(&self.events, number)?)))
            .filter(move |(_, row)| row.is_for(variant))
    }

    /// The place among the events that the PMU has of the one whose name this is, a piece of the text.
    pub(crate) fn position(&self, variant: Variant, name: &'static str) -> Option<usize> {
        let start = name.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let rows = &self.events;
        let number = rows.starts.binary_search(&u32::try_from(start).ok()?).ok()?;
        let is_for = |facts: &&u16| {
            let facts = self.facts.get(usize::from(**facts));
            facts.is_some_and(|facts| Row { name: "", code: 0, facts }.is_for(variant))
        };
        Some(rows.facts.get(..number)?.iter().filter(is_for).count())
    }

    fn place(&'static self, number: usize) -> Place {
        Place { table: self, number: number as u16 }
    }

    fn row(&self, rows: &Rows, number: usize) -> Option<Row> {
        let text = self.text.get(*rows.starts.get(number)? as usize..)?;
        let name = text.split_once(' ').map_or(text, |(name, _)| name);
        self.filled(rows, number, name)
    }

    /// The row of this number, if that is its name, in any case.
    fn named(&self, rows: &Rows, number: usize, name: &str) -> Option<Row> {
        let start = *rows.starts.get(number)? as usize;
        let end = start + name.len();
        // Few other names are as long.
        if self.text.as_bytes().get(end) != Some(&b' ') {
            return None;
        }
        let found = self.text.get(start..end).filter(|found| same(found, name))?;
        self.filled(rows, number, found)
    }

    fn filled(&self, rows: &Rows, number: usize, name: &'static str) -> Option<Row> {
        let facts = self.facts.get(usize::from(*rows.facts.get(number)?))?;
        Some(Row { name, code: *rows.codes.get(number)?, facts })
    }

    /// The text that the name of the line with this number is an alias of: its last word.
    fn alias(&self, rows: &Rows, number: usize) -> Option<&'static str> {
        let start = *rows.starts.get(number)? as usize;
        let line = self.text.get(start..find(self.text.as_bytes(), start, *b"\n"))?;
        line.rsplit_once(' ')?.1.strip_prefix("alias=")
    }

    /// The rest of the line in `descriptions.txt` that describes the line with this number.
    fn description(&self, rows: &Rows, number: usize) -> Option<&'static str> {
        let start = *rows.descriptions.get(number)? as usize;
        let end = find(self.descriptions.as_bytes(), start, *b"\n");
        self.descriptions.get(start..end).filter(|_| start > 0)
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
        match self.table.firsts.get(first..first + 2) {
            Some([first, end]) => usize::from(*first)..usize::from(*end),
            _ => 0..0,
        }
    }

    /// The unit mask of this name.
    pub(crate) fn mask(&self, variant: Variant, name: &str) -> Option<Mask> {
        let numbers = self.numbers();
        if numbers.is_empty() {
            return None;
        }
        let Table { masks, .. } = self.table;
        find_place(masks.slots, of_mask(hash(name), self.number.into()), |number| {
            if !numbers.contains(&number) {
                return None;
            }
            let row = self.table.named(masks, number, name)?;
            let number = (number - numbers.start) as u16;
            row.is_for(variant).then_some(Mask { number, row })
        })
    }

    /// The text that the event's name is an alias of.
    pub(crate) fn alias(&self, row: &Row) -> Option<&'static str> {
        let is_alias = row.marks.has(Marks::ALIAS);
        is_alias.then(|| self.table.alias(&self.table.events, self.number.into())).flatten()
    }

    /// The text that the name of a unit mask is an alias of.
    pub(crate) fn mask_alias(&self, mask: &Mask) -> Option<&'static str> {
        let number = self.numbers().start + usize::from(mask.number);
        let is_alias = mask.has(Marks::ALIAS);
        is_alias.then(|| self.table.alias(&self.table.masks, number)).flatten()
    }

    /// The description of the event.
    pub(crate) fn description(&self) -> Option<&'static str> {
        self.table.description(&self.table.events, self.number.into())
    }

    /// The description of a unit mask.
    pub(crate) fn mask_description(&self, mask: &Mask) -> Option<&'static str> {
        let number = self.numbers().start + usize::from(mask.number);
        self.table.description(&self.table.masks, number)
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
        let (table, numbers) = (self.table, self.numbers());
        let first = numbers.start;
        let facts = move |number: &usize| {
            let facts = table.masks.facts.get(*number)?;
            table.facts.get(usize::from(*facts))
        };
        numbers.filter(move |number| facts(number).is_some_and(&wanted)).filter_map(move |number| {
            let row = table.row(&table.masks, number)?;
            row.is_for(variant).then_some(Mask { number: (number - first) as u16, row })
        })
    }
}

/// The names are one, in any case.
pub(crate) fn same(known: &str, name: &str) -> bool {
    // Most are written as they are listed, and compared at once then.
    known == name || known.eq_ignore_ascii_case(name)
}

/// The first result for one of the numbers at the position of this hash, up to the first empty one.
pub(crate) fn find_place<T>(
    slots: &'static [u16],
    hash: u32,
    mut found: impl FnMut(usize) -> Option<T>,
) -> Option<T> {
    // Their count is a power of two, and at least one of them is empty.
    let last = slots.len().wrapping_sub(1);
    let mut place = hash as usize;
    loop {
        let number = usize::from(*slots.get(place & last)?).checked_sub(1)?;
        if let Some(found) = found(number) {
            return Some(found);
        }
        place += 1;
    }
}
