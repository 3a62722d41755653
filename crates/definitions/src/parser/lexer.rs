//! Text to the tokens of the grammar: one for each field that is not empty, one at the end of each line that has any.
//!
//! Commas, comments and blank lines end here, so that the grammar sees only what means something.

use logos::Logos;

use crate::ast::{DerivedType, Field, Key, Keyword, Quote};
use crate::diagnostic::{Code, Diagnostic};

/// A token of the grammar; the texts are slices of the source, with their quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'s> {
    Cpu(&'s str),
    Component(&'s str),
    Keyword(Keyword, &'s str),
    Type(DerivedType, &'s str),
    FormulaType(DerivedType, &'s str),
    Key(Key, &'s str),
    /// Any other field.
    Word(&'s str),
    /// From the first field of the line to the last one, and the number of the line from 1.
    EndOfLine(&'s str, u32),
}

impl<'s> Token<'s> {
    /// The field; for the end of the line all its fields.
    pub(crate) fn text(&self) -> &'s str {
        match *self {
            Token::EndOfLine(text, _)
            | Token::Cpu(text)
            | Token::Component(text)
            | Token::Keyword(_, text)
            | Token::Type(_, text)
            | Token::FormulaType(_, text)
            | Token::Key(_, text)
            | Token::Word(text) => text,
        }
    }
}

/// The field that a slice of the source holds.
pub(crate) fn field<'s>(source: &'s str, raw: &'s str) -> Field<'s> {
    let start = offset(source, raw);
    let Some(mark) = raw.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        return Field { text: raw, start, quote: None };
    };
    // A quote that stands last is the closing one: the end of the line or a comma follows it.
    match raw[1..].strip_suffix(mark) {
        Some(text) => Field { text, start, quote: Some(Quote { mark, closed: true }) },
        None => Field { text: &raw[1..], start, quote: Some(Quote { mark, closed: false }) },
    }
}

/// Where a slice of the source begins.
pub(crate) fn offset(source: &str, slice: &str) -> usize {
    (slice.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize)
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
    #[regex("(?i-u:PRESET)", |_| Keyword::Preset)]
    #[regex("(?i-u:EVENT)", |_| Keyword::Event)]
    Keyword(Keyword),
    #[regex("(?i-u:NOT_DERIVED)", |_| DerivedType::NotDerived)]
    #[regex("(?i-u:DERIVED_ADD)", |_| DerivedType::Add)]
    #[regex("(?i-u:DERIVED_PS)", |_| DerivedType::PerSecond)]
    #[regex("(?i-u:DERIVED_ADD_PS)", |_| DerivedType::AddPerSecond)]
    #[regex("(?i-u:DERIVED_CMPD)", |_| DerivedType::Compound)]
    #[regex("(?i-u:DERIVED_SUB)", |_| DerivedType::Sub)]
    Type(DerivedType),
    #[regex("(?i-u:DERIVED_POSTFIX)", |_| DerivedType::Postfix)]
    #[regex("(?i-u:DERIVED_INFIX)", |_| DerivedType::Infix)]
    FormulaType(DerivedType),
    #[regex("(?i-u:LDESC)", |_| Key::LongDescription)]
    #[regex("(?i-u:SDESC)", |_| Key::ShortDescription)]
    #[regex("(?i-u:NOTE)", |_| Key::Note)]
    #[regex("(?i-u:UNITS)", |_| Key::Units)]
    Key(Key),
    #[regex(r##"[^,\n \t\r\u{feff}"'#][^,\n \t\r]*([ \t\r]+[^,\n \t\r]+)*"##)]
    Word,
    #[regex(r"#[^,\n \t\r]*([ \t\r]+[^,\n \t\r]+)*")]
    Hash,
    #[regex(r#"["']"#)]
    Quote,
}

/// The tokens of a text.
pub(crate) struct Tokens<'s> {
    lexer: logos::Lexer<'s, Raw>,
    line: u32,
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
            place: Place::LineStart,
            after_empty_field: false,
            fields: None,
            diagnostics: Vec::new(),
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
    fn end_line(&mut self, offset: usize) -> Option<Token<'s>> {
        if self.place == Place::AfterComma {
            self.empty_field(offset);
        }
        self.place = Place::LineStart;
        self.after_empty_field = false;
        let (start, end) = self.fields.take()?;
        Some(Token::EndOfLine(&self.lexer.source()[start..end], self.line))
    }

    /// Skips to the end of the line, which is the next token.
    fn skip_line(&mut self) {
        let rest = self.lexer.remainder();
        self.lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    }

    /// The field whose opening quote was just read.
    ///
    /// It ends at the first such quote that a comma or the end of the line follows, so that an apostrophe inside
    /// does not end it; without one it goes on to the end of the line.
    fn quoted(&mut self, start: usize) -> &'s str {
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
        let raw = &self.lexer.source()[start..self.lexer.span().end];
        if closing.is_none_or(|end| rest[..end].contains(mark)) {
            let field = field(self.lexer.source(), raw);
            self.diagnostics.extend(super::refusal::doubtful_quote(field, mark));
        }
        raw
    }
}

pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{feff}')
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token<'s>;

    fn next(&mut self) -> Option<Token<'s>> {
        loop {
            let Some(raw) = self.lexer.next() else {
                let end = self.lexer.source().len();
                return self.end_line(end);
            };
            let start = self.lexer.span().start;
            // Every character begins some token, so the lexer itself never fails.
            let raw = raw.unwrap_or(Raw::Word);
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
                    self.line = self.line.saturating_add(1);
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
                _ => {}
            }
            let text = match raw {
                Raw::Quote => self.quoted(start),
                _ => self.lexer.slice(),
            };
            self.place = Place::AfterField;
            self.after_empty_field = false;
            self.fields =
                Some((self.fields.map_or(start, |(first, _)| first), self.lexer.span().end));
            return Some(match raw {
                Raw::Cpu => Token::Cpu(text),
                Raw::Component => Token::Component(text),
                Raw::Keyword(keyword) => Token::Keyword(keyword, text),
                Raw::Type(kind) => Token::Type(kind, text),
                Raw::FormulaType(kind) => Token::FormulaType(kind, text),
                Raw::Key(key) => Token::Key(key, text),
                _ => Token::Word(text),
            });
        }
    }
}
