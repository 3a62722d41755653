//! Parses infix text by operator precedence, with an explicit stack.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::builder::{Builder, Id, Span};
use crate::error::{LimitError, ParseError, ParseErrorKind};
use crate::formula::Formula;
use crate::lex;
use crate::limits::Limits;
use crate::op::{Binary, Form, SIGN, Unary};

/// Symbols of 24x7 catalogs whose names contain a minus sign.
pub(crate) const SYMBOLS: [&str; 4] =
    ["delta-timebase", "delta-cycles", "delta-instructions", "delta-seconds"];

pub(crate) fn parse(src: &str, symbols: bool, limits: &Limits) -> Result<Formula, ParseError> {
    lex::check_length(src)?;
    let builder = Builder::new(limits, src.len());
    let mut parser = Parser {
        src,
        symbols,
        limits,
        builder,
        values: Vec::with_capacity(8),
        open: Vec::with_capacity(8),
        at: 0,
    };
    loop {
        while parser.operand()? {}
        if !parser.operator()? {
            return parser.finish();
        }
    }
}

/// An operator or parenthesis that waits for its right operand or its end.
#[derive(Clone, Copy)]
enum Open {
    Binary(Binary, Span),
    Negation(Span),
    Parenthesis(Span),
    /// A function of one argument, or of two or more with the number of complete arguments.
    Unary(Unary, Span),
    Binaries(Binary, Span, usize),
}

struct Parser<'a> {
    src: &'a str,
    symbols: bool,
    limits: &'a Limits,
    builder: Builder<'a>,
    values: Vec<Id>,
    open: Vec<Open>,
    at: usize,
}

impl<'a> Parser<'a> {
    /// Reads a token in the position of an operand; returns false once the operand is complete.
    fn operand(&mut self) -> Result<bool, ParseError> {
        let (start, byte) = self.peek();
        let here = (start as u32, start as u32 + 1);
        match byte {
            Some(b'-') => self.push(Open::Negation(here))?,
            Some(b'+') => self.at += 1,
            Some(b'(') => self.push(Open::Parenthesis(here))?,
            Some(b'0'..=b'9' | b'.') => {
                let (number, end) = lex::number(self.src, start)?;
                let span = (start as u32, end as u32);
                let id = self.builder.constant(number, span).map_err(|e| lex::at(span, e))?;
                self.value(id, end);
                return Ok(false);
            }
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'`' | b'#') => return self.name(start, byte),
            _ => return Err(self.unexpected(ParseErrorKind::ExpectedOperand)),
        }
        Ok(true)
    }

    /// Reads an input, or the name of a function with its parenthesis.
    fn name(&mut self, start: usize, byte: Option<u8>) -> Result<bool, ParseError> {
        let (mut name, mut end) = lex::name(self.src, start)?;
        if self.symbols
            && let Some(symbol) = SYMBOLS.iter().find(|s| self.src[start..].starts_with(**s))
        {
            (name, end) = (Cow::Borrowed(*symbol), start + symbol.len());
        }
        let span = (start as u32, end as u32);
        self.at = end;
        if self.peek().1 != Some(b'(') || matches!(byte, Some(b'`' | b'#')) {
            let id = self.builder.input(&name, span).map_err(|e| lex::at(span, e))?;
            self.value(id, end);
            return Ok(false);
        }
        let open = if let Some(op) = Unary::by_function(&name) {
            Open::Unary(op, span)
        } else if let Some(op) = Binary::by_function(&name) {
            Open::Binaries(op, span, 0)
        } else if lex::index_of(&name).is_some() {
            return Err(self.unexpected(ParseErrorKind::ExpectedOperator));
        } else {
            return Err(lex::at(span, ParseErrorKind::UnknownFunction));
        };
        self.at = self.peek().0;
        self.push(open)?;
        Ok(true)
    }

    /// Reads a token that follows an operand; returns true if another operand must follow, false at the end.
    fn operator(&mut self) -> Result<bool, ParseError> {
        loop {
            let (start, byte) = self.peek();
            let op = match byte {
                None => return Ok(false),
                Some(b'+') => Binary::Add,
                Some(b'-') => Binary::Sub,
                Some(b'*') => Binary::Mul,
                Some(b'/') if self.src.as_bytes().get(start + 1) == Some(&b'/') => Binary::Quot,
                Some(b'/') => Binary::Div,
                Some(b'%') => Binary::Mod,
                Some(b'^') => Binary::Pow,
                Some(b',') => {
                    self.comma(start)?;
                    return Ok(true);
                }
                Some(b')') => {
                    self.close(start)?;
                    continue;
                }
                Some(_) => return Err(self.unexpected(ParseErrorKind::ExpectedOperator)),
            };
            let span = (start as u32, (start + op.infix().len()) as u32);
            self.reduce(op.form())?;
            self.push(Open::Binary(op, span))?;
            self.at = span.1 as usize;
            return Ok(true);
        }
    }

    /// Applies the pending operators that bind tighter than an operator of this form.
    fn reduce(&mut self, form: Form) -> Result<(), ParseError> {
        let binds = |left: u8| match form {
            Form::Right(right) => left > right,
            form => left >= form.precedence(),
        };
        while let Some(&open) = self.open.last() {
            match open {
                Open::Binary(op, span) if binds(op.form().precedence()) => self.binary(op, span)?,
                Open::Negation(span) if binds(SIGN) => self.unary(Unary::Neg, span)?,
                _ => break,
            }
            self.open.pop();
        }
        Ok(())
    }

    /// Applies all pending operators up to the open parenthesis.
    fn reduce_all(&mut self) -> Result<(), ParseError> {
        self.reduce(Form::Left(0))
    }

    fn comma(&mut self, start: usize) -> Result<(), ParseError> {
        self.reduce_all()?;
        match self.open.last().copied() {
            Some(Open::Binaries(op, span, complete)) => {
                if complete > 0 {
                    self.binary(op, span)?;
                }
                self.open.pop();
                self.open.push(Open::Binaries(op, span, complete + 1));
            }
            Some(Open::Unary(_, span)) => {
                let kind = ParseErrorKind::WrongArgumentCount { expected: 1, found: 2 };
                return Err(lex::at(span, kind));
            }
            _ => return Err(lex::error(start, start + 1, ParseErrorKind::UnexpectedComma)),
        }
        self.at = start + 1;
        Ok(())
    }

    fn close(&mut self, start: usize) -> Result<(), ParseError> {
        self.reduce_all()?;
        match self.open.pop() {
            Some(Open::Parenthesis(_)) => {}
            Some(Open::Unary(op, span)) => self.unary(op, span)?,
            Some(Open::Binaries(op, span, complete)) => {
                let variadic = matches!(op, Binary::Min | Binary::Max);
                if complete == 0 || (complete > 1 && !variadic) {
                    let found = complete + 1;
                    let kind = ParseErrorKind::WrongArgumentCount { expected: 2, found };
                    return Err(lex::at(span, kind));
                }
                self.binary(op, span)?;
            }
            _ => return Err(lex::error(start, start + 1, ParseErrorKind::UnmatchedParenthesis)),
        }
        self.at = start + 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Formula, ParseError> {
        self.reduce_all()?;
        if let Some(Open::Parenthesis(span) | Open::Unary(_, span) | Open::Binaries(_, span, _)) =
            self.open.last()
        {
            return Err(lex::at(*span, ParseErrorKind::UnclosedParenthesis));
        }
        let root = self.pop();
        Ok(self.builder.finish(root))
    }

    fn unary(&mut self, op: Unary, span: Span) -> Result<(), ParseError> {
        let a = self.pop();
        let id = self.builder.unary(op, a, span).map_err(|e| lex::at(span, e))?;
        self.values.push(id);
        Ok(())
    }

    fn binary(&mut self, op: Binary, span: Span) -> Result<(), ParseError> {
        let (b, a) = (self.pop(), self.pop());
        let id = self.builder.binary(op, a, b, span).map_err(|e| lex::at(span, e))?;
        self.values.push(id);
        Ok(())
    }

    fn value(&mut self, id: Id, end: usize) {
        self.values.push(id);
        self.at = end;
    }

    /// The most recent value; an operator is applied only after its operands.
    fn pop(&mut self) -> Id {
        self.values.pop().unwrap_or_default()
    }

    fn push(&mut self, open: Open) -> Result<(), ParseError> {
        if self.open.len() >= self.limits.depth {
            return Err(lex::error(self.at, self.at + 1, LimitError::TooDeep(self.limits.depth)));
        }
        self.open.push(open);
        self.at += 1;
        Ok(())
    }

    /// The next byte that is not blank, and its position.
    fn peek(&mut self) -> (usize, Option<u8>) {
        let rest = &self.src.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        (self.at, self.src.as_bytes().get(self.at).copied())
    }

    /// The error for an unexpected next character.
    fn unexpected(&mut self, expected: ParseErrorKind) -> ParseError {
        let (start, _) = self.peek();
        let Some(next) = self.src[start..].chars().next() else {
            let empty = self.src.trim().is_empty();
            let kind = if empty { ParseErrorKind::Empty } else { expected };
            return lex::error(start, start, kind);
        };
        let known = next.is_ascii_alphanumeric() || "+-*/%^(),.`_#".contains(next);
        let kind = match next {
            _ if !known => ParseErrorKind::UnexpectedCharacter(next),
            ')' if self.open.is_empty() => ParseErrorKind::UnmatchedParenthesis,
            _ => expected,
        };
        lex::error(start, start + next.len_utf8(), kind)
    }
}
