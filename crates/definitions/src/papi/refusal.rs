//! Why the grammar refused a line, in the words of someone who wrote it.

use std::ops::Range;

use super::ast::{DerivedType, Field};
use super::lexer::Token;
use crate::diagnostic::{Code, Diagnostic};

/// What the grammar wanted where it stopped, told apart by the tokens it would have taken.
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

/// What is wrong with a line that stops making sense at a token.
pub(super) fn explain(token: Token, field: Field<'_>, expected: &[String]) -> Diagnostic {
    let (wanted, text, span) = (wanted(expected), field.text, field.span());
    match (wanted, token) {
        (Wanted::FirstTerm | Wanted::Nothing, Token::Keyword(_) | Token::Cpu(_)) => {
            joined_lines(span, text)
        }
        (Wanted::Type, _) => {
            let message = format!("{} is no derived type", shortened(text));
            Diagnostic::new(Code::UnknownType, span, message).help(type_help(text))
        }
        (Wanted::Nothing, Token::Type(_) | Token::FormulaType(_)) => {
            let message = format!("{} stands where an event is expected", shortened(text));
            Diagnostic::new(Code::UnexpectedField, span, message)
        }
        (wanted, _) => lacks(&wanted, span),
    }
}

/// A line that begins with no keyword.
pub(super) fn unknown_keyword(first: Field<'_>) -> Diagnostic {
    let help = match first.text.starts_with([';', '/', '!', '%']) {
        true => "a comment begins with #",
        false => "a line begins with CPU, PRESET or EVENT",
    };
    let message = format!("{} begins no line", shortened(first.text));
    Diagnostic::new(Code::UnknownKeyword, first.span(), message).help(help)
}

/// Two lines with no line end between them, the second beginning at `span`.
pub(super) fn joined_lines(span: Range<usize>, word: &str) -> Diagnostic {
    Diagnostic::new(Code::JoinedLines, span, format!("{word} stands in the middle of a line"))
        .help("end the line before it")
}

/// A field after those that a line can have.
pub(super) fn unexpected(field: Field<'_>) -> Diagnostic {
    let message = format!("{} is one field too many", shortened(field.text));
    Diagnostic::new(Code::UnexpectedField, field.span(), message).help("take the field away")
}

/// What is wrong with a line that ends too early.
pub(super) fn missing(expected: &[String], offset: usize) -> Diagnostic {
    lacks(&wanted(expected), offset..offset)
}

fn lacks(wanted: &Wanted, span: Range<usize>) -> Diagnostic {
    let (code, message, help) = match wanted {
        Wanted::Name => (
            Code::MissingName,
            "the name of the event is missing",
            "write name, derived type and terms",
        ),
        Wanted::Type => (
            Code::MissingType,
            "the derived type is missing",
            "write NOT_DERIVED and the event that the name stands for",
        ),
        Wanted::Formula => (
            Code::MissingFormula,
            "the formula is missing",
            "write a formula of N0, N1, …, then the events they stand for",
        ),
        Wanted::FirstTerm | Wanted::Nothing => (
            Code::MissingTerm,
            "the definition names no event",
            "write the events it is computed from",
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
    format!("the derived types are {}", names.join(", "))
}

/// The beginning of a text that may be megabytes long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
