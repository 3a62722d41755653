//! Parses infix text by operator precedence, with an explicit stack.

use alloc::vec::Vec;

use crate::builder::{Builder, Id};
use crate::error::{LimitError, ParseError, ParseErrorKind};
use crate::formula::Formula;
use crate::lex;
use crate::limits::Limits;
use crate::number::Number;
use crate::op::{Binary, Form, SIGN, Unary};
use crate::span::Span;
use crate::token::{Language, Token, Tokens};

pub(crate) fn parse(src: &str, language: Language, limits: &Limits) -> Result<Formula, ParseError> {
    lex::check_length(src)?;
    let builder = Builder::new(limits, src.len());
    let mut parser = Parser {
        tokens: Tokens::new(src, language),
        limits,
        builder,
        values: Vec::with_capacity(8),
        open: Vec::with_capacity(8),
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
    Binary(Binary, u8, Span),
    Negation(Span),
    Parenthesis(Span),
    /// A function of one argument, or of two or more with the number of complete arguments.
    Unary(Unary, Span),
    Binaries(Binary, Span, usize),
    /// A choice whose condition, or whose last operand, is being read; with the span of `if`.
    If(Span),
    Else(Span),
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    limits: &'a Limits,
    builder: Builder<'a>,
    values: Vec<Id>,
    open: Vec<Open>,
}

impl Parser<'_> {
    /// Reads a token in the position of an operand; returns false once the operand is complete.
    fn operand(&mut self) -> Result<bool, ParseError> {
        let (token, span) = self.tokens.operand()?;
        let id = match token {
            Token::Operator(Binary::Add, _) => return Ok(true),
            Token::Operator(..) => return self.push(Open::Negation(span)),
            Token::Open => return self.push(Open::Parenthesis(span)),
            Token::Unary(op) => return self.push(Open::Unary(op, span)),
            Token::Binary(op) => return self.push(Open::Binaries(op, span, 0)),
            Token::Number(number) => self.builder.constant(number, span),
            // Constants are numbers; 0 ÷ 0 is not.
            Token::Nan => {
                let zero = self.builder.constant(Number::Int(0), span);
                zero.and_then(|zero| self.builder.binary(Binary::Ratio, zero, zero, span))
            }
            Token::Name(name) => self.builder.input(&name, span),
            _ => return Err(self.unexpected(span, ParseErrorKind::ExpectedOperand)),
        };
        self.values.push(id.map_err(|e| lex::at(span, e))?);
        Ok(false)
    }

    /// Reads a token that follows an operand; returns true if another operand must follow, false at the end.
    fn operator(&mut self) -> Result<bool, ParseError> {
        loop {
            let (token, span) = self.tokens.operator();
            match token {
                Token::End => return Ok(false),
                Token::Operator(op, form) => {
                    self.reduce(form)?;
                    return self.push(Open::Binary(op, form.precedence(), span));
                }
                Token::If => {
                    self.reduce(Form::Left(0))?;
                    // A choice in a condition needs parentheses.
                    if let Some(Open::If(open)) = self.open.last() {
                        return Err(lex::at(*open, ParseErrorKind::MissingElse));
                    }
                    return self.push(Open::If(span));
                }
                Token::Else => {
                    self.reduce_all()?;
                    let Some(Open::If(open)) = self.open.pop() else {
                        return Err(lex::at(span, ParseErrorKind::UnexpectedElse));
                    };
                    return self.push(Open::Else(open));
                }
                Token::Comma => {
                    self.comma(span)?;
                    return Ok(true);
                }
                Token::Close => self.close(span)?,
                _ => return Err(self.unexpected(span, ParseErrorKind::ExpectedOperator)),
            }
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
                Open::Binary(op, left, span) if binds(left) => self.binary(op, span)?,
                Open::Negation(span) if binds(SIGN) => self.unary(Unary::Neg, span)?,
                _ => break,
            }
            self.open.pop();
        }
        Ok(())
    }

    /// Applies all pending operators and complete choices up to the open parenthesis or condition.
    fn reduce_all(&mut self) -> Result<(), ParseError> {
        self.reduce(Form::Left(0))?;
        while let Some(&Open::Else(span)) = self.open.last() {
            let (other, condition, then) = (self.pop(), self.pop(), self.pop());
            let id = self.builder.choice([then, condition, other], span);
            self.values.push(id.map_err(|e| lex::at(span, e))?);
            self.open.pop();
        }
        Ok(())
    }

    /// As `reduce_all`, up to the open parenthesis only.
    fn complete(&mut self) -> Result<(), ParseError> {
        self.reduce_all()?;
        match self.open.last() {
            Some(Open::If(span)) => Err(lex::at(*span, ParseErrorKind::MissingElse)),
            _ => Ok(()),
        }
    }

    fn comma(&mut self, comma: Span) -> Result<(), ParseError> {
        self.complete()?;
        match self.open.last().copied() {
            Some(Open::Binaries(op, span, complete)) => {
                if complete > 0 {
                    self.binary(op, span)?;
                }
                self.open.pop();
                self.open.push(Open::Binaries(op, span, complete + 1));
                Ok(())
            }
            Some(Open::Unary(_, span)) => {
                let kind = ParseErrorKind::WrongArgumentCount { expected: 1, found: 2 };
                Err(lex::at(span, kind))
            }
            _ => Err(lex::at(comma, ParseErrorKind::UnexpectedComma)),
        }
    }

    fn close(&mut self, parenthesis: Span) -> Result<(), ParseError> {
        self.complete()?;
        match self.open.pop() {
            Some(Open::Parenthesis(_)) => Ok(()),
            Some(Open::Unary(op, span)) => self.unary(op, span),
            Some(Open::Binaries(op, span, complete)) => {
                let variadic = matches!(op, Binary::Min | Binary::Max);
                if complete == 0 || (complete > 1 && !variadic) {
                    let found = complete + 1;
                    let kind = ParseErrorKind::WrongArgumentCount { expected: 2, found };
                    return Err(lex::at(span, kind));
                }
                self.binary(op, span)
            }
            _ => Err(lex::at(parenthesis, ParseErrorKind::UnmatchedParenthesis)),
        }
    }

    fn finish(mut self) -> Result<Formula, ParseError> {
        self.complete()?;
        if let Some(Open::Parenthesis(span) | Open::Unary(_, span) | Open::Binaries(_, span, _)) =
            self.open.last()
        {
            return Err(lex::at(*span, ParseErrorKind::UnclosedParenthesis));
        }
        let root = self.pop();
        let warnings = self.tokens.warnings.into();
        Ok(Formula { warnings, ..self.builder.finish(root) })
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

    /// The most recent value; an operator is applied only after its operands.
    fn pop(&mut self) -> Id {
        self.values.pop().unwrap_or_default()
    }

    /// Adds what waits for an operand; always true, because one must follow.
    fn push(&mut self, open: Open) -> Result<bool, ParseError> {
        if self.open.len() >= self.limits.depth {
            let end = self.tokens.position();
            return Err(lex::error(
                end.saturating_sub(1),
                end,
                LimitError::TooDeep(self.limits.depth),
            ));
        }
        self.open.push(open);
        Ok(true)
    }

    /// The error for the unexpected character at the start of a token.
    fn unexpected(&self, (start, _): Span, expected: ParseErrorKind) -> ParseError {
        let (src, start) = (self.tokens.src, start as usize);
        let Some(next) = src[start..].chars().next() else {
            let empty = src.trim().is_empty();
            let kind = if empty { ParseErrorKind::Empty } else { expected };
            return lex::error(start, start, kind);
        };
        let kind = match next {
            _ if !self.tokens.knows(next) => ParseErrorKind::UnexpectedCharacter(next),
            ')' if self.open.is_empty() => ParseErrorKind::UnmatchedParenthesis,
            _ => expected,
        };
        lex::error(start, start + next.len_utf8(), kind)
    }
}
