//! Splits text into the tokens of the grammar: one for each field that is not empty, and one at the end of each line that has fields.
//!
//! Commas, comments and blank lines are dropped here, so that the grammar sees only fields.

use std::ops::Range;

use logos::Logos;
use memchr::{memchr, memchr_iter};

use super::ast::{DerivedType, Field, Key, Keyword, Quote};
use super::quote::{self, is_blank};
use crate::diagnostic::{Code, Diagnostic};

/// A token of the grammar, small enough to be passed in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    Cpu(Slice),
    Component(Slice),
    Keyword(Slice),
    Type(Slice),
    FormulaType(Slice),
    Key(Slice),
    /// Any other field.
    Word(Slice),
    EndOfLine(End),
}

impl Token {
    /// The field, or the end of the line.
    pub(crate) fn slice(self) -> Result<Slice, End> {
        match self {
            Token::EndOfLine(end) => Err(end),
            Token::Cpu(slice)
            | Token::Component(slice)
            | Token::Keyword(slice)
            | Token::Type(slice)
            | Token::FormulaType(slice)
            | Token::Key(slice)
            | Token::Word(slice) => Ok(slice),
        }
    }
}

/// The place where the last field of a line ends, and the line number, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End(u64);

impl End {
    fn new(offset: usize, line: u32) -> Self {
        End((offset as u64) << 32 | u64::from(line))
    }

    pub(crate) fn offset(self) -> usize {
        (self.0 >> 32) as usize
    }

    pub(crate) fn line(self) -> u32 {
        self.0 as u32
    }
}

/// The span of a field in the source, including its quotes: two offsets of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice(u64);

impl Slice {
    /// Offsets beyond this do not fit.
    pub(crate) const LAST: usize = u32::MAX as usize;

    fn new(range: Range<usize>) -> Self {
        Slice((range.start as u64) << 32 | range.end as u64)
    }

    pub(crate) fn start(self) -> usize {
        (self.0 >> 32) as usize
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start()..self.0 as u32 as usize
    }

    /// The field, without its quotes.
    pub(crate) fn field(self, source: &str) -> Field<'_> {
        let range = self.range();
        let (start, raw) = (range.start, &source[range]);
        let mark = match raw.as_bytes().first() {
            Some(b'"') => '"',
            Some(b'\'') => '\'',
            _ => return Field { text: raw, start, quote: None },
        };
        // A quote at the end is the closing one: a comma or the end of the line follows it.
        match raw[1..].strip_suffix(mark) {
            Some(text) => Field { text, start, quote: Some(Quote { mark, closed: true }) },
            None => Field { text: &raw[1..], start, quote: Some(Quote { mark, closed: false }) },
        }
    }

    /// The token of the field, ignoring case.
    pub(crate) fn token(self, source: &str) -> Token {
        let range = self.range();
        let length = range.len();
        if !matches!(length, 3..=6 | 10..=15) {
            return Token::Word(self);
        }
        let field = &source[range];
        match length {
            3 if field.eq_ignore_ascii_case("CPU") => Token::Cpu(self),
            4 if field.eq_ignore_ascii_case(COMPONENT) => Token::Component(self),
            4 | 5 if Key::named(field) != Key::Unknown => Token::Key(self),
            5 | 6 if Keyword::named(field).is_some() => Token::Keyword(self),
            10.. => match DerivedType::named(field) {
                None => Token::Word(self),
                Some(DerivedType::Postfix | DerivedType::Infix) => Token::FormulaType(self),
                Some(_) => Token::Type(self),
            },
            _ => Token::Word(self),
        }
    }
}

/// The only component for which PAPI reads blocks.
const COMPONENT: &str = "cuda";

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
// A byte order mark may also occur where files were concatenated.
#[logos(skip(r"[ \t\r\u{feff}]+"))]
enum Raw {
    #[token(",")]
    Comma,
    #[regex(r"\r?\n")]
    Newline,
    // Up to the first blank: a plain loop is several times as fast, and few fields hold blanks.
    #[regex(r##"[^,\n \t\r\u{feff}"'#][^,\n \t\r]*"##)]
    Word,
    #[token("#")]
    Hash,
    #[regex(r#"["']"#)]
    Quote,
}

/// The tokens of a text.
pub(crate) struct Tokens<'s> {
    source: &'s str,
    /// The end of what has been read.
    at: usize,
    /// Behind `at` by the text that was read without the lexer.
    lexer: logos::Lexer<'s, Raw>,
    line: u32,
    /// The place where the first field begins of the line that ended last.
    pub(crate) line_start: usize,
    position: Position,
    after_empty_field: bool,
    /// The places where the fields of the line begin and end, if it has any yet.
    fields: Option<(usize, usize)>,
    /// The findings about commas and quotes.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A line whose fields are clear without the lexer.
pub(crate) struct ClearLine {
    pub(crate) end: End,
    /// The place where the next line begins.
    next: usize,
    /// It has neither blanks nor quotes.
    pub(crate) is_bare: bool,
}

/// The position of the next token in its line.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    LineStart,
    AfterComma,
    AfterField,
}

impl<'s> Tokens<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Tokens {
            source,
            at: 0,
            lexer: Raw::lexer(source),
            line: 1,
            line_start: 0,
            position: Position::LineStart,
            after_empty_field: false,
            fields: None,
            diagnostics: Vec::new(),
        }
    }

    /// Passes over empty lines and comments; returns whether there is a line after them.
    pub(crate) fn begin_line(&mut self) -> bool {
        loop {
            match self.source.as_bytes().get(self.at) {
                None => return false,
                Some(b'\n') => {
                    self.at += 1;
                    self.line += 1;
                }
                Some(b'#') => self.skip_line(),
                Some(b' ' | b'\t' | b'\r' | 0xef) => {
                    let text = self.rest().trim_start_matches(is_blank);
                    if !text.is_empty() && !text.starts_with(['\n', '#']) {
                        return true;
                    }
                    self.skip_line();
                }
                Some(_) => return true,
            }
        }
    }

    /// Finds the fields of the next line; `None` if there may be something to say about how they are written: empty
    /// fields, comments, quotes within quotes or without an end, bytes outside ASCII, and the end of the text.
    pub(crate) fn clear_line(&self, fields: &mut Vec<Slice>) -> Option<ClearLine> {
        fields.clear();
        let bytes = self.source.as_bytes();
        let (mut start, mut is_bare) = (self.at, true);
        let mut marks = Marks::new(bytes, self.at);
        loop {
            let at = marks.next()?;
            match bytes[at] {
                separator @ (b',' | b'\n') => {
                    let end = if is_bare { at } else { without_blanks(bytes, start, at) };
                    if end == start {
                        return None;
                    }
                    fields.push(Slice::new(start..end));
                    if separator == b'\n' {
                        let end = End::new(end, self.line);
                        return Some(ClearLine { end, next: at + 1, is_bare });
                    }
                    start = at + 1;
                }
                b'('..=b'+' => {}
                b' ' | b'\t' => {
                    start += usize::from(at == start);
                    is_bare = false;
                }
                mark @ (b'"' | b'\'') if at == start => {
                    let is_end = |&byte: &u8| byte == mark || byte == b'\n';
                    let close = at + 1 + bytes[at + 1..].iter().position(is_end)?;
                    if bytes[close] != mark || !matches!(bytes.get(close + 1), Some(b',' | b'\n')) {
                        return None;
                    }
                    is_bare = false;
                    marks = Marks::new(bytes, close + 1);
                }
                b'!'..=b'\'' if at > start => is_bare = false,
                _ => return None,
            }
        }
    }

    /// Passes over a line that [`clear_line`](Self::clear_line) has found.
    pub(crate) fn pass(&mut self, line: &ClearLine) {
        self.at = line.next;
        self.line += 1;
    }

    /// The tokens of one line.
    pub(crate) fn line(&mut self) -> impl Iterator<Item = Token> {
        let mut ended = false;
        std::iter::from_fn(move || {
            let token = if ended { None } else { self.next() };
            ended = matches!(token, None | Some(Token::EndOfLine(_)));
            token
        })
    }

    /// The next raw token, and where it begins.
    fn raw(&mut self) -> Option<(Raw, usize)> {
        // Most tokens can be recognized from one byte, or eight bytes at a time, which is faster than the general lexer.
        let (start, rest) = (self.at, &self.source.as_bytes()[self.at..]);
        let (raw, length) = match rest.first() {
            Some(b',') => (Raw::Comma, 1),
            Some(b'\n') => (Raw::Newline, 1),
            Some(b'#') => (Raw::Hash, 1),
            _ => match plain_prefix(rest) {
                0 => return self.any_raw(),
                length if matches!(rest.get(length), Some(b',' | b'\n')) => (Raw::Word, length),
                _ => return self.any_raw(),
            },
        };
        self.at += length;
        Some((raw, start))
    }

    fn any_raw(&mut self) -> Option<(Raw, usize)> {
        self.lexer.bump(self.at - self.lexer.span().end);
        let raw = self.lexer.next();
        let Range { start, end } = self.lexer.span();
        self.at = end;
        // Every character begins some token, so the lexer itself never fails.
        Some((raw?.unwrap_or(Raw::Word), start))
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// The token of a field that has been read.
    fn field(&mut self, start: usize) -> Token {
        let end = self.at;
        self.after_empty_field = false;
        self.fields = Some((self.fields.map_or(start, |(first, _)| first), end));
        self.position = Position::AfterField;
        if self.source.as_bytes().get(end) == Some(&b',') {
            self.at += 1;
            self.position = Position::AfterComma;
        }
        Slice::new(start..end).token(self.source)
    }

    /// Reports a run of empty fields once.
    fn empty_field(&mut self, at: usize) {
        if std::mem::replace(&mut self.after_empty_field, true) {
            return;
        }
        let diagnostic = Diagnostic::new(Code::EmptyField, at..at, "this field is empty")
            .help("remove the comma");
        self.diagnostics.push(diagnostic);
    }

    /// The end of the line, if it has had any token.
    fn end_line(&mut self, offset: usize) -> Option<Token> {
        if self.position == Position::AfterComma {
            self.empty_field(offset);
        }
        self.position = Position::LineStart;
        self.after_empty_field = false;
        let (start, end) = self.fields.take()?;
        self.line_start = start;
        Some(Token::EndOfLine(End::new(end, self.line)))
    }

    /// Skips to the end of the line, which is the next token.
    fn skip_line(&mut self) {
        let rest = self.rest().as_bytes();
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// The text of the next line, without the blanks and commas before its first word, and all that follows.
    pub(crate) fn line_text(&self) -> &'s str {
        let is_before = |c: char| c == ',' || is_blank(c);
        self.rest().trim_start_matches(is_before)
    }

    /// Passes over this line and the further ones of its block: up to the next one that begins a block.
    pub(crate) fn pass_block(&mut self) {
        let (start, bytes) = (self.at, self.source.as_bytes());
        for newline in memchr_iter(b'\n', &bytes[start..]) {
            self.at = start + newline + 1;
            self.line += 1;
            // A quick test for most lines: none of those that begin a block begins so.
            let begins_none = |byte: &u8| matches!(byte, b'P' | b'E' | b'#');
            if !bytes.get(self.at).is_some_and(begins_none) && begins_block(self.line_text()) {
                return;
            }
        }
        self.at = bytes.len();
    }

    /// Takes the rest of a field whose first word has been read.
    fn extend_field(&mut self) {
        let rest = self.rest();
        if rest.starts_with([',', '\n']) {
            return; // the common case
        }
        let rest = &rest[..rest.find([',', '\n']).unwrap_or(rest.len())];
        self.at += rest.trim_end_matches(is_blank).len();
    }

    /// The field whose opening quote was just read.
    ///
    /// It ends at the first such quote that a comma or the end of the line follows, so that an apostrophe inside
    /// does not end it; without one it goes on to the end of the line.
    fn quoted(&mut self, start: usize) {
        let rest = self.rest();
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let mark = if self.source[start..].starts_with('"') { '"' } else { '\'' };
        let closing = rest.match_indices(mark).map(|(at, _)| at).find(|&at| {
            let after = rest[at + 1..].trim_start_matches(is_blank);
            after.is_empty() || after.starts_with(',')
        });
        self.at += match closing {
            Some(end) => end + 1,
            None => rest.trim_end_matches(is_blank).len(),
        };
        if closing.is_none_or(|end| rest[..end].contains(mark)) {
            let field = Slice::new(start..self.at).field(self.source);
            self.diagnostics.extend(quote::doubtful_quote(field, mark));
        }
    }
}

/// The word at the start of a line.
pub(super) fn first_word(line: &str) -> &str {
    let is_after = |c: char| matches!(c, ',' | '\n') || is_blank(c);
    &line[..line.find(is_after).unwrap_or(line.len())]
}

/// Returns true if a line begins a block: also a `CPU` line that cannot be read, but of the components only one whose name is a
/// field of its own.
fn begins_block(line: &str) -> bool {
    let word = first_word(line);
    let after = || line[word.len()..].trim_start_matches([' ', '\t', '\r']);
    word.eq_ignore_ascii_case("CPU")
        || word.eq_ignore_ascii_case(COMPONENT)
            && (after().is_empty() || after().starts_with([',', '\n']))
}

/// The end of a field without the blanks after it.
fn without_blanks(bytes: &[u8], start: usize, end: usize) -> usize {
    let last = bytes[start..end].iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    last.map_or(start, |last| start + last + 1)
}

/// The number of bytes at the start of a text that are neither separators, brackets, quotes, blanks, number signs nor outside ASCII.
pub(super) fn plain_prefix(text: &[u8]) -> usize {
    Marks::new(text, 0).next().unwrap_or(text.len())
}

/// The least byte that stands for itself only; those below it are the comma, brackets, quotes, blanks, number signs, control characters, and some operators.
const LEAST_PLAIN: u8 = b'-';

/// The places of the bytes that do not stand for themselves only: those below [`LEAST_PLAIN`], and those outside ASCII.
struct Marks<'t> {
    text: &'t [u8],
    /// The place where the next eight bytes begin.
    next: usize,
    /// The highest bit of each of the last eight bytes that is such a byte and has not been returned yet.
    found: u64,
}

impl<'t> Marks<'t> {
    fn new(text: &'t [u8], at: usize) -> Self {
        Marks { text, next: at, found: 0 }
    }
}

impl Iterator for Marks<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        const EACH: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x80 * EACH;
        while self.found == 0 {
            let rest = self.text.get(self.next..)?;
            let bytes = u64::from_le_bytes(rest.first_chunk().copied().unwrap_or_else(|| {
                let mut last = [LEAST_PLAIN; 8];
                last[..rest.len()].copy_from_slice(rest);
                last
            }));
            // With its highest bit set, no byte borrows from the next one.
            let least = (bytes | HIGH).wrapping_sub(LEAST_PLAIN as u64 * EACH);
            self.found = (!least | bytes) & HIGH;
            self.next += 8;
        }
        let at = self.next - 8 + (self.found.trailing_zeros() / 8) as usize;
        self.found &= self.found - 1;
        Some(at)
    }
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let Some((raw, start)) = self.raw() else {
                return self.end_line(self.source.len());
            };
            match raw {
                Raw::Comma => {
                    if self.position != Position::AfterField {
                        self.empty_field(start);
                    }
                    self.position = Position::AfterComma;
                    continue;
                }
                Raw::Newline => {
                    let end = self.end_line(start);
                    self.line += 1;
                    return end;
                }
                Raw::Hash if self.fields.is_none() => {
                    self.position = Position::LineStart;
                    self.skip_line();
                    continue;
                }
                Raw::Quote => self.quoted(start),
                Raw::Word | Raw::Hash => self.extend_field(),
            }
            return Some(self.field(start));
        }
    }
}
