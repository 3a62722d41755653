//! Text to tree.

mod builder;
mod checks;
mod formula;
#[allow(clippy::all, clippy::unwrap_used, missing_docs, unused, unreachable_pub, rust_2018_idioms, elided_lifetimes_in_paths)]
#[rustfmt::skip]
mod grammar;
mod lexer;
mod refusal;

use std::borrow::Cow;

use lalrpop_util::ParseError;

pub(crate) use formula::{CLOCK_RATE, term_index};

use crate::ast::File;
use crate::diagnostic::{Code, Diagnostic, Severity};
use lexer::Token;

/// What a file says, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Parse<'s> {
    /// Every line that could be read.
    pub file: File<'s>,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads an event-definition file.
///
/// Any text is read to its end: a line that makes no sense costs that line, and a diagnostic says why.
/// Only beyond 4 GiB nothing is read, and a diagnostic says that.
///
/// ```
/// let parse = counterpoint_definitions::parse("CPU,skx\nEVENT,IPC,DERIVED_INFIX,N0/N1,INSTRUCTIONS,CYCLES\nEVENT,X\n");
/// assert_eq!(parse.file.events().count(), 1);
/// assert_eq!(parse.diagnostics[0].message, "the derived type is missing");
/// ```
pub fn parse(source: &str) -> Parse<'_> {
    let mut builder = builder::Builder::new(source);
    let mut tokens = lexer::Tokens::new(&source[..readable(source)]);
    let grammar = grammar::FileParser::new();
    while let Err(error) = grammar.parse(&mut builder, tokens.by_ref()) {
        // The grammar stops in the line that it refuses, and begins anew after it.
        let (token, expected) = match error {
            ParseError::UnrecognizedToken { token: ((), token, ()), expected } => (token, expected),
            ParseError::ExtraToken { token: ((), token, ()) } => (token, Vec::new()),
            ParseError::InvalidToken { .. } | ParseError::UnrecognizedEof { .. } => break,
            ParseError::User { error } => match error {},
        };
        let end = |token: Token| token.slice().err();
        let start = token.slice().map_or(tokens.line_start, lexer::Slice::start);
        // A quote that takes in the rest of the line explains whatever is missing then.
        let is_explained = (tokens.diagnostics.last())
            .is_some_and(|last| last.severity == Severity::Error && last.span.start >= start);
        let Some(end) = end(token).or_else(|| tokens.find_map(end)) else { break };
        let line = tokens.line_start..end.offset();
        match is_explained {
            true => builder.unreadable_line(line),
            false => builder.refused(token, &expected, line),
        }
    }
    builder.check_names();
    if readable(source) < source.len() {
        builder.report(
            Diagnostic::new(
                Code::TooLarge,
                readable(source)..source.len(),
                "a file is read up to 4 GiB",
            )
            .help("split the file"),
        );
    }
    let mut diagnostics = builder.diagnostics;
    diagnostics.append(&mut tokens.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Parse { file: File { source, items: builder.items }, diagnostics }
}

/// How much of a text can be read: all of it, or the lines whose places fit 32 bits.
fn readable(source: &str) -> usize {
    match source.as_bytes().get(..lexer::Slice::LAST) {
        None => source.len(),
        Some(start) => start.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1),
    }
}

/// The text of a file that should be UTF-8: a line that is not costs that line.
///
/// Offsets stay as they are: such a line is made a comment, with a `?` for each byte that belongs to no character.
/// In lines that are comments already nothing is reported.
///
/// ```
/// use counterpoint_definitions::{decode, parse};
///
/// let (text, mut diagnostics) = decode(b"EVENT,A,NOT_DERIVED,CYCLES\nEVENT,\xb5,NOT_DERIVED,CYCLES\n");
/// diagnostics.extend(parse(&text).diagnostics);
/// assert_eq!(diagnostics[0].code.name(), "not-utf8");
/// assert_eq!(diagnostics[0].span, 33..34);
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Vec<Diagnostic>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut text = String::with_capacity(bytes.len());
    let mut diagnostics = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(error) => {
                let start = text.len();
                for chunk in line.utf8_chunks() {
                    text.push_str(chunk.valid());
                    text.extend(chunk.invalid().iter().map(|_| '?'));
                }
                if text[start..].trim_start_matches(lexer::is_blank).starts_with('#') {
                    continue;
                }
                // The first byte is a character of its own, or was put there above.
                let first = text[start..].chars().next().map_or(0, char::len_utf8);
                text.replace_range(start..start + first, &"#".repeat(first));
                let at = start + error.valid_up_to();
                diagnostics.push(
                    Diagnostic::new(
                        Code::NotUtf8,
                        at..at + 1,
                        "this byte belongs to no UTF-8 character",
                    )
                    .help("save the file as UTF-8"),
                );
            }
        }
    }
    (Cow::Owned(text), diagnostics)
}
