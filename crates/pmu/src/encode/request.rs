//! The attributes that a string asks for, matched with those that its event has.

use std::ops::Range;

use super::text::Piece;
use super::{EncodeError, EncodeErrorKind};
use crate::attribute::{Attribute, AttributeKind, Controller};
use crate::pmu::Event;
use crate::similar::similar_names;

/// More attributes than this are refused.
const MOST: usize = 64;

/// What is asked of an event.
pub(crate) struct Request {
    /// What the event has.
    pub(crate) attributes: Vec<Attribute>,
    /// What the string asks for, in its order.
    requested: Vec<Requested>,
}

/// One attribute that was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Requested {
    /// Which of the event's attributes.
    index: usize,
    /// Its value; 0 for a unit mask.
    pub(crate) value: u64,
    /// Where the value stands in the string, or the name without one.
    pub(crate) span: Range<usize>,
}

impl Request {
    pub(super) fn new(attributes: Vec<Attribute>) -> Request {
        Request { attributes, requested: Vec::new() }
    }

    /// Matches more of the string, and drops what is written twice.
    pub(super) fn add(&mut self, event: &Event, pieces: &[Piece<'_>]) -> Result<(), EncodeError> {
        for piece in pieces {
            let attribute = self.find(event, piece)?;
            let value = value(attribute, piece)?;
            let index = attribute.index;
            if self.requested.len() == MOST {
                let kind = EncodeErrorKind::TooManyAttributes { most: MOST };
                return Err(EncodeError { span: piece.span.clone(), kind });
            }
            self.requested.push(Requested { index, value, span: piece.value_span.clone() });
        }
        self.drop_repeated()
    }

    /// The unit masks asked for, in the string's order.
    pub(crate) fn umasks(&self) -> impl Iterator<Item = (&Attribute, &Requested)> {
        self.all().filter(|(attribute, _)| attribute.kind == AttributeKind::Umask)
    }

    /// The attributes of perf_events asked for, in the string's order.
    pub(super) fn of_perf_events(&self) -> impl Iterator<Item = (&Attribute, &Requested)> {
        self.all().filter(|(attribute, _)| attribute.controller == Controller::PerfEvent)
    }

    fn all(&self) -> impl Iterator<Item = (&Attribute, &Requested)> {
        self.requested.iter().filter_map(|requested| {
            self.attributes.get(requested.index).map(|attribute| (attribute, requested))
        })
    }

    /// A unit mask takes no value, so that `X:I:I=1` can mean the unit mask and the modifier of one name.
    fn find(&self, event: &Event, piece: &Piece<'_>) -> Result<&Attribute, EncodeError> {
        let is_meant = |attribute: &&Attribute| {
            let takes = piece.value.is_none() || attribute.kind != AttributeKind::Umask;
            takes && attribute.name.eq_ignore_ascii_case(piece.name)
        };
        self.attributes.iter().find(is_meant).ok_or_else(|| EncodeError {
            span: piece.span.clone(),
            kind: self.not_found(event, piece.name),
        })
    }

    fn not_found(&self, event: &Event, name: &str) -> EncodeErrorKind {
        let known = self.attributes.iter().map(|attribute| attribute.name);
        if known.clone().any(|known| known.eq_ignore_ascii_case(name)) {
            return EncodeErrorKind::UmaskWithValue { name: name.to_owned() };
        }
        EncodeErrorKind::UnknownAttribute {
            name: name.to_owned(),
            event: event.name.to_owned(),
            similar: similar_names(name, known.clone()),
            known: known.collect(),
        }
    }

    /// Equal ones are one; the same one with two values is an error. What moves up when one is dropped
    /// is not looked at again in that pass, as in libpfm: of three equal ones two stay.
    fn drop_repeated(&mut self) -> Result<(), EncodeError> {
        let mut first = 0;
        while first < self.requested.len() {
            let mut other = first + 1;
            while other < self.requested.len() {
                let (kept, again) = (&self.requested[first], &self.requested[other]);
                if kept.index == again.index {
                    if kept.value != again.value {
                        let name = self.attributes[again.index].name.to_owned();
                        let kind = EncodeErrorKind::TwoValues { name };
                        return Err(EncodeError { span: again.span.clone(), kind });
                    }
                    self.requested.remove(other);
                }
                other += 1;
            }
            first += 1;
        }
        Ok(())
    }
}

/// The value that is written, or what stands for none.
fn value(attribute: &Attribute, piece: &Piece<'_>) -> Result<u64, EncodeError> {
    let refused = |kind| Err(EncodeError { span: piece.value_span.clone(), kind });
    let name = attribute.name.to_owned();
    match (attribute.kind, piece.value) {
        (AttributeKind::Umask, _) => Ok(0),
        (AttributeKind::Bool, None) => Ok(1),
        (AttributeKind::Bool, Some("y" | "Y" | "t" | "T" | "1")) => Ok(1),
        (AttributeKind::Bool, Some("n" | "N" | "f" | "F" | "0")) => Ok(0),
        (AttributeKind::Bool, Some(_)) => refused(EncodeErrorKind::NotABool { name }),
        (AttributeKind::Integer, None) => refused(EncodeErrorKind::MissingValue { name }),
        (AttributeKind::Integer, Some(text)) => match integer(text) {
            Some(value) => Ok(value),
            None => refused(EncodeErrorKind::NotANumber { name }),
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
