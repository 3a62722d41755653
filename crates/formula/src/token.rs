//! Cuts infix text into tokens, by the rules of each language that is written so.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use crate::error::{ParseError, ParseErrorKind, Warning, WarningKind};
use crate::lex;
use crate::number::Number;
use crate::op::{AND, Binary, COMPARISON, Form, OR, PRODUCT, SUM, Unary, XOR};
use crate::span::Span;

/// A language of infix text.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Language {
    Infix,
    /// As `Infix`, with the symbols of 24x7 catalogs.
    Catalog,
    /// The metric expressions of perf.
    Perf,
}

pub(crate) enum Token<'a> {
    Number(Number),
    /// perf's `NaN`.
    Nan,
    Name(Cow<'a, str>),
    /// A function, with its opening parenthesis.
    Unary(Unary),
    Binary(Binary),
    Operator(Binary, Form),
    Open,
    Close,
    Comma,
    If,
    Else,
    End,
    Unknown,
}

/// Symbols of 24x7 catalogs whose names contain a minus sign.
pub(crate) const SYMBOLS: [&str; 4] =
    ["delta-timebase", "delta-cycles", "delta-instructions", "delta-seconds"];

const FUNCTIONS: &str =
    "abs, d_ratio, larger, lesser, max, min, ratio, rem, sqrt, whole_rem and xor";
const PERF_FUNCTIONS: &str =
    "aggr_nr, d_ratio, has_event, max, min, source_count and strcmp_cpuid_str";

/// The functions of perf whose argument is a name, not a value.
const OF_NAMES: [&str; 4] = ["aggr_nr", "has_event", "source_count", "strcmp_cpuid_str"];

pub(crate) struct Tokens<'a> {
    pub(crate) src: &'a str,
    language: Language,
    at: usize,
    /// Characters without a meaning that were passed over.
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(src: &'a str, language: Language) -> Tokens<'a> {
        Tokens { src, language, at: 0, warnings: Vec::new() }
    }

    /// Warns of a character; equal ones in a row are one warning, and after many, more tell nothing new.
    fn pass_over(&mut self, character: char, end: usize) {
        const MOST: usize = 1000;
        let (start, kind) = (self.at, WarningKind::PassedOver(character));
        let has_room = self.warnings.len() < MOST;
        match self.warnings.last_mut() {
            Some(last) if last.span.end == start && last.kind == kind => last.span.end = end,
            _ if has_room => self.warnings.push(Warning { span: start..end, kind }),
            _ => {}
        }
    }

    /// The position behind the last token.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The next token where an operand is expected.
    pub(crate) fn operand(&mut self) -> Result<(Token<'a>, Span), ParseError> {
        let start = self.skip();
        let Some(byte) = self.src.as_bytes().get(start) else { return Ok(self.end(Token::End, 0)) };
        match byte {
            b'0'..=b'9' | b'.' if self.language != Language::Perf => {
                let (number, end) = lex::number(self.src, start)?;
                Ok(self.end(Token::Number(number), end - start))
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'`' | b'#' if self.language != Language::Perf => {
                self.name(start)
            }
            b'(' => Ok(self.end(Token::Open, 1)),
            b'+' => Ok(self.end(Token::Operator(Binary::Add, Form::Left(SUM)), 1)),
            b'-' => Ok(self.end(Token::Operator(Binary::Sub, Form::Left(SUM)), 1)),
            _ if self.language == Language::Perf => self.perf_operand(start),
            _ => Ok(self.end(Token::Unknown, 0)),
        }
    }

    /// The next token where an operator is expected.
    pub(crate) fn operator(&mut self) -> (Token<'a>, Span) {
        let start = self.skip();
        let rest = &self.src.as_bytes()[start..];
        let Some(byte) = rest.first() else { return self.end(Token::End, 0) };
        match byte {
            b')' => return self.end(Token::Close, 1),
            b',' => return self.end(Token::Comma, 1),
            _ => {}
        }
        let found = match self.language {
            Language::Perf => perf_operator(rest),
            _ => operator(rest)
                .or(match rest {
                    [b'&', b'&', ..] => Some((Binary::And, 2)),
                    [b'|', b'|', ..] => Some((Binary::Or, 2)),
                    _ => None,
                })
                .map(|(op, len)| (op, op.form(), len)),
        };
        if let Some((op, form, len)) = found {
            return self.end(Token::Operator(op, form), len);
        }
        match self.word(start) {
            "if" => self.end(Token::If, 2),
            "else" => self.end(Token::Else, 4),
            _ => self.end(Token::Unknown, 0),
        }
    }

    /// The token of this length from here.
    fn end(&mut self, token: Token<'a>, len: usize) -> (Token<'a>, Span) {
        (token, self.advance(len))
    }

    fn advance(&mut self, len: usize) -> Span {
        let start = self.at;
        self.at += len;
        (start as u32, self.at as u32)
    }

    /// Returns true if this character begins or continues a token.
    pub(crate) fn knows(&self, next: char) -> bool {
        let other = if self.language == Language::Perf { "\\:@?" } else { "`" };
        next.is_ascii_alphanumeric() || "+-*/%^(),._#<>&|".contains(next) || other.contains(next)
    }

    /// The letters, digits and points at `start`.
    fn word(&self, start: usize) -> &'a str {
        let rest = &self.src[start..];
        let end = rest.bytes().take_while(|b| continues_symbol(*b)).count();
        &rest[..end]
    }

    /// Skips what has no meaning, and returns the position of the next token.
    fn skip(&mut self) -> usize {
        let blanks = |text: &str| text.bytes().take_while(u8::is_ascii_whitespace).count();
        self.at += blanks(&self.src[self.at..]);
        while self.language == Language::Perf
            && let Some(next) = self.src[self.at..].chars().next()
            && !self.knows(next)
        {
            let end = self.at + next.len_utf8();
            self.pass_over(next, end);
            self.at = end + blanks(&self.src[end..]);
        }
        self.at
    }

    /// Reads an input of our own infix text, or the name of a function with its parenthesis.
    fn name(&mut self, start: usize) -> Result<(Token<'a>, Span), ParseError> {
        let quoted = matches!(self.src.as_bytes().get(start), Some(b'`' | b'#'));
        let (mut name, mut end) = lex::name(self.src, start)?;
        if self.language == Language::Catalog
            && let Some(symbol) = SYMBOLS.iter().find(|s| self.src[start..].starts_with(**s))
        {
            (name, end) = (Cow::Borrowed(*symbol), start + symbol.len());
        }
        if matches!(&*name, "if" | "else") && !quoted {
            return Ok(self.end(Token::Unknown, 0));
        }
        let span = self.advance(end - start);
        let next = self.skip();
        if quoted || self.src.as_bytes().get(next) != Some(&b'(') {
            return Ok((Token::Name(name), span));
        }
        let token = if let Some(op) = Unary::by_function(&name) {
            Token::Unary(op)
        } else if let Some(op) = Binary::by_function(&name) {
            Token::Binary(op)
        } else if lex::index_of(&name).is_some() {
            return Err(lex::error(next, next + 1, ParseErrorKind::ExpectedOperator));
        } else {
            let kind = ParseErrorKind::UnknownFunction { functions: FUNCTIONS };
            return Err(lex::at(span, kind));
        };
        self.at = next + 1;
        Ok((token, span))
    }

    /// Reads a number, a literal, an event or a function of perf.
    fn perf_operand(&mut self, start: usize) -> Result<(Token<'a>, Span), ParseError> {
        let src = self.src;
        if src.as_bytes()[start] == b'#' {
            let len = self.word(start + 1).len();
            return Ok(match len {
                0 => self.end(Token::Unknown, 0),
                _ => self.end(Token::Name(Cow::Borrowed(&src[start..=start + len])), 1 + len),
            });
        }
        let (name, len) = symbol(&src[start..]);
        let digits = perf_number_len(&src.as_bytes()[start..]);
        if digits > 0 && digits >= len {
            let number = lex::decimal(&src[start..start + digits]);
            let number = number.map_err(|kind| lex::error(start, start + digits, kind))?;
            return Ok(self.end(Token::Number(number), digits));
        }
        match &*name {
            "" | "if" | "else" => return Ok(self.end(Token::Unknown, 0)),
            "NaN" => return Ok(self.end(Token::Nan, len)),
            _ => {}
        }
        let span = self.advance(len);
        let next = self.skip();
        if src.as_bytes().get(next) != Some(&b'(') {
            return Ok((Token::Name(name), span));
        }
        let token = match &*name {
            "min" => Token::Binary(Binary::Lesser),
            "max" => Token::Binary(Binary::Larger),
            "d_ratio" => Token::Binary(Binary::DRatio),
            name if OF_NAMES.contains(&name) => return self.of_name(name, span, next),
            _ => {
                let kind = ParseErrorKind::UnknownFunction { functions: PERF_FUNCTIONS };
                return Err(lex::at(span, kind));
            }
        };
        self.at = next + 1;
        Ok((token, span))
    }

    /// Reads the name between the parentheses, of which the first is at `open`; together with the function it is an input.
    fn of_name(
        &mut self,
        function: &str,
        span: Span,
        open: usize,
    ) -> Result<(Token<'a>, Span), ParseError> {
        self.at = open + 1;
        let start = self.skip();
        let (name, len) = symbol(&self.src[start..]);
        self.at = start + len;
        let close = self.skip();
        if name.is_empty() || self.src.as_bytes().get(close) != Some(&b')') {
            let end = close + self.src[close..].chars().next().map_or(0, char::len_utf8);
            let at = if name.is_empty() { start.min(close) } else { close };
            return Err(lex::error(at, end, ParseErrorKind::ExpectedName));
        }
        self.at = close + 1;
        Ok((Token::Name(format!("{function}({name})").into()), (span.0, self.at as u32)))
    }
}

/// The operator at the start of a text, and its length; those that infix and postfix text spell alike.
pub(crate) fn operator(text: &[u8]) -> Option<(Binary, usize)> {
    Some(match text {
        [b'+', ..] => (Binary::Add, 1),
        [b'-', ..] => (Binary::Sub, 1),
        [b'*', ..] => (Binary::Mul, 1),
        [b'/', b'/', ..] => (Binary::Quot, 2),
        [b'/', ..] => (Binary::Div, 1),
        [b'%', ..] => (Binary::Mod, 1),
        [b'^', ..] => (Binary::Pow, 1),
        [b'<', b'=', ..] => (Binary::AtMost, 2),
        [b'>', b'=', ..] => (Binary::AtLeast, 2),
        [b'=', b'=', ..] => (Binary::Equal, 2),
        [b'!', b'=', ..] => (Binary::NotEqual, 2),
        [b'<', ..] => (Binary::Less, 1),
        [b'>', ..] => (Binary::Greater, 1),
        _ => return None,
    })
}

fn perf_operator(text: &[u8]) -> Option<(Binary, Form, usize)> {
    let (op, precedence) = match text.first()? {
        b'|' => (Binary::Or, OR),
        b'^' => (Binary::Xor, XOR),
        b'&' => (Binary::And, AND),
        b'<' => (Binary::Less, COMPARISON),
        b'>' => (Binary::Greater, COMPARISON),
        b'+' => (Binary::Add, SUM),
        b'-' => (Binary::Sub, SUM),
        b'*' => (Binary::Mul, PRODUCT),
        b'/' => (Binary::Ratio, PRODUCT),
        b'%' => (Binary::WholeRem, PRODUCT),
        _ => return None,
    };
    Some((op, Form::Left(precedence), 1))
}

fn continues_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'@' | b'?')
}

/// The name at the start of a text, without its backslashes and with `/` for `@`, and the length that it is written with.
///
/// Between two `@`, a `=` needs no backslash: perf's own build adds it.
fn symbol(text: &str) -> (Cow<'_, str>, usize) {
    let bytes = text.as_bytes();
    let (mut len, mut inside, mut plain) = (0, false, true);
    while let Some(&byte) = bytes.get(len) {
        let next = bytes.get(len + 1);
        match byte {
            b'\\' if matches!(next, Some(b'-' | b',' | b'=')) => len += 1,
            b'@' => inside = !inside,
            b'=' if inside => {}
            byte if continues_symbol(byte) => {}
            _ => break,
        }
        plain &= !matches!(byte, b'\\' | b'@');
        len += 1;
    }
    let text = &text[..len];
    if plain {
        (Cow::Borrowed(text), len)
    } else {
        (text.replace('\\', "").replace('@', "/").into(), len)
    }
}

/// The length of the number at the start of a text by perf's rules, in which an exponent is written with a small `e`.
fn perf_number_len(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mut len = whole;
    if text.get(len) == Some(&b'.') {
        let fraction = digits(len + 1);
        if whole + fraction == 0 {
            return 0;
        }
        len += 1 + fraction;
    }
    if len > 0 && text.get(len) == Some(&b'e') {
        let sign = usize::from(text.get(len + 1) == Some(&b'-'));
        let exponent = digits(len + 1 + sign);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    len
}
