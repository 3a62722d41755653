//! A string cut at its separators.

use std::ops::Range;

use super::{EncodeError, EncodeErrorKind};

/// `[pmu::]event{:attribute}`
pub(super) struct Text<'a> {
    pub(super) pmu: Option<Piece<'a>>,
    pub(super) event: Piece<'a>,
    pub(super) attributes: Vec<Piece<'a>>,
}

/// `name[=value]`
#[derive(Debug, Clone)]
pub(super) struct Piece<'a> {
    pub(super) name: &'a str,
    pub(super) value: Option<&'a str>,
    pub(super) span: Range<usize>,
    pub(super) value_span: Range<usize>,
}

impl<'a> Text<'a> {
    /// The first `::` ends the PMU's name; after it `:` and `.` separate.
    pub(super) fn split(string: &'a str) -> Result<Text<'a>, EncodeError> {
        if let Some((at, found)) =
            string.char_indices().find(|&(_, c)| matches!(c, ',' | ' ' | '\t' | '\n'))
        {
            let kind = EncodeErrorKind::SeveralEvents { found };
            return Err(EncodeError { span: at..at + 1, kind });
        }
        let (pmu, rest) = match string.split_once("::") {
            Some((pmu, rest)) => (Some(Piece::plain(pmu, 0)), rest),
            None => (None, string),
        };
        let mut at = string.len() - rest.len();
        let mut pieces = rest.split([':', '.']).map(|piece| {
            let start = at;
            at += piece.len() + 1;
            (piece, start)
        });
        let (event, start) = pieces.next().unwrap_or((rest, string.len()));
        let event = Piece::plain(event, start);
        Ok(Text {
            pmu,
            event,
            attributes: pieces.map(|(piece, start)| Piece::new(piece, start)).collect(),
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

    /// The same as if it had been written at `span`.
    pub(super) fn moved(&self, span: &Range<usize>) -> Piece<'a> {
        Piece { span: span.clone(), value_span: span.clone(), ..self.clone() }
    }
}
