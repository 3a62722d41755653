//! Parses text into a tree, line by line.
//!
//! The grammar (`grammar.lalrpop`) says what a line may be, and reads every line that has something to explain.
//! Its tables take 30 ns for a token: a file of 14 MB takes 54 ms with it alone, and 46 ms if its tokens are found as quickly as can be.
//! So `Builder::clear_line` reads those lines whose fields are all in their places, which nearly all are, and the file takes 16 ms.
//! The tests read random text in both ways, and compare the trees.

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
    blocks(source, Lines::ClearOnesFirst, |_| true)
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
    blocks(source, Lines::ClearOnesFirst, |list| {
        list.iter().any(|item| match item {
            Item::Cpu(cpu) => pmus.iter().any(|pmu| cpu.matches(*pmu)),
            _ => false,
        })
    })
}

/// The lines that the grammar reads.
#[derive(Clone, Copy, PartialEq)]
enum Lines {
    /// Those that are not clear.
    ClearOnesFirst,
    /// All, for tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare the two ways"))]
    ByGrammar,
}

/// Reads the blocks that are wanted, judged by the items that begin them.
fn blocks<'s>(source: &'s str, lines: Lines, is_wanted: impl Fn(&[Item<'s>]) -> bool) -> Parse<'s> {
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
        if lines == Lines::ClearOnesFirst
            && let Some(line) = tokens.clear_line(&mut fields)
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
        if is_explained {
            builder.unreadable_line(line)
        } else {
            builder.rejected(token, &expected, line)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Lines that are nearly clear: each field is usually one that belongs at its place.
    fn line() -> impl Strategy<Value = String> {
        const FIRST: &[&str] = &["CPU", "cpu", "PRESET", "EVENT", "Event", "cuda", "A", "", "#"];
        const FORMULAS: &[&str] = &[
            "DERIVED_INFIX,N0/N1",
            "derived_postfix,N0|N1|+|",
            "DERIVED_POSTFIX",
            "DERIVED_INFIX,note",
            "DERIVED_INFIX,PRESET",
            "LDESC",
        ];
        const KINDS: &[&str] = &["NOT_DERIVED", "DERIVED_ADD", "DERIVED_SUB", "derived_ps"];
        const REST: &[&str] = &[
            "A",
            "B",
            "spr::X:u=1",
            "LDESC",
            "note",
            "UNITS",
            "\"a, b\"",
            "'c'",
            "\"d\"e\"",
            "'open",
            "two words",
            " A ",
            "A # c",
            "#",
            "",
            "\t",
            "PRESET",
            "DERIVED_ADD",
            "CPU",
            "cuda",
            "µ",
            "(",
        ];
        let kind = prop_oneof![3 => select(KINDS), 1 => select(FORMULAS), 1 => select(REST)];
        let rest =
            vec(prop_oneof![9 => select(REST).prop_map(String::from), 1 => "[^\n]{0,9}"], 0..5);
        (select(FIRST), "[AB]|skx|", kind, rest).prop_map(|(first, name, kind, rest)| {
            let head = [first.to_string(), name, kind.to_string()];
            [&head[..], &rest].concat().join(",")
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn clear_lines_are_read_as_by_the_grammar(
            lines in vec((line(), select(vec!["\n", "\n", "\r\n", "\n\n"])), 0..8)
        ) {
            let text: String = lines.iter().flat_map(|(line, end)| [line.as_str(), end]).collect();
            let read = |lines| format!("{:#?}", blocks(&text, lines, |_| true));
            prop_assert_eq!(read(Lines::ClearOnesFirst), read(Lines::ByGrammar));
        }
    }

    #[test]
    fn most_lines_are_clear() {
        let text =
            "CPU,skx\nPRESET,A,NOT_DERIVED,X,LDESC,\"a, b\"\nEVENT,B,DERIVED_INFIX,N0/N1,X,Y\n";
        let mut builder = builder::Builder::new(text);
        let mut tokens = lexer::Tokens::new(text);
        let mut fields = Vec::new();
        for _ in 0..3 {
            let line = tokens.clear_line(&mut fields).unwrap();
            assert!(builder.clear_line(&fields, &line));
            tokens.pass(&line);
        }
        assert!(!tokens.begin_line() && builder.diagnostics.is_empty());
    }
}
