//! The attributes that are asked of an event.

use std::ops::Range;

use super::error::{EncodeError, EncodeErrorKind};
use crate::modifier::{Found, Modifier, PerfAttribute};
use crate::tables::row::{Marks, Mask};

/// The attributes that are asked of an event.
pub(crate) struct Request {
    /// Those of the string, in its order, and then the defaults that the encoder has added.
    asked: Vec<Asked>,
    /// A bit for each of their places, which several may share; none is asked for twice before two do.
    places: u64,
    repeated: bool,
    /// The marks of all unit masks.
    marks: Marks,
    /// The number of them that the string asks for.
    written: usize,
    /// The number of those that an alias stands for.
    of_alias: usize,
}

/// One attribute that was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) what: Attr,
    /// Its value; 1 for a unit mask.
    pub(crate) value: u64,
    /// The position of the value in the string, or of the name without one.
    pub(crate) span: Range<usize>,
}

impl Asked {
    /// Returns true if it turns on what a later value does not turn off.
    fn stays_on(&self) -> bool {
        self.value != 0 && matches!(self.what, Attr::Perf(which) if which.stays_on())
    }
}

/// An attribute.
#[derive(Debug, Clone)]
pub(crate) enum Attr {
    /// A unit mask of the event.
    Umask(Mask),
    /// A unit mask by its code, which is the value.
    RawUmask,
    /// A modifier of the PMU.
    Modifier(&'static Modifier),
    /// An attribute of perf_events.
    Perf(PerfAttribute),
}

impl From<Found> for Attr {
    fn from(found: Found) -> Attr {
        match found {
            Found::Own(modifier) => Attr::Modifier(modifier),
            Found::Perf(which) => Attr::Perf(which),
        }
    }
}

impl Attr {
    /// Its position in the event's list: unit masks, raw ones, modifiers, then perf_events.
    fn place(&self) -> u32 {
        match self {
            Attr::Umask(mask) => mask.number.into(),
            Attr::RawUmask => 0x1_0000,
            Attr::Modifier(modifier) => 0x2_0014 + u32::from(modifier.index),
            Attr::Perf(which) => 0x3_0034 + *which as u32,
        }
    }
}

impl Asked {
    fn place(&self) -> u32 {
        self.what.place()
    }

    /// The value of a modifier, if it may have it.
    pub(crate) fn in_range(&self, modifier: &Modifier) -> Result<u64, EncodeError> {
        let value = self.value;
        match modifier.range {
            Some((from, till)) if !(from..=till).contains(&value) => {
                let (name, value) = (modifier.name.to_owned(), value.to_string());
                let kind = EncodeErrorKind::OutOfRange { name, value, range: from..=till };
                Err(EncodeError { span: self.span.clone(), kind })
            }
            _ => Ok(value),
        }
    }

    /// The code of a unit mask, if it has no more bits than this.
    pub(crate) fn raw_umask(&self, width: u32) -> Result<u64, EncodeError> {
        if self.value >> width == 0 {
            return Ok(self.value);
        }
        let name = format!("{:#x}", self.value);
        let kind = EncodeErrorKind::RawUmask { name, why: "the register has no room for it" };
        Err(EncodeError { span: self.span.clone(), kind })
    }

    fn is_same(&self, other: &Asked, one_number: bool) -> bool {
        let modifiers = (&self.what, &other.what);
        let one = one_number && matches!(modifiers, (Attr::Modifier(_), Attr::Modifier(_)));
        one || self.place() == other.place()
    }

    fn name(&self) -> &'static str {
        match &self.what {
            Attr::Umask(mask) => mask.row.name,
            Attr::RawUmask => "0x",
            Attr::Modifier(modifier) => modifier.name,
            Attr::Perf(which) => which.modifier().name,
        }
    }
}

impl Request {
    #[inline(always)]
    pub(super) fn new() -> Request {
        Request {
            asked: Vec::with_capacity(12),
            places: 0,
            repeated: false,
            marks: Marks(0),
            written: 0,
            of_alias: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.asked.len()
    }

    #[inline]
    pub(super) fn push(&mut self, what: Attr, value: u64, span: Range<usize>) {
        let bit = 1 << (what.place() % 64);
        self.repeated |= self.places & bit != 0;
        self.places |= bit;
        if let Attr::Umask(mask) = &what {
            self.marks = self.marks | mask.row.marks;
        }
        self.asked.push(Asked { what, value, span });
    }

    /// Gives the attributes from a number on this span.
    pub(super) fn set_spans(&mut self, from: usize, span: &Range<usize>) {
        self.asked[from..].iter_mut().for_each(|asked| asked.span = span.clone());
    }

    /// So far goes the string, or the alias that it names.
    #[inline]
    pub(super) fn end(&mut self, is_alias: bool) {
        self.written = self.asked.len();
        if is_alias {
            self.of_alias = self.asked.len();
            self.set_spans(0, &(0..0));
        }
    }

    /// Drops all but the first of equal attributes; one with two values is an error. With `one_number` all modifiers
    /// are equal. The attribute that moves up when one is dropped is not compared in that pass, as in libpfm, so that two
    /// of three equal ones stay.
    #[inline]
    pub(super) fn drop_repeated(&mut self, one_number: bool) -> Result<(), EncodeError> {
        if !self.repeated && !one_number {
            return Ok(());
        }
        let mut first = 0;
        while first < self.asked.len() {
            let mut other = first + 1;
            while other < self.asked.len() {
                let (kept, again) = (&self.asked[first], &self.asked[other]);
                if kept.is_same(again, one_number) {
                    if kept.value != again.value {
                        let kind = EncodeErrorKind::TwoValues { name: again.name().to_owned() };
                        return Err(EncodeError { span: again.span.clone(), kind });
                    }
                    self.asked.remove(other);
                }
                other += 1;
            }
            first += 1;
        }
        Ok(())
    }

    /// The attributes that the PMU acts on, in the string's order.
    #[inline]
    pub(crate) fn of_pmu(&self) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(|asked| !matches!(&asked.what, Attr::Perf(_)))
    }

    /// The attributes of perf_events asked for, in the string's order.
    pub(super) fn of_perf_events(&self) -> impl Iterator<Item = (PerfAttribute, &Asked)> {
        self.asked.iter().filter_map(|asked| match &asked.what {
            Attr::Perf(which) => Some((*which, asked)),
            _ => None,
        })
    }

    /// Adds a unit mask that is not in the string.
    pub(crate) fn add_default(&mut self, mask: Mask) {
        self.push(Attr::Umask(mask), 1, 0..0);
    }

    /// Unit masks, as they are printed: in the order of the event's list.
    pub(super) fn each_umask(&self, print: impl FnMut(&Asked)) {
        let is_umask = |asked: &&Asked| matches!(&asked.what, Attr::Umask(_) | Attr::RawUmask);
        let umasks = || self.asked.iter().filter(is_umask);
        if umasks().is_sorted_by_key(Asked::place) {
            return umasks().for_each(print);
        }
        let mut umasks: Vec<&Asked> = umasks().collect();
        umasks.sort_by_key(|asked| asked.place());
        umasks.into_iter().for_each(print);
    }

    /// A unit mask by its code follows unit masks by name: that can be written as an alias only.
    pub(super) fn needs_alias(&self) -> bool {
        let is_raw = |asked: &Asked| matches!(asked.what, Attr::RawUmask);
        let is_umask = |asked: &Asked| matches!(asked.what, Attr::Umask(_));
        self.asked.iter().any(is_raw) && self.asked[..self.of_alias].iter().any(is_umask)
    }

    /// The attributes of the string, in the order of the event's list, without those that the encoder has added: of an
    /// attribute of perf_events with several values the one that counts, and of a modifier all that differ, because the
    /// first one may leave something behind. With `alias` those of an alias are included.
    pub(super) fn written(&self, alias: bool) -> Vec<&Asked> {
        let from = if alias { 0 } else { self.of_alias };
        let mut written: Vec<&Asked> = self.asked[from..self.written].iter().collect();
        if written.is_sorted_by(|a, b| a.place() < b.place()) {
            return written;
        }
        written.sort_by_key(|asked| (asked.place(), asked.stays_on()));
        written.reverse();
        written.dedup_by(|again, asked| {
            let stays = match asked.what {
                Attr::Umask(_) => true,
                Attr::Modifier(_) => again.value != asked.value,
                Attr::RawUmask | Attr::Perf(_) => false,
            };
            !stays && again.place() == asked.place()
        });
        written.reverse();
        written
    }

    /// The unit masks, defaults too.
    pub(crate) fn masks(&self) -> impl Iterator<Item = &Mask> {
        self.asked.iter().filter_map(|asked| match &asked.what {
            Attr::Umask(mask) => Some(mask),
            _ => None,
        })
    }

    /// A unit mask that is written is marked so.
    pub(crate) fn any_written(&self, marks: Marks) -> bool {
        self.asked[..self.written].iter().any(|asked| match &asked.what {
            Attr::Umask(mask) => mask.has(marks),
            _ => false,
        })
    }

    /// Any unit mask, a default too, is marked so.
    pub(crate) fn any_umask(&self, marks: Marks) -> bool {
        self.marks.has(marks)
    }
}
