//! The attributes that a string asks for, matched with those that its event has.

use std::ops::Range;

use super::text::{Piece, Pieces};
use super::{EncodeError, EncodeErrorKind};
use crate::attribute::{Modifier, PerfAttribute, PerfRow, of_perf_events};
use crate::family::Family;
use crate::machine::Context;
use crate::pmu::{Event, Flags};
use crate::similar::similar_names;
use crate::tables::{Marks, Mask};

/// More attributes than this are refused.
const MOST: usize = 64;

/// Aliases of aliases are followed so far.
const MOST_ALIASES: usize = 8;

/// What is asked of an event.
pub(crate) struct Request {
    pub(crate) event: Event,
    /// What the string asks for, in its order, and then the defaults that its encoder has added.
    asked: Vec<Asked>,
    /// How many of them the string asks for.
    written: usize,
    /// How many of those an alias stands for.
    of_alias: usize,
}

/// One attribute that was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) what: Attr,
    /// Its value; 1 for a unit mask.
    pub(crate) value: u64,
    /// Where the value stands in the string, or the name without one.
    pub(crate) span: Range<usize>,
}

/// What was asked for.
#[derive(Debug, Clone)]
pub(crate) enum Attr {
    /// A unit mask of the event.
    Umask(Box<Mask>),
    /// A unit mask by its code, which is the value.
    RawUmask,
    /// A modifier of the PMU.
    Modifier(&'static Modifier),
    /// An attribute of perf_events.
    Perf(&'static PerfRow),
}

impl Asked {
    /// Where it stands in the event's list: unit masks, raw ones, modifiers, then perf_events.
    fn place(&self) -> u32 {
        match &self.what {
            Attr::Umask(mask) => mask.number.into(),
            Attr::RawUmask => 0x1_0000,
            Attr::Modifier(modifier) => 0x2_0014 + u32::from(modifier.index),
            Attr::Perf(row) => 0x3_0034 + row.0 as u32,
        }
    }

    /// The value of a modifier, if it may have it.
    pub(crate) fn in_range(&self, modifier: &Modifier) -> Result<u64, EncodeError> {
        let value = self.value;
        match modifier.range {
            Some((from, till)) if !(from..=till).contains(&value) => {
                let name = modifier.name.to_owned();
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

    fn name(&self) -> &'static str {
        match &self.what {
            Attr::Umask(mask) => mask.name,
            Attr::RawUmask => "0x",
            Attr::Modifier(modifier) => modifier.name,
            Attr::Perf(row) => row.1,
        }
    }
}

impl Request {
    pub(super) fn new(event: Event) -> Request {
        Request { event, asked: Vec::with_capacity(16), written: 0, of_alias: 0 }
    }

    /// Matches more of the string, and drops what is written twice.
    pub(super) fn add(&mut self, pieces: Pieces<'_>, context: &Context) -> Result<(), EncodeError> {
        self.add_all(pieces, context, 0)?;
        self.drop_repeated()?;
        self.written = self.asked.len();
        Ok(())
    }

    fn add_all(
        &mut self,
        pieces: Pieces<'_>,
        context: &Context,
        depth: usize,
    ) -> Result<(), EncodeError> {
        let (mut umask, mut raw) = (false, false);
        for piece in pieces {
            if self.asked.len() == MOST {
                let kind = EncodeErrorKind::TooManyAttributes { most: MOST };
                return Err(EncodeError { span: piece.span.clone(), kind });
            }
            if let [b'0', b'x' | b'X', ..] = piece.name.as_bytes() {
                self.add_raw(&piece, umask || raw)?;
                raw = true;
                continue;
            }
            let what = self.find(&piece, context)?;
            if let Attr::Umask(mask) = &what {
                if raw {
                    return Err(refused(&piece, "a unit mask is given by its code already"));
                }
                umask = true;
                if let Some(alias) = mask.row.alias {
                    if depth == MOST_ALIASES {
                        return Err(refused(&piece, "its name stands for itself"));
                    }
                    let pieces = Pieces::of_alias(alias, &piece.span);
                    self.add_all(pieces, context, depth + 1)?;
                    continue;
                }
            }
            let value = value(&what, &piece)?;
            self.asked.push(Asked { what, value, span: piece.value_span });
        }
        Ok(())
    }

    /// `0x…`: a unit mask by its code, alone.
    fn add_raw(&mut self, piece: &Piece<'_>, other: bool) -> Result<(), EncodeError> {
        if other {
            return Err(refused(piece, "a code stands for all unit masks"));
        }
        if !self.event.pmu.flags.has(Flags::RAW_UMASK) {
            return Err(refused(piece, "the PMU takes no codes of unit masks"));
        }
        let Some(value) = integer(piece.name) else {
            return Err(refused(piece, "this is no number"));
        };
        if piece.value.is_some() {
            let kind = EncodeErrorKind::RawUmaskWithValue { name: piece.name.to_owned() };
            return Err(EncodeError { span: piece.value_span.clone(), kind });
        }
        self.asked.push(Asked { what: Attr::RawUmask, value, span: piece.span.clone() });
        Ok(())
    }

    /// A unit mask takes no value, so that `X:I:I=1` can mean the unit mask and the modifier of one name.
    fn find(&self, piece: &Piece<'_>, context: &Context) -> Result<Attr, EncodeError> {
        let Request { event, .. } = self;
        let family = event.pmu.family;
        if piece.value.is_none()
            && let Some(mask) = family.mask(event, piece.name)
        {
            return Ok(Attr::Umask(Box::new(mask)));
        }
        let first = |name: &str| name.as_bytes().first().map(u8::to_ascii_lowercase);
        let (length, start) = (piece.name.len(), first(piece.name));
        // Most names differ in their length or their first letter.
        let is_meant = |name: &str| {
            name.len() == length && first(name) == start && name.eq_ignore_ascii_case(piece.name)
        };
        let mut own = family.modifiers_of(event, context.layer);
        if let Some(modifier) = own.find(|modifier| is_meant(modifier.name)) {
            return Ok(Attr::Modifier(modifier));
        }
        let mut perf = of_perf_events(context.layer);
        let found =
            perf.find(|row| is_meant(row.1) && family.keeps(event, row.0, &context.machine));
        found.map(Attr::Perf).ok_or_else(|| EncodeError {
            span: piece.span.clone(),
            kind: self.not_found(piece.name, context),
        })
    }

    fn not_found(&self, name: &str, context: &Context) -> EncodeErrorKind {
        let attributes = self.event.attributes(context.layer, &context.machine);
        let known: Vec<&'static str> = attributes.iter().map(|attribute| attribute.name).collect();
        if known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return EncodeErrorKind::UmaskWithValue { name: name.to_owned() };
        }
        EncodeErrorKind::UnknownAttribute {
            name: name.to_owned(),
            event: self.event.name.to_owned(),
            similar: similar_names(name, known.iter().copied()),
            known,
        }
    }

    /// Equal ones are one; the same one with two values is an error. What moves up when one is dropped
    /// is not looked at again in that pass, as in libpfm: of three equal ones two stay.
    fn drop_repeated(&mut self) -> Result<(), EncodeError> {
        // Most strings repeat nothing, and are done after one look at each.
        let mut places = 0u64;
        let fresh = |asked: &Asked| {
            let bit = 1 << (asked.place() % 64);
            let fresh = places & bit == 0;
            places |= bit;
            fresh
        };
        if self.event.pmu.family != Family::Sparc && self.asked.iter().all(fresh) {
            return Ok(());
        }
        let mut first = 0;
        while first < self.asked.len() {
            let mut other = first + 1;
            while other < self.asked.len() {
                let (kept, again) = (&self.asked[first], &self.asked[other]);
                if self.is_same(kept, again) {
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

    fn is_same(&self, a: &Asked, b: &Asked) -> bool {
        // In libpfm all modifiers of SPARC have one number.
        let sparc = self.event.pmu.family == Family::Sparc
            && matches!((&a.what, &b.what), (Attr::Modifier(_), Attr::Modifier(_)));
        sparc || a.place() == b.place()
    }

    /// What the PMU acts on, in the string's order.
    pub(crate) fn of_pmu(&self) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(|asked| !matches!(&asked.what, Attr::Perf(_)))
    }

    /// The attributes of perf_events asked for, in the string's order.
    pub(super) fn of_perf_events(&self) -> impl Iterator<Item = (PerfAttribute, &Asked)> {
        self.asked.iter().filter_map(|asked| match &asked.what {
            Attr::Perf(row) => Some((row.0, asked)),
            _ => None,
        })
    }

    /// Adds a unit mask that nobody has written.
    pub(crate) fn add_default(&mut self, mask: Mask) {
        self.asked.push(Asked { what: Attr::Umask(Box::new(mask)), value: 1, span: 0..0 });
    }

    /// Unit masks, as they are printed: in the order of the event's list.
    pub(super) fn printed_umasks(&self) -> Vec<&Asked> {
        let is_umask = |asked: &&Asked| matches!(&asked.what, Attr::Umask(_) | Attr::RawUmask);
        let mut umasks: Vec<&Asked> = self.asked.iter().filter(is_umask).collect();
        umasks.sort_by_key(|asked| asked.place());
        umasks
    }

    /// What comes from now on is written by the user, after what an alias stands for.
    pub(super) fn end_alias(&mut self) {
        self.of_alias = self.asked.len();
    }

    /// A unit mask by its code follows unit masks by name: that can be written as an alias only.
    pub(super) fn needs_alias(&self) -> bool {
        let is_raw = |asked: &Asked| matches!(asked.what, Attr::RawUmask);
        let is_umask = |asked: &Asked| matches!(asked.what, Attr::Umask(_));
        self.asked.iter().any(is_raw) && self.asked[..self.of_alias].iter().any(is_umask)
    }

    /// What the string asks for, in the order of the event's list, without what the encoder has added:
    /// of a modifier with several values the last. With `alias` what an alias stands for is part of it.
    pub(super) fn written(&self, alias: bool) -> Vec<&Asked> {
        let from = if alias { 0 } else { self.of_alias };
        let mut written: Vec<&Asked> = self.asked[from..self.written].iter().collect();
        written.sort_by_key(|asked| asked.place());
        written.reverse();
        written.dedup_by(|again, asked| {
            !matches!(asked.what, Attr::Umask(_)) && again.place() == asked.place()
        });
        written.reverse();
        written
    }

    /// The unit masks, defaults too.
    pub(crate) fn masks(&self) -> impl Iterator<Item = &Mask> {
        self.asked.iter().filter_map(|asked| match &asked.what {
            Attr::Umask(mask) => Some(mask.as_ref()),
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
        self.masks().any(|mask| mask.has(marks))
    }
}

fn refused(piece: &Piece<'_>, why: &'static str) -> EncodeError {
    let kind = EncodeErrorKind::RawUmask { name: piece.name.to_owned(), why };
    EncodeError { span: piece.span.clone(), kind }
}

/// The value that is written, or what stands for none.
fn value(what: &Attr, piece: &Piece<'_>) -> Result<u64, EncodeError> {
    let refused = |kind: fn(String) -> EncodeErrorKind| {
        Err(EncodeError { span: piece.value_span.clone(), kind: kind(piece.name.to_owned()) })
    };
    let range = match what {
        Attr::Umask(_) | Attr::RawUmask => return Ok(1),
        Attr::Modifier(modifier) => modifier.range,
        Attr::Perf(row) => row.3,
    };
    match (range, piece.value) {
        (None, None) => Ok(1),
        (None, Some(text)) => match text.as_bytes() {
            [b'y' | b'Y' | b't' | b'T' | b'1'] => Ok(1),
            [b'n' | b'N' | b'f' | b'F' | b'0'] => Ok(0),
            _ => refused(|name| EncodeErrorKind::NotABool { name }),
        },
        (Some(_), None) => refused(|name| EncodeErrorKind::MissingValue { name }),
        (Some(_), Some(text)) => match integer(text) {
            Some(value) => Ok(value),
            None => refused(|name| EncodeErrorKind::NotANumber { name }),
        },
    }
}

/// What C's `strtoull(text, &end, 0)` reads, if it reads all of a text that is not empty.
fn integer(text: &str) -> Option<u64> {
    let text = text.trim_start_matches(['\u{b}', '\u{c}', '\r']);
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = match hex {
        Some(digits) => (digits, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    // Too many digits saturate, whatever the sign.
    Some(match u64::from_str_radix(digits, radix) {
        Ok(value) if negative => value.wrapping_neg(),
        Ok(value) => value,
        Err(_) => u64::MAX,
    })
}
