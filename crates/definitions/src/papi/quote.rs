//! Quotes around fields.

use super::ast::Field;
use crate::diagnostic::{Code, Diagnostic};

/// Reports a field whose quote is not closed, or contains another one.
pub(super) fn doubtful_quote(field: Field<'_>, mark: char) -> Option<Diagnostic> {
    let closed = field.quote.is_some_and(|quote| quote.closed);
    let opening = field.start..field.start + 1;
    let second = field.text.find(mark);
    match (closed, second) {
        (false, None) => {
            let message =
                format!("this {mark} is not closed, so the text continues to the end of the line");
            let help =
                format!("write {mark} where the text ends, before a comma or the end of the line");
            Some(Diagnostic::new(Code::UnclosedQuote, opening, message).help(help))
        }
        (false, Some(second)) => {
            let span = field.text_start() + second + 1..field.span().end;
            Some(
                Diagnostic::new(
                    Code::TextAfterQuote,
                    span,
                    "this text follows a closing quote without a comma",
                )
                .help("put a comma before it, or remove the quote"),
            )
        }
        (true, _) => {
            let opens = |at: usize| field.text[..at].trim_end_matches(is_blank).ends_with(',');
            let other = field.text.match_indices(mark).map(|(at, _)| at).find(|at| opens(*at))?;
            let message =
                format!("this {mark} is not closed before the next one, {other} bytes later");
            let help = format!("write {mark} where the text ends, before a comma");
            Some(Diagnostic::new(Code::QuoteRunsOn, opening, message).help(help))
        }
    }
}

pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{feff}')
}
