//! A string cut at its separators.

use std::ops::Range;

use super::error::{EncodeError, EncodeErrorKind};
use crate::short::{find, first, has_below, key_of, word};

/// It separates events.
fn is_list(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\t' | b'\n')
}

/// `[pmu::]event{:attribute}`
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    text: &'a str,
    /// The place where the event begins: behind the PMU's name and `::`, if there are any.
    start: usize,
    end: usize,
}

/// `name[=value]`
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    text: &'a str,
    start: usize,
    /// The places where the name ends, and where the value does, or the name again.
    name_end: usize,
    end: usize,
    /// Of a name of up to eight bytes the [`key`](crate::short::key), of others 0.
    pub(super) key: u64,
}

impl<'a> Piece<'a> {
    pub(super) fn name(&self) -> &'a str {
        part(self.text, self.start..self.name_end)
    }

    /// It begins with `0x`.
    pub(super) fn is_raw(&self) -> bool {
        matches!(self.name().as_bytes(), [b'0', b'x' | b'X', ..])
    }

    pub(super) fn has_value(&self) -> bool {
        self.name_end < self.end
    }

    pub(super) fn value(&self) -> Option<&'a [u8]> {
        self.text.as_bytes().get(self.name_end + 1..self.end)
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// That of the value, or of the name if it has none.
    pub(super) fn value_span(&self) -> Range<usize> {
        let start = if self.has_value() { self.name_end + 1 } else { self.start };
        start..self.end
    }
}

/// A part that ends at ASCII characters, so that it is a text.
fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// The pieces between separators.
#[derive(Debug, Clone)]
pub(super) struct Pieces<'a> {
    text: &'a str,
    /// The place where the next piece begins; behind the end when there is none.
    at: usize,
}

impl<'a> Text<'a> {
    /// The first `::` ends the PMU's name; after it `:` and `.` separate.
    #[inline(always)]
    pub(super) fn split(string: &'a str) -> Result<Text<'a>, EncodeError> {
        let bytes = string.as_bytes();
        // Almost no string has one, nor anything as low.
        if has_below(bytes, b',' + 1)
            && let Some(at) = bytes.iter().position(|byte| is_list(*byte))
        {
            let found = char::from(bytes[at]);
            let kind = EncodeErrorKind::SeveralEvents { found };
            return Err(EncodeError { span: at..at + 1, kind });
        }
        let start = prefix(bytes).map_or(0, |end| end + 2);
        Ok(Text { text: string, start, end: find(bytes, start, *b":.") })
    }

    /// The PMU's name.
    pub(super) fn pmu(&self) -> Option<&'a str> {
        self.start.checked_sub(2).map(|end| part(self.text, 0..end))
    }

    /// The event's name.
    pub(super) fn event(&self) -> &'a str {
        part(self.text, self.span())
    }

    /// That of the event.
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn attributes(&self) -> Pieces<'a> {
        Pieces { text: self.text, at: self.end + 1 }
    }
}

/// The position of the first `::`.
fn prefix(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at = find(bytes, at, *b":");
        if bytes.get(at + 1)? == &b':' {
            return Some(at);
        }
        at += 1;
    }
}

impl<'a> Pieces<'a> {
    /// The attributes that an alias stands for.
    pub(super) fn of_alias(text: &'a str) -> Pieces<'a> {
        Pieces { text, at: 0 }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    #[inline]
    fn next(&mut self) -> Option<Piece<'a>> {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        if start > bytes.len() {
            return None;
        }
        let word = word(bytes, start);
        let (name_end, key) = match first(word, *b":.=") {
            Some(length) => (start + length, key_of(word, length)),
            None => match find(bytes, start + 8, *b":.=") {
                end if end <= start + 8 => (end, key_of(word, end - start)),
                end => (end, 0),
            },
        };
        let end = match bytes.get(name_end..) {
            // Most values are one digit.
            Some([b'=', b'0'..=b'9', b':' | b'.', ..]) => name_end + 2,
            Some([b'=', ..]) => find(bytes, name_end + 1, *b":."),
            _ => name_end,
        };
        self.at = end + 1;
        Some(Piece { text: self.text, start, name_end, end, key })
    }
}
