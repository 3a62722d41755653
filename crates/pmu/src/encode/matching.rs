//! The attributes of a string, matched with those that its event has.

use super::error::{EncodeError, EncodeErrorKind};
use super::request::{Attr, Request};
use super::text::{Piece, Pieces};
use crate::machine::Context;
use crate::modifier::{Allowed, Modifier};
use crate::pmu::{Event, Flags};
use crate::tables::row::Mask;

/// More attributes than this are an error.
const MOST: usize = 64;

/// Aliases of aliases are followed so far.
const MOST_ALIASES: usize = 8;

/// An event and the attributes that are asked of it.
pub(super) struct Matching<'c> {
    pub(super) event: Event,
    pub(super) allowed: Allowed,
    pub(super) request: Request,
    context: &'c Context,
}

impl<'c> Matching<'c> {
    #[inline(always)]
    pub(super) fn new(event: Event, context: &'c Context) -> Matching<'c> {
        let family = event.pmu.family;
        let levels = context.machine.privilege;
        let allowed = Allowed::new(
            family.modifiers.list,
            family.taken(&event, context.layer),
            family.kept(&event, context.layer, levels),
        );
        Matching { event, allowed, request: Request::new(), context }
    }

    /// Matches more of the string, and drops attributes that are written twice.
    #[inline]
    pub(super) fn add(&mut self, pieces: Pieces<'_>) -> Result<(), EncodeError> {
        self.add_all(pieces, 0)?;
        self.request.drop_repeated(self.event.pmu.family.one_number)?;
        self.request.end(false);
        Ok(())
    }

    /// The same with the attributes that an alias of the event stands for, which are nowhere in the string.
    pub(super) fn add_alias(&mut self, pieces: Pieces<'_>) -> Result<(), EncodeError> {
        self.add(pieces).map_err(|error| EncodeError { span: 0..0, ..error })?;
        self.request.end(true);
        Ok(())
    }

    fn add_all(&mut self, pieces: Pieces<'_>, depth: usize) -> Result<(), EncodeError> {
        let (mut umask, mut raw, mut next) = (false, false, 0);
        for piece in pieces {
            if self.request.len() == MOST {
                let kind = EncodeErrorKind::TooManyAttributes { most: MOST };
                return Err(EncodeError { span: piece.span(), kind });
            }
            if let Some(mask) = self.find_mask(piece) {
                if raw {
                    return Err(refused(piece, "a unit mask is already given by its code"));
                }
                umask = true;
                match self.event.place.mask_alias(&mask) {
                    Some(alias) => self.add_mask_alias(alias, piece, depth)?,
                    None => self.request.push(Attr::Umask(mask), 1, piece.span()),
                }
                continue;
            }
            match self.allowed.find(piece.key, &mut next) {
                Some(found) => {
                    let value = value(found.modifier(), piece)?;
                    self.request.push(found.into(), value, piece.value_span());
                }
                // No name begins so.
                None if piece.is_raw() => {
                    self.add_raw(piece, umask || raw)?;
                    raw = true;
                }
                None => {
                    let kind = self.not_found(piece.name());
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
        depth: usize,
    ) -> Result<(), EncodeError> {
        if depth == MOST_ALIASES {
            return Err(refused(piece, "it is an alias of itself"));
        }
        let before = self.request.len();
        self.add_all(Pieces::of_alias(alias), depth + 1)
            .map_err(|error| EncodeError { span: piece.span(), ..error })?;
        self.request.set_spans(before, &piece.span());
        Ok(())
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
            return Err(refused(piece, "this is not a number"));
        };
        if piece.has_value() {
            let kind = EncodeErrorKind::RawUmaskWithValue { name: piece.name().to_owned() };
            return Err(EncodeError { span: piece.value_span(), kind });
        }
        self.request.push(Attr::RawUmask, value, piece.span());
        Ok(())
    }

    /// A unit mask takes no value, so that `X:I:I=1` can mean the unit mask and the modifier of one name.
    #[inline]
    fn find_mask(&self, piece: Piece<'_>) -> Option<Mask> {
        if piece.has_value() { None } else { self.event.mask(piece.name()) }
    }

    fn not_found(&self, name: &str) -> EncodeErrorKind {
        let attributes = self.event.attributes(self.context.layer, &self.context.machine);
        let known: Vec<&'static str> = attributes.iter().map(|attribute| attribute.name).collect();
        if known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return EncodeErrorKind::UmaskWithValue { name: name.to_owned() };
        }
        EncodeErrorKind::UnknownAttribute {
            name: name.to_owned(),
            event: self.event.name.to_owned(),
            known,
        }
    }
}

fn refused(piece: Piece<'_>, why: &'static str) -> EncodeError {
    let kind = EncodeErrorKind::RawUmask { name: piece.name().to_owned(), why };
    EncodeError { span: piece.span(), kind }
}

/// The value that is written, or the default.
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

/// The number that C's `strtoull(text, &end, 0)` reads, if it reads all of a text that is not empty.
pub(super) fn integer(text: &[u8]) -> Option<u64> {
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
