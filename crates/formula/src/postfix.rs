//! Parses PAPI's postfix text.

use alloc::collections::VecDeque;

use crate::builder::{Builder, Id};
use crate::error::{LimitError, ParseError, ParseErrorKind};
use crate::formula::Formula;
use crate::lex;
use crate::limits::Limits;
use crate::op::{Binary, Unary};
use crate::span::Span;
use crate::token;

pub(crate) fn parse(src: &str, limits: &Limits) -> Result<Formula, ParseError> {
    lex::check_length(src)?;
    let mut stack = Stack::new(src, limits);
    let mut at = 0;
    while let Some(&byte) = src.as_bytes().get(at) {
        at = match byte {
            b'|' => at + 1,
            _ if byte.is_ascii_whitespace() => at + 1,
            _ => token(&mut stack, src, at)?,
        };
    }
    let (root, left_over) = stack.result()?;
    if let Some((span, count)) = left_over {
        return Err(lex::at(span, ParseErrorKind::LeftOver { count }));
    }
    Ok(stack.builder.finish(root))
}

/// Reads the token at `start` and returns where it ends.
fn token(stack: &mut Stack<'_>, src: &str, start: usize) -> Result<usize, ParseError> {
    let rest = &src.as_bytes()[start..];
    if matches!(rest[0], b'+' | b'-') && signs_number(src, start) {
        let len = rest.iter().take_while(|b| !separates(**b)).count();
        let text = &src[start..start + len];
        let span = (start as u32, (start + len) as u32);
        let number = lex::signed_number(text).unwrap_or(Err(ParseErrorKind::MalformedNumber));
        let number = number.map_err(|kind| lex::at(span, kind))?;
        stack.constant(number, span)?;
        return Ok(start + len);
    }
    if let Some((op, len)) = token::operator(rest) {
        stack.binary(op, (start as u32, (start + len) as u32))?;
        return Ok(start + len);
    }
    match rest[0] {
        b'0'..=b'9' | b'.' => {
            // PAPI requires no separator after digits.
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            let end = if begins_input(&rest[digits..]) { start + digits } else { src.len() };
            let (number, end) = lex::number(&src[..end], start)?;
            stack.constant(number, (start as u32, end as u32))?;
            Ok(end)
        }
        b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'`' | b'#' => word(stack, src, start),
        _ => {
            let next = src[start..].chars().next().unwrap_or(' ');
            let kind = ParseErrorKind::UnexpectedCharacter(next);
            Err(lex::error(start, start + next.len_utf8(), kind))
        }
    }
}

/// Reads the word of an operator, or an input.
fn word(stack: &mut Stack<'_>, src: &str, start: usize) -> Result<usize, ParseError> {
    let rest = &src.as_bytes()[start..];
    let digits = rest.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
    // PAPI does not require a separator after `N0`.
    if rest[0] == b'N' && digits > 0 {
        let (name, end) = lex::indexed(src, start, start + 1 + digits)?;
        stack.input(&name, (start as u32, end as u32))?;
        return Ok(end);
    }
    // Nor after `#`; a letter makes it the name of a fact, such as `#smt_on`.
    let begins_operand =
        |text: &[u8]| text.first().is_some_and(u8::is_ascii_digit) || begins_input(text);
    if rest[0] == b'#' && begins_operand(&rest[1..]) {
        stack.input("#", (start as u32, start as u32 + 1))?;
        return Ok(start + 1);
    }
    let (name, end) = lex::name(src, start)?;
    let span = (start as u32, end as u32);
    if rest[0] == b'`' {
        stack.input(&name, span)?;
    } else if name == "if" {
        stack.choice(span)?;
    } else if let Some(op) = Unary::by_word(&name) {
        stack.unary(op, span)?;
    } else if let Some(op) = Binary::by_word(&name) {
        stack.binary(op, span)?;
    } else {
        stack.input(&name, span)?;
    }
    Ok(end)
}

/// Returns true if a text begins with `#`, or with `N0`, `N1` …
fn begins_input(text: &[u8]) -> bool {
    matches!(text, [b'#', ..] | [b'N', b'0'..=b'9', ..])
}

fn separates(byte: u8) -> bool {
    byte == b'|' || byte.is_ascii_whitespace()
}

/// Returns true if the sign at `start` begins its field and a number follows it; otherwise the sign is an operator.
fn signs_number(src: &str, start: usize) -> bool {
    let text = src.as_bytes();
    (start == 0 || separates(text[start - 1]))
        && matches!(text.get(start + 1), Some(b'0'..=b'9' | b'.'))
}

/// The stack of values for the operators of postfix text, each with the span of the token that produced it.
pub(crate) struct Stack<'a> {
    limits: &'a Limits,
    pub(crate) builder: Builder<'a>,
    pub(crate) values: VecDeque<(Id, Span)>,
}

impl<'a> Stack<'a> {
    pub(crate) fn new(src: &str, limits: &'a Limits) -> Stack<'a> {
        Stack {
            limits,
            builder: Builder::new(limits, src.len()),
            values: VecDeque::with_capacity(8),
        }
    }

    pub(crate) fn constant(&mut self, value: crate::Number, span: Span) -> Result<(), ParseError> {
        let id = self.builder.constant(value, span);
        self.push(id, span)
    }

    pub(crate) fn input(&mut self, name: &str, span: Span) -> Result<(), ParseError> {
        let id = self.builder.input(name, span);
        self.push(id, span)
    }

    pub(crate) fn unary(&mut self, op: Unary, span: Span) -> Result<(), ParseError> {
        self.need(1, span)?;
        if let Some((a, _)) = self.values.pop_back() {
            let id = self.builder.unary(op, a, span);
            self.push(id, span)?;
        }
        Ok(())
    }

    pub(crate) fn binary(&mut self, op: Binary, span: Span) -> Result<(), ParseError> {
        self.need(2, span)?;
        if let (Some((b, _)), Some((a, _))) = (self.values.pop_back(), self.values.pop_back()) {
            let id = self.builder.binary(op, a, b, span);
            self.push(id, span)?;
        }
        Ok(())
    }

    /// The choice `a if c else b` among the last three values a, c and b.
    fn choice(&mut self, span: Span) -> Result<(), ParseError> {
        self.need(3, span)?;
        let mut pop = || self.values.pop_back().map(|(id, _)| id);
        if let (Some(b), Some(c), Some(a)) = (pop(), pop(), pop()) {
            let id = self.builder.choice([a, c, b], span);
            self.push(id, span)?;
        }
        Ok(())
    }

    /// Rejects an operator that has fewer values than it takes.
    pub(crate) fn need(&self, needs: usize, span: Span) -> Result<(), ParseError> {
        let has = self.values.len();
        if has < needs {
            return Err(lex::at(span, ParseErrorKind::StackUnderflow { needs, has }));
        }
        Ok(())
    }

    pub(crate) fn push(
        &mut self,
        id: Result<Id, LimitError>,
        span: Span,
    ) -> Result<(), ParseError> {
        if self.values.len() >= self.limits.depth {
            return Err(lex::at(span, LimitError::TooDeep(self.limits.depth)));
        }
        self.values.push_back((id.map_err(|e| lex::at(span, e))?, span));
        Ok(())
    }

    /// The last value, and the number of other values left over with the span of the first.
    pub(crate) fn result(&self) -> Result<(Id, Option<(Span, usize)>), ParseError> {
        let Some(&(root, _)) = self.values.back() else {
            return Err(lex::error(0, 0, ParseErrorKind::Empty));
        };
        let count = self.values.len() - 1;
        Ok((root, (count > 0).then(|| (self.values[0].1, count))))
    }
}
