//! Text to the tokens of the grammar: one for each field that is not empty, one at the end of each line that has any.
//!
//! Commas, comments and blank lines end here, so that the grammar sees only what means something.

use logos::Logos;

use crate::ast::{DerivedType, Field, Key, Keyword, Quote};
use crate::diagnostic::{Code, Diagnostic};

/// A token of the grammar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'s> {
    Cpu(Field<'s>),
    Component(Field<'s>),
    Keyword(Keyword, Field<'s>),
    Type(DerivedType, Field<'s>),
    FormulaType(DerivedType, Field<'s>),
    Key(Key, Field<'s>),
    /// Any other field.
    Word(Field<'s>),
    EndOfLine(EndOfLine),
}

/// Where a line stands, and its number from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndOfLine {
    /// Where its first field begins.
    pub(crate) start: usize,
    /// Where its last field ends.
    pub(crate) end: usize,
    /// Where the line itself ends.
    pub(crate) offset: usize,
    pub(crate) line: u32,
}

impl<'s> Token<'s> {
    /// The field, or where the line ends.
    pub(crate) fn field(&self) -> Result<Field<'s>, EndOfLine> {
        match *self {
            Token::EndOfLine(end) => Err(end),
            Token::Cpu(field)
            | Token::Component(field)
            | Token::Keyword(_, field)
            | Token::Type(_, field)
            | Token::FormulaType(_, field)
            | Token::Key(_, field)
            | Token::Word(field) => Ok(field),
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
        Tokens { lexer, line: 1, place: Place::LineStart, fields: None, diagnostics: Vec::new() }
    }

    fn empty_field(&mut self, at: usize) {
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
        let (start, end) = self.fields.take()?;
        Some(Token::EndOfLine(EndOfLine { start, end, offset, line: self.line }))
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
    fn quoted(&mut self, start: usize) -> Field<'s> {
        let rest = self.lexer.remainder();
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let mark = if self.lexer.slice() == "'" { '\'' } else { '"' };
        let closing = rest.match_indices(mark).map(|(at, _)| at).find(|&at| {
            let after = rest[at + 1..].trim_start_matches(is_blank);
            after.is_empty() || after.starts_with(',')
        });
        let text = match closing {
            Some(end) => &rest[..end],
            None => rest.trim_end_matches(is_blank),
        };
        self.lexer.bump(text.len() + usize::from(closing.is_some()));
        let field = Field { text, start, quote: Some(Quote { mark, closed: closing.is_some() }) };
        if text.contains(mark) || closing.is_none() {
            self.diagnostics.extend(super::refusal::doubtful_quote(field, mark));
        }
        field
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
            let field = match raw {
                Raw::Quote => self.quoted(start),
                _ => Field { text: self.lexer.slice(), start, quote: None },
            };
            self.place = Place::AfterField;
            self.fields =
                Some((self.fields.map_or(start, |(first, _)| first), self.lexer.span().end));
            return Some(match raw {
                Raw::Cpu => Token::Cpu(field),
                Raw::Component => Token::Component(field),
                Raw::Keyword(keyword) => Token::Keyword(keyword, field),
                Raw::Type(kind) => Token::Type(kind, field),
                Raw::FormulaType(kind) => Token::FormulaType(kind, field),
                Raw::Key(key) => Token::Key(key, field),
                _ => Token::Word(field),
            });
        }
    }
}
