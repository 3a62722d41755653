//! Parses text into a tree.

use lalrpop_util::ParseError;

use super::ast::{File, Item, Keyword};
use super::lexer::{self, Token};
use super::{builder, grammar};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::PmuName;

/// The tree of a file, and the findings about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parse<'s> {
    /// Every line that could be read.
    pub file: File<'s>,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads an event-definition file.
///
/// Any text is read to its end: a line that cannot be read is skipped, and a diagnostic reports it.
/// Text beyond 4 GiB is not read, and a diagnostic reports that.
///
/// ```
/// let parse = counterpoint_definitions::papi::parse("CPU,skx\nEVENT,IPC,DERIVED_INFIX,N0/N1,INSTRUCTIONS,CYCLES\nEVENT,X\n");
/// assert_eq!(parse.file.events().count(), 1);
/// assert_eq!(parse.diagnostics[0].message, "the derived type is missing");
/// ```
pub fn parse(source: &str) -> Parse<'_> {
    blocks(source, |_| true)
}

/// Reads the part of an event-definition file that is for one of these PMUs, which takes a fraction of the time.
///
/// The tree has the blocks that apply to at least one of them, and what comes before the first block, with the spans and
/// the line numbers that they have in the tree of the whole file. The definitions of other blocks are neither read nor
/// checked; the lines that begin these blocks are checked, but are not in the tree.
///
/// ```
/// let text = "CPU,skx\nEVENT,IPC,DERIVED_INFIX,N0/N1,INSTRUCTIONS,CYCLES\nCPU,zen4\nEVENT,X\n";
/// let parse = counterpoint_definitions::papi::parse_for(text, &["skx".into()]);
/// assert_eq!(parse.file.events().count(), 1);
/// assert!(parse.diagnostics.is_empty());
/// ```
pub fn parse_for<'s>(source: &'s str, pmus: &[PmuName<'_>]) -> Parse<'s> {
    blocks(source, |list| {
        list.iter().any(|item| match item {
            Item::Cpu(cpu) => pmus.iter().any(|pmu| cpu.matches(*pmu)),
            _ => false,
        })
    })
}

/// Reads the blocks that are wanted, judged by the items that begin them.
fn blocks<'s>(source: &'s str, is_wanted: impl Fn(&[Item<'s>]) -> bool) -> Parse<'s> {
    let mut builder = builder::Builder::new(source);
    let mut tokens = lexer::Tokens::new(&source[..readable(source)]);
    let grammar = grammar::FileParser::new();
    let mut fields = Vec::new();
    while tokens.begin_line() {
        if let Some(list) = builder.list()
            && Keyword::named(lexer::first_word(tokens.line_text())).is_some()
            && !is_wanted(list)
        {
            builder.forget_list();
            tokens.pass_block();
            continue;
        }
        // Most lines do not need the grammar, which takes time for each token: their fields are clear, and in their places.
        if let Some(line) = tokens.clear_line(&mut fields)
            && builder.clear_line(&fields, &line)
        {
            tokens.pass(&line);
            continue;
        }
        let Err(error) = grammar.parse(&mut builder, tokens.line()) else { continue };
        let (token, expected) = match error {
            ParseError::UnrecognizedToken { token: ((), token, ()), expected } => (token, expected),
            ParseError::ExtraToken { token: ((), token, ()) } => (token, Vec::new()),
            ParseError::InvalidToken { .. } | ParseError::UnrecognizedEof { .. } => break,
            ParseError::User { error } => match error {},
        };
        let end = |token: Token| token.slice().err();
        let start = token.slice().map_or(tokens.line_start, lexer::Slice::start);
        // An open quote that extends over the rest of the line explains everything that is missing after it.
        let is_explained = (tokens.diagnostics.last())
            .is_some_and(|last| last.severity == Severity::Error && last.span.start >= start);
        let Some(end) = end(token).or_else(|| tokens.find_map(end)) else { break };
        let line = tokens.line_start..end.offset();
        match is_explained {
            true => builder.unreadable_line(line),
            false => builder.rejected(token, &expected, line),
        }
    }
    builder.check_names();
    if readable(source) < source.len() {
        builder.report(
            Diagnostic::new(
                Code::TooLarge,
                readable(source)..source.len(),
                "only the first 4 GiB of a file are read",
            )
            .help("split the file"),
        );
    }
    let mut diagnostics = builder.diagnostics;
    diagnostics.append(&mut tokens.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Parse { file: File { source, items: builder.items }, diagnostics }
}

/// The length of the text that can be read: all of it, or the lines whose offsets fit 32 bits.
fn readable(source: &str) -> usize {
    match source.as_bytes().get(..lexer::Slice::LAST) {
        None => source.len(),
        Some(start) => start.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1),
    }
}
