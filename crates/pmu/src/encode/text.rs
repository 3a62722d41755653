//! A string cut at its separators.

use std::ops::Range;

use super::{EncodeError, EncodeErrorKind};
use crate::short::{find, first, lower, word};

/// It separates events.
fn is_list(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\t' | b'\n')
}

/// `[pmu::]event{:attribute}`
pub(super) struct Text<'a> {
    pub(super) pmu: Option<Piece<'a>>,
    pub(super) event: Piece<'a>,
    pub(super) attributes: Pieces<'a>,
}

/// `name[=value]`
#[derive(Debug, Clone)]
pub(super) struct Piece<'a> {
    text: &'a str,
    start: usize,
    /// Where the name ends, and where the value does, or the name again.
    name_end: usize,
    end: usize,
    /// Of a name of up to eight bytes the [`key`](crate::short::key), of others 0.
    pub(super) key: u64,
    /// It begins with `0x`.
    pub(super) is_raw: bool,
    /// Where it is said to stand, if not where it does.
    instead: Option<&'a Range<usize>>,
}

impl<'a> Piece<'a> {
    fn plain(text: &'a str, start: usize, end: usize) -> Piece<'a> {
        Piece { text, start, name_end: end, end, key: 0, is_raw: false, instead: None }
    }

    pub(super) fn name(&self) -> &'a str {
        // Pieces end at ASCII characters, so that they are texts.
        self.text.get(self.start..self.name_end).unwrap_or_default()
    }

    pub(super) fn has_value(&self) -> bool {
        self.name_end < self.end
    }

    pub(super) fn value(&self) -> Option<&'a [u8]> {
        self.text.as_bytes().get(self.name_end + 1..self.end)
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.instead.cloned().unwrap_or(self.start..self.end)
    }

    /// That of the value, or of the name if it has none.
    pub(super) fn value_span(&self) -> Range<usize> {
        let start = if self.has_value() { self.name_end + 1 } else { self.start };
        self.instead.cloned().unwrap_or(start..self.end)
    }
}

/// What stands between separators.
#[derive(Debug, Clone)]
pub(super) struct Pieces<'a> {
    text: &'a str,
    /// Where the next piece begins; behind the end when there is none.
    at: usize,
    /// Where the pieces are said to stand, if not where they do.
    instead: Option<&'a Range<usize>>,
}

impl<'a> Text<'a> {
    /// The first `::` ends the PMU's name; after it `:` and `.` separate.
    pub(super) fn split(string: &'a str) -> Result<Text<'a>, EncodeError> {
        let bytes = string.as_bytes();
        // Almost no string has one: look at all bytes at once, and for the first only then.
        let lists = bytes.iter().fold(false, |any, byte| any | is_list(*byte));
        if lists && let Some(at) = bytes.iter().position(|byte| is_list(*byte)) {
            let found = char::from(bytes[at]);
            let kind = EncodeErrorKind::SeveralEvents { found };
            return Err(EncodeError { span: at..at + 1, kind });
        }
        let prefix = prefix(bytes);
        let pmu = prefix.map(|end| Piece::plain(string, 0, end));
        let start = prefix.map_or(0, |end| end + 2);
        let end = find(bytes, start, *b":.");
        let attributes = Pieces { text: string, at: end + 1, instead: None };
        Ok(Text { pmu, event: Piece::plain(string, start, end), attributes })
    }
}

/// Where the first `::` stands.
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
    /// The attributes that an alias stands for, as if they were written at `span`.
    pub(super) fn of_alias(text: &'a str, span: &'a Range<usize>) -> Pieces<'a> {
        Pieces { text, at: 0, instead: Some(span) }
    }

    /// The same as if they had been written at `span`.
    pub(super) fn moved(self, span: &'a Range<usize>) -> Pieces<'a> {
        Pieces { instead: Some(span), ..self }
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
        let (name_end, key, end) = match (first(word, *b"="), first(word, *b":.")) {
            // Most attributes end within eight bytes.
            (Some(name), Some(end)) if name < end => {
                (start + name, key_of(word, name), start + end)
            }
            (_, Some(end)) => (start + end, key_of(word, end), start + end),
            (name, None) => {
                let name_end = name.map_or_else(|| find(bytes, start + 8, *b":.="), |n| start + n);
                let key = if name_end <= start + 8 { key_of(word, name_end - start) } else { 0 };
                match bytes.get(name_end) {
                    Some(b'=') => (name_end, key, find(bytes, name_end + 1, *b":.")),
                    _ => (name_end, key, name_end),
                }
            }
        };
        self.at = end + 1;
        // `x` and `X` differ in this bit only.
        let is_raw = word as u16 & !0x2000 == u16::from_le_bytes(*b"0X");
        Some(Piece { text: self.text, start, name_end, end, key, is_raw, instead: self.instead })
    }
}

/// The key of a name that is the first bytes of a word.
fn key_of(word: u64, length: usize) -> u64 {
    let above = u64::MAX.checked_shl(8 * length as u32).unwrap_or(0);
    lower(word & !above)
}
