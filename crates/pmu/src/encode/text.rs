//! A string cut at its separators.

use std::ops::Range;

use super::{EncodeError, EncodeErrorKind};

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
    pub(super) name: &'a str,
    pub(super) value: Option<&'a str>,
    pub(super) span: Range<usize>,
    pub(super) value_span: Range<usize>,
}

/// What stands between separators.
#[derive(Debug, Clone)]
pub(super) struct Pieces<'a> {
    /// What is left, without the separator before it.
    rest: Option<&'a str>,
    at: usize,
    /// Where the pieces are said to stand, if not where they do.
    instead: Option<Range<usize>>,
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
        let prefix = bytes.windows(2).position(|pair| pair == b"::");
        let (pmu, rest) = match prefix {
            Some(at) => (Some(Piece::plain(&string[..at], 0)), &string[at + 2..]),
            None => (None, string),
        };
        let at = string.len() - rest.len();
        let mut attributes = Pieces { rest: Some(rest), at, instead: None };
        let (event, start, _) = attributes.cut().unwrap_or((rest, at, None));
        Ok(Text { pmu, event: Piece::plain(event, start), attributes })
    }
}

impl<'a> Pieces<'a> {
    /// The attributes that an alias stands for, as if they were written at `span`.
    pub(super) fn of_alias(text: &'a str, span: &Range<usize>) -> Pieces<'a> {
        Pieces { rest: Some(text), at: 0, instead: Some(span.clone()) }
    }

    /// The same as if they had been written at `span`.
    pub(super) fn moved(self, span: &Range<usize>) -> Pieces<'a> {
        Pieces { instead: Some(span.clone()), ..self }
    }

    /// The next piece, where it begins, and how far its first `=` is from there.
    fn cut(&mut self) -> Option<(&'a str, usize, Option<usize>)> {
        let rest = self.rest?;
        let start = self.at;
        let (mut end, mut equals) = (None, None);
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b':' | b'.' => {
                    end = Some(at);
                    break;
                }
                b'=' if equals.is_none() => equals = Some(at),
                _ => {}
            }
        }
        let piece = &rest[..end.unwrap_or(rest.len())];
        self.rest = end.map(|end| &rest[end + 1..]);
        self.at += piece.len() + 1;
        Some((piece, start, equals))
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let (text, start, equals) = self.cut()?;
        let mut piece = Piece::plain(text, start);
        if let Some(equals) = equals {
            piece.name = &text[..equals];
            piece.value = Some(&text[equals + 1..]);
            piece.value_span.start += equals + 1;
        }
        if let Some(span) = &self.instead {
            (piece.span, piece.value_span) = (span.clone(), span.clone());
        }
        Some(piece)
    }
}

impl<'a> Piece<'a> {
    fn plain(name: &'a str, start: usize) -> Piece<'a> {
        let span = start..start + name.len();
        Piece { name, value: None, span: span.clone(), value_span: span }
    }
}
