//! Parses the reverse Polish text of 24x7 catalogs.
//!
//! The rules are those of the table of operators in the "24x7 Event and Group Catalog Formats Proposal".

use alloc::boxed::Box;

use crate::error::{ParseError, ParseErrorKind, Warning, WarningKind};
use crate::formula::Formula;
use crate::infix;
use crate::lex;
use crate::limits::Limits;
use crate::op::{Binary, Unary};
use crate::postfix::Stack;
use crate::syntax::{PowReading, RemReading};
use crate::token::Language;

pub(crate) fn parse(
    src: &str,
    rem: RemReading,
    pow: PowReading,
    limits: &Limits,
) -> Result<Formula, ParseError> {
    if src.contains(['(', ')']) {
        return infix::parse(src, Language::Catalog, limits);
    }
    lex::check_length(src)?;
    let mut stack = Stack::new(src, limits);
    let mut at = 0;
    while let Some((start, mut end)) = token(src, at) {
        let text = &src[start..end];
        let spaced = spaced_power(src, text, end);
        end = spaced.unwrap_or(end);
        let text = if spaced.is_some() { "x^y" } else { text };
        apply(&mut stack, text, (start as u32, end as u32), rem, pow)?;
        at = end;
    }
    let (root, left_over) = stack.result()?;
    if left_over.is_some() {
        stack.builder.reordered();
    }
    let mut formula = stack.builder.finish(root);
    formula.warnings = left_over
        .map(|(span, count)| Warning {
            span: span.0 as usize..span.1 as usize,
            kind: WarningKind::LeftOver { count },
        })
        .into_iter()
        .collect::<Box<[Warning]>>();
    Ok(formula)
}

fn apply(
    stack: &mut Stack<'_>,
    text: &str,
    span: (u32, u32),
    rem: RemReading,
    pow: PowReading,
) -> Result<(), ParseError> {
    match text {
        "+" => stack.binary(Binary::Add, span),
        "-" => stack.binary(Binary::Sub, span),
        "*" => stack.binary(Binary::Mul, span),
        "/" => stack.binary(Binary::Div, span),
        "mod" => stack.binary(Binary::Mod, span),
        "rem" => match rem {
            RemReading::Quotient => stack.binary(Binary::Quot, span),
            RemReading::Remainder => stack.binary(Binary::Rem, span),
        },
        "sqr" => stack.unary(Unary::Sqrt, span),
        "x^y" => {
            if pow == PowReading::LastIsBase {
                swap(stack, span)?;
            }
            stack.binary(Binary::Pow, span)
        }
        "swp" => swap(stack, span),
        "rot" => {
            stack.need(1, span)?;
            stack.builder.reordered();
            rotate(stack);
            Ok(())
        }
        "dup" => {
            stack.need(1, span)?;
            let last = stack.values[stack.values.len() - 1].0;
            stack.push(Ok(last), span)
        }
        _ => operand(stack, text, span),
    }
}

fn operand(stack: &mut Stack<'_>, text: &str, span: (u32, u32)) -> Result<(), ParseError> {
    match lex::signed_number(text) {
        Some(Ok(number)) => stack.constant(number, span),
        Some(Err(kind)) => Err(lex::at(span, kind)),
        None if looks_like_number(text) => Err(lex::at(span, ParseErrorKind::MalformedNumber)),
        None => stack.input(text, span),
    }
}

fn swap(stack: &mut Stack<'_>, span: (u32, u32)) -> Result<(), ParseError> {
    stack.need(2, span)?;
    stack.builder.reordered();
    let last = stack.values.len() - 1;
    stack.values.swap(last - 1, last);
    Ok(())
}

/// Moves each value one position up the stack; the last value moves to the bottom.
fn rotate(stack: &mut Stack<'_>) {
    if let Some(last) = stack.values.pop_back() {
        stack.values.push_front(last);
    }
}

/// The next run of characters that are not blank.
fn token(src: &str, at: usize) -> Option<(usize, usize)> {
    let start = at + src[at..].find(|c: char| !c.is_whitespace())?;
    let len = src[start..].find(char::is_whitespace).unwrap_or(src.len() - start);
    Some((start, start + len))
}

/// The end of `x ^ y`, if these three tokens begin with `text`, which ends at `end`.
fn spaced_power(src: &str, text: &str, end: usize) -> Option<usize> {
    if text != "x" {
        return None;
    }
    let caret = token(src, end).filter(|&(start, end)| &src[start..end] == "^")?;
    let y = token(src, caret.1).filter(|&(start, end)| &src[start..end] == "y")?;
    Some(y.1)
}

/// Returns true if a token that is not a number was probably meant as one.
fn looks_like_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-', '.']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
}
