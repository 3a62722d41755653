//! Words a syntax error of the grammar for the author of the line.

use std::ops::Range;

use super::ast::{DerivedType, Field};
use super::lexer::Token;
use crate::diagnostic::{Code, Diagnostic};

/// The tokens that the grammar expected where it stopped, distinguished by the tokens that it would have accepted.
enum Wanted {
    Name,
    Type,
    Formula,
    FirstTerm,
    Nothing,
}

fn wanted(expected: &[String]) -> Wanted {
    let takes = |name: &str| expected.iter().any(|token| token.trim_matches('"') == name);
    if takes("the end of the line") {
        Wanted::Nothing
    } else if !takes("a field") {
        Wanted::Type
    } else if takes("a key") {
        Wanted::Name
    } else if takes("CPU") {
        Wanted::Formula
    } else {
        Wanted::FirstTerm
    }
}

/// The error of a line that the grammar rejects at a token.
pub(super) fn explain(token: Token, field: Field<'_>, expected: &[String]) -> Diagnostic {
    let (wanted, text, span) = (wanted(expected), field.text, field.span());
    match (wanted, token) {
        (Wanted::FirstTerm | Wanted::Nothing, Token::Keyword(_) | Token::Cpu(_)) => {
            joined_lines(span, text)
        }
        (Wanted::Type, _) => {
            let message = format!("{} is not a derived type", shortened(text));
            Diagnostic::new(Code::UnknownType, span, message).help(type_help(text))
        }
        (Wanted::Nothing, Token::Type(_) | Token::FormulaType(_)) => {
            let message = format!("expected an event, found `{}`", shortened(text));
            Diagnostic::new(Code::UnexpectedField, span, message)
        }
        (wanted, _) => lacks(&wanted, span),
    }
}

/// The error of a line that does not begin with a keyword.
pub(super) fn unknown_keyword(first: Field<'_>) -> Diagnostic {
    let help = if first.text.starts_with([';', '/', '!', '%']) {
        "begin a comment with #"
    } else {
        "begin the line with CPU, PRESET or EVENT"
    };
    let message = format!("a line cannot begin with `{}`", shortened(first.text));
    Diagnostic::new(Code::UnknownKeyword, first.span(), message).help(help)
}

/// The error of two lines without a line break between them, the second of which begins at `span`.
pub(super) fn joined_lines(span: Range<usize>, word: &str) -> Diagnostic {
    Diagnostic::new(Code::JoinedLines, span, format!("{word} appears in the middle of a line"))
        .help("start a new line before it")
}

/// The error of a field after the last one that a line can have.
pub(super) fn unexpected(field: Field<'_>) -> Diagnostic {
    let message = format!("{} is one field too many", shortened(field.text));
    Diagnostic::new(Code::UnexpectedField, field.span(), message).help("remove the field")
}

/// The error of a line that ends too early.
pub(super) fn missing(expected: &[String], offset: usize) -> Diagnostic {
    lacks(&wanted(expected), offset..offset)
}

fn lacks(wanted: &Wanted, span: Range<usize>) -> Diagnostic {
    let (code, message, help) = match wanted {
        Wanted::Name => (
            Code::MissingName,
            "the name of the event is missing",
            "write the name, the derived type and the terms",
        ),
        Wanted::Type => (
            Code::MissingType,
            "the derived type is missing",
            "write NOT_DERIVED and the event that the name stands for",
        ),
        Wanted::Formula => (
            Code::MissingFormula,
            "the formula is missing",
            "write a formula of N0, N1, …, followed by the events they stand for",
        ),
        Wanted::FirstTerm | Wanted::Nothing => (
            Code::MissingTerm,
            "the definition has no events",
            "write the events that it is computed from",
        ),
    };
    Diagnostic::new(code, span, message).help(help)
}

fn type_help(text: &str) -> String {
    let short =
        |kind: &&DerivedType| kind.name().trim_start_matches("DERIVED_").eq_ignore_ascii_case(text);
    if let Some(kind) = DerivedType::ALL.iter().find(short) {
        return format!("write {}", kind.name());
    }
    let names: Vec<&str> = DerivedType::ALL.iter().map(|kind| kind.name()).collect();
    format!("use one of {}", names.join(", "))
}

/// The beginning of a text, which may be megabytes long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
