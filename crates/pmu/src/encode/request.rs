//! The attributes that a string asks for, matched with those that its event has.

use std::ops::Range;

use super::text::{Piece, Pieces};
use super::{EncodeError, EncodeErrorKind};
use crate::family::Family;
use crate::machine::Context;
use crate::modifier::{Allowed, Found, Modifier, PerfAttribute};
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
    pub(super) allowed: Allowed,
    /// What the string asks for, in its order, and then the defaults that its encoder has added.
    asked: Vec<Asked>,
    /// A bit for each of their places, which several may share; none is asked for twice before two do.
    places: u64,
    repeated: bool,
    /// The marks of all unit masks.
    marks: Marks,
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
    /// Where it stands in the event's list: unit masks, raw ones, modifiers, then perf_events.
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
            Attr::Umask(mask) => mask.row.name,
            Attr::RawUmask => "0x",
            Attr::Modifier(modifier) => modifier.name,
            Attr::Perf(which) => which.modifier().name,
        }
    }
}

impl Request {
    #[inline(always)]
    pub(super) fn new(event: Event, Context { layer, machine, .. }: &Context) -> Request {
        let family = event.pmu.family;
        Request {
            event,
            allowed: Allowed::new(
                family.modifiers(),
                family.taken(&event, *layer),
                family.kept(&event, *layer, machine),
            ),
            asked: Vec::with_capacity(12),
            places: 0,
            repeated: false,
            marks: Marks(0),
            written: 0,
            of_alias: 0,
        }
    }

    /// Matches more of the string, and drops what is written twice.
    pub(super) fn add(&mut self, pieces: Pieces<'_>, context: &Context) -> Result<(), EncodeError> {
        self.add_all(pieces, context, 0)?;
        self.drop_repeated()?;
        self.written = self.asked.len();
        Ok(())
    }

    /// The same with what an alias of the event stands for, which stands nowhere in the string.
    pub(super) fn add_alias(
        &mut self,
        pieces: Pieces<'_>,
        context: &Context,
    ) -> Result<(), EncodeError> {
        let added = self.add(pieces, context);
        self.of_alias = self.asked.len();
        self.asked.iter_mut().for_each(|asked| asked.span = 0..0);
        added.map_err(|error| EncodeError { span: 0..0, ..error })
    }

    fn add_all(
        &mut self,
        pieces: Pieces<'_>,
        context: &Context,
        depth: usize,
    ) -> Result<(), EncodeError> {
        let (mut umask, mut raw, mut next) = (false, false, 0);
        for piece in pieces {
            if self.asked.len() == MOST {
                let kind = EncodeErrorKind::TooManyAttributes { most: MOST };
                return Err(EncodeError { span: piece.span(), kind });
            }
            if let Some(mask) = self.find_mask(piece) {
                if raw {
                    return Err(refused(piece, "a unit mask is given by its code already"));
                }
                umask = true;
                match self.event.place.mask_alias(&mask) {
                    Some(alias) => self.add_mask_alias(alias, piece, context, depth)?,
                    None => self.push(Attr::Umask(mask), 1, piece.span()),
                }
                continue;
            }
            match self.allowed.find(piece.key, &mut next) {
                Some(found) => {
                    let value = value(found.modifier(), piece)?;
                    self.push(found.into(), value, piece.value_span());
                }
                // No name begins so.
                None if piece.is_raw() => {
                    self.add_raw(piece, umask || raw)?;
                    raw = true;
                }
                None => {
                    let kind = self.not_found(piece.name(), context);
                    return Err(EncodeError { span: piece.span(), kind });
                }
            }
        }
        Ok(())
    }

    fn add_mask_alias(
        &mut self,
        alias: &str,
        piece: Piece<'_>,
        context: &Context,
        depth: usize,
    ) -> Result<(), EncodeError> {
        if depth == MOST_ALIASES {
            return Err(refused(piece, "its name stands for itself"));
        }
        let before = self.asked.len();
        self.add_all(Pieces::of_alias(alias), context, depth + 1)
            .map_err(|error| EncodeError { span: piece.span(), ..error })?;
        self.asked[before..].iter_mut().for_each(|asked| asked.span = piece.span());
        Ok(())
    }

    #[inline]
    fn push(&mut self, what: Attr, value: u64, span: Range<usize>) {
        let bit = 1 << (what.place() % 64);
        self.repeated |= self.places & bit != 0;
        self.places |= bit;
        if let Attr::Umask(mask) = &what {
            self.marks = self.marks | mask.row.marks;
        }
        self.asked.push(Asked { what, value, span });
    }

    /// `0x…`: a unit mask by its code, alone.
    fn add_raw(&mut self, piece: Piece<'_>, other: bool) -> Result<(), EncodeError> {
        if other {
            return Err(refused(piece, "a code stands for all unit masks"));
        }
        if !self.event.pmu.flags.has(Flags::RAW_UMASK) {
            return Err(refused(piece, "the PMU takes no codes of unit masks"));
        }
        let Some(value) = integer(piece.name().as_bytes()) else {
            return Err(refused(piece, "this is no number"));
        };
        if piece.has_value() {
            let kind = EncodeErrorKind::RawUmaskWithValue { name: piece.name().to_owned() };
            return Err(EncodeError { span: piece.value_span(), kind });
        }
        self.push(Attr::RawUmask, value, piece.span());
        Ok(())
    }

    /// A unit mask takes no value, so that `X:I:I=1` can mean the unit mask and the modifier of one name.
    fn find_mask(&self, piece: Piece<'_>) -> Option<Mask> {
        match piece.has_value() {
            true => None,
            false => self.event.pmu.family.mask(&self.event, piece.name()),
        }
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
        if !self.repeated && self.event.pmu.family != Family::Sparc {
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
            Attr::Perf(which) => Some((*which, asked)),
            _ => None,
        })
    }

    /// Adds a unit mask that nobody has written.
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

    /// What the string asks for, in the order of the event's list, without what the encoder has added:
    /// of a modifier with several values the last. With `alias` what an alias stands for is part of it.
    pub(super) fn written(&self, alias: bool) -> Vec<&Asked> {
        let from = if alias { 0 } else { self.of_alias };
        let mut written: Vec<&Asked> = self.asked[from..self.written].iter().collect();
        if written.is_sorted_by(|a, b| a.place() < b.place()) {
            return written;
        }
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

fn refused(piece: Piece<'_>, why: &'static str) -> EncodeError {
    let kind = EncodeErrorKind::RawUmask { name: piece.name().to_owned(), why };
    EncodeError { span: piece.span(), kind }
}

/// The value that is written, or what stands for none.
#[inline]
fn value(modifier: &Modifier, piece: Piece<'_>) -> Result<u64, EncodeError> {
    match (modifier.range, piece.value()) {
        // Most are one digit.
        (None, Some([digit @ b'0'..=b'1'])) | (Some(_), Some([digit @ b'0'..=b'9'])) => {
            Ok(u64::from(digit - b'0'))
        }
        (None, None | Some([b'y' | b'Y' | b't' | b'T'])) => Ok(1),
        (None, Some([b'n' | b'N' | b'f' | b'F'])) => Ok(0),
        (None, Some(_)) => no_value(piece, |name| EncodeErrorKind::NotABool { name }),
        (Some(_), None) => no_value(piece, |name| EncodeErrorKind::MissingValue { name }),
        (Some(_), Some(text)) => match integer(text) {
            Some(value) => Ok(value),
            None => no_value(piece, |name| EncodeErrorKind::NotANumber { name }),
        },
    }
}

#[cold]
fn no_value(piece: Piece<'_>, kind: fn(String) -> EncodeErrorKind) -> Result<u64, EncodeError> {
    Err(EncodeError { span: piece.value_span(), kind: kind(piece.name().to_owned()) })
}

/// What C's `strtoull(text, &end, 0)` reads, if it reads all of a text that is not empty.
fn integer(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
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
