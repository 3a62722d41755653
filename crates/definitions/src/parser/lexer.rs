//! Text to the tokens of the grammar: one for each field that is not empty, one at the end of each line that has any.
//!
//! Commas, comments and blank lines end here, so that the grammar sees only what means something.

use std::ops::Range;

use logos::Logos;

use crate::ast::{Field, Quote};
use crate::diagnostic::{Code, Diagnostic};

/// A token of the grammar, small enough that the parser carries it in registers.
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

/// Where the last field of a line ends, and the number of the line, from 1.
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

/// Where a field stands in the source, its quotes included: two offsets of 32 bits.
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
        // A quote that stands last is the closing one: the end of the line or a comma follows it.
        match raw[1..].strip_suffix(mark) {
            Some(text) => Field { text, start, quote: Some(Quote { mark, closed: true }) },
            None => Field { text: &raw[1..], start, quote: Some(Quote { mark, closed: false }) },
        }
    }
}

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
// A byte order mark may also stand where files were put together.
#[logos(skip(r"[ \t\r\u{feff}]+"))]
enum Raw {
    #[token(",")]
    Comma,
    #[regex(r"\r?\n")]
    Newline,
    #[regex("(?i-u:CPU)")]
    Cpu,
    // The one component that PAPI reads such blocks for.
    #[regex("(?i-u:cuda)")]
    Component,
    #[regex("(?i-u:PRESET|EVENT)")]
    Keyword,
    #[regex("(?i-u:NOT_DERIVED|DERIVED_(ADD|PS|ADD_PS|CMPD|SUB))")]
    Type,
    #[regex("(?i-u:DERIVED_(POSTFIX|INFIX))")]
    FormulaType,
    #[regex("(?i-u:LDESC|SDESC|NOTE|UNITS)")]
    Key,
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
    lexer: logos::Lexer<'s, Raw>,
    line: u32,
    /// Where the first field of the line begins that was ended last.
    pub(crate) line_start: usize,
    place: Place,
    after_empty_field: bool,
    /// Where the fields of the line begin and end, once it has any.
    fields: Option<(usize, usize)>,
    /// What is wrong with commas and quotes.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What stands before the next token of a line.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    LineStart,
    AfterComma,
    AfterField,
}

impl<'s> Tokens<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        let lexer = Raw::lexer(source);
        Tokens {
            lexer,
            line: 1,
            line_start: 0,
            place: Place::LineStart,
            after_empty_field: false,
            fields: None,
            diagnostics: Vec::new(),
        }
    }

    /// What comes next, and where it begins.
    fn raw(&mut self) -> Option<(Raw, usize)> {
        // A comma or a line end mostly follows at once; to see that here is faster than to tell it from all else.
        let at = self.lexer.span().end;
        let raw = match self.lexer.source().as_bytes().get(at) {
            Some(b',') => Raw::Comma,
            Some(b'\n') => Raw::Newline,
            _ => {
                // Every character begins some token, so the lexer itself never fails.
                let raw = self.lexer.next()?.unwrap_or(Raw::Word);
                return Some((raw, self.lexer.span().start));
            }
        };
        self.lexer.bump(1);
        Some((raw, at))
    }

    /// The token of a field that has begun.
    fn field(&mut self, raw: Raw, start: usize) -> Token {
        let slice = match raw {
            Raw::Quote => self.quoted(start),
            _ => Slice::new(start..self.lexer.span().end),
        };
        let extended = raw != Raw::Quote && self.extend_field(raw == Raw::Hash);
        let end = self.lexer.span().end;
        self.place = Place::AfterField;
        self.after_empty_field = false;
        self.fields = Some((self.fields.map_or(start, |(first, _)| first), end));
        match raw {
            _ if extended => Token::Word(Slice::new(start..end)),
            Raw::Cpu => Token::Cpu(slice),
            Raw::Component => Token::Component(slice),
            Raw::Keyword => Token::Keyword(slice),
            Raw::Type => Token::Type(slice),
            Raw::FormulaType => Token::FormulaType(slice),
            Raw::Key => Token::Key(slice),
            _ => Token::Word(slice),
        }
    }

    /// Says so once for all empty fields in a row.
    fn empty_field(&mut self, at: usize) {
        if std::mem::replace(&mut self.after_empty_field, true) {
            return;
        }
        let diagnostic =
            Diagnostic::new(Code::EmptyField, at..at, "nothing stands here between commas")
                .help("take the comma away");
        self.diagnostics.push(diagnostic);
    }

    /// The end of the line, if it has had any token.
    fn end_line(&mut self, offset: usize) -> Option<Token> {
        if self.place == Place::AfterComma {
            self.empty_field(offset);
        }
        self.place = Place::LineStart;
        self.after_empty_field = false;
        let (start, end) = self.fields.take()?;
        self.line_start = start;
        Some(Token::EndOfLine(End::new(end, self.line)))
    }

    /// Skips to the end of the line, which is the next token.
    fn skip_line(&mut self) {
        let rest = self.lexer.remainder();
        self.lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    }

    /// Takes the rest of a field of which a blank, or anything, has ended the first word; whether there is any.
    fn extend_field(&mut self, after_anything: bool) -> bool {
        let rest = self.lexer.remainder();
        if !after_anything && !rest.starts_with(is_blank) {
            return false;
        }
        let rest = &rest[..rest.find([',', '\n']).unwrap_or(rest.len())];
        let rest = rest.trim_end_matches(is_blank);
        self.lexer.bump(rest.len());
        !rest.is_empty()
    }

    /// The field whose opening quote was just read.
    ///
    /// It ends at the first such quote that a comma or the end of the line follows, so that an apostrophe inside
    /// does not end it; without one it goes on to the end of the line.
    fn quoted(&mut self, start: usize) -> Slice {
        let rest = self.lexer.remainder();
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let mark = if self.lexer.slice() == "'" { '\'' } else { '"' };
        let closing = rest.match_indices(mark).map(|(at, _)| at).find(|&at| {
            let after = rest[at + 1..].trim_start_matches(is_blank);
            after.is_empty() || after.starts_with(',')
        });
        let length = match closing {
            Some(end) => end + 1,
            None => rest.trim_end_matches(is_blank).len(),
        };
        self.lexer.bump(length);
        let slice = Slice::new(start..self.lexer.span().end);
        if closing.is_none_or(|end| rest[..end].contains(mark)) {
            let field = slice.field(self.lexer.source());
            self.diagnostics.extend(super::refusal::doubtful_quote(field, mark));
        }
        slice
    }
}

pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{feff}')
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let Some((raw, start)) = self.raw() else {
                let end = self.lexer.source().len();
                return self.end_line(end);
            };
            match raw {
                Raw::Comma => {
                    if self.place != Place::AfterField {
                        self.empty_field(start);
                    }
                    self.place = Place::AfterComma;
                    continue;
                }
                Raw::Newline => {
                    let end = self.end_line(start);
                    self.line += 1;
                    match end {
                        Some(end) => return Some(end),
                        None => continue,
                    }
                }
                Raw::Hash if self.fields.is_none() => {
                    self.place = Place::LineStart;
                    self.skip_line();
                    continue;
                }
                _ => return Some(self.field(raw, start)),
            }
        }
    }
}
