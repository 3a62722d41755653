//! A string cut at its separators.

use std::ops::Range;

use super::{EncodeError, EncodeErrorKind};

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
        let is_list = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\n');
        if let Some(at) = string.bytes().position(|byte| is_list(&byte)) {
            let found = char::from(string.as_bytes()[at]);
            let kind = EncodeErrorKind::SeveralEvents { found };
            return Err(EncodeError { span: at..at + 1, kind });
        }
        let (pmu, rest) = match string.split_once("::") {
            Some((pmu, rest)) => (Some(Piece::plain(pmu, 0)), rest),
            None => (None, string),
        };
        let at = string.len() - rest.len();
        let mut attributes = Pieces { rest: Some(rest), at, instead: None };
        let (event, start) = attributes.cut().unwrap_or((rest, at));
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

    fn cut(&mut self) -> Option<(&'a str, usize)> {
        let rest = self.rest?;
        let start = self.at;
        let end = rest.bytes().position(|byte| matches!(byte, b':' | b'.'));
        let piece = &rest[..end.unwrap_or(rest.len())];
        self.rest = end.map(|end| &rest[end + 1..]);
        self.at += piece.len() + 1;
        Some((piece, start))
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let (text, start) = self.cut()?;
        let piece = Piece::new(text, start);
        Some(match &self.instead {
            Some(span) => Piece { span: span.clone(), value_span: span.clone(), ..piece },
            None => piece,
        })
    }
}

impl<'a> Piece<'a> {
    fn new(text: &'a str, start: usize) -> Piece<'a> {
        let Some((name, value)) = text.split_once('=') else { return Piece::plain(text, start) };
        let end = start + text.len();
        Piece { name, value: Some(value), span: start..end, value_span: end - value.len()..end }
    }

    fn plain(name: &'a str, start: usize) -> Piece<'a> {
        let span = start..start + name.len();
        Piece { name, value: None, span: span.clone(), value_span: span }
    }
}
