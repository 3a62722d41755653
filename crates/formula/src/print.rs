//! Prints formulas as infix and postfix text.

use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::ops::Range;

use crate::formula::Formula;
use crate::lex;
use crate::number::Number;
use crate::op::{ATOM, Binary, CHOICE, Form, Op, SIGN, Unary};

impl Formula {
    /// The place where the operation with this index in [`ops`](Self::ops) first occurs in the text that the formula was parsed from, or in its `to_string()` if it was not parsed.
    ///
    /// The span of an operator is that of its sign or name; an index beyond the last operation yields `0..0`.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("cycles + misses", Syntax::Infix)?;
    /// assert_eq!((formula.span(1), formula.span(2)), (9..15, 7..8));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn span(&self, op: usize) -> Range<usize> {
        match self.marks.get(op) {
            Some(mark) => mark.span.0 as usize..mark.span.1 as usize,
            None => span_in_infix(self, op),
        }
    }

    /// The place where the input with this index in [`inputs`](Self::inputs) first occurs in the text, as [`span`](Self::span) says it for operations.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("100 * cpu@EVENT\\,cmask\\=1@ / cycles", Syntax::PerfMetric)?;
    /// assert!(formula.inputs().eq(["cpu/EVENT,cmask=1/", "cycles"]));
    /// assert_eq!(formula.input_span(0), 6..26);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn input_span(&self, input: usize) -> Range<usize> {
        let is_it = |op: &Op| matches!(op, Op::Input(at) if *at as usize == input);
        self.ops.iter().position(is_it).map_or(0..0, |op| self.span(op))
    }

    /// The formula as infix text, the same as `to_string()`; [`Syntax::Infix`](crate::Syntax::Infix) parses it to an equal formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0|N1|2|*|-|", Syntax::PapiPostfix)?;
    /// assert_eq!(formula.infix().to_string(), "N0 - N1 * 2");
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn infix(&self) -> impl fmt::Display + '_ {
        Infix(self)
    }

    /// The formula as postfix text; [`Syntax::PapiPostfix`](crate::Syntax::PapiPostfix) parses it to an equal formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0-(N1+(N2*5))", Syntax::Infix)?;
    /// assert_eq!(formula.postfix().to_string(), "N0|N1|N2|5|*|+|-|");
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn postfix(&self) -> impl fmt::Display + '_ {
        Postfix(self)
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formula({})", self.infix())
    }
}

/// Infix text that parses to an equal formula; names that are not plain are put in backquotes.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.infix().fmt(f)
    }
}

/// Prints infix text with as few parentheses as it needs.
struct Infix<'a>(&'a Formula);

/// Prints PAPI's postfix text.
struct Postfix<'a>(&'a Formula);

/// A constant as text that parses to the same one.
struct Constant(Number);

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // A fraction that is too small to change the double, but keeps it from being an exact integer.
            Number::Real(real) if self.0.is_rounded_to_whole() => {
                write!(f, "{real}.00000000000000001")
            }
            number => number.fmt(f),
        }
    }
}

/// A piece of text still to be printed.
enum Piece {
    /// An operation, with the lowest precedence that its context accepts without parentheses.
    Op(u32, u8),
    Text(&'static str),
    /// The sign or name of the operation itself, with or without surrounding spaces.
    Spelling(u32, &'static str, bool),
}

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        infix(self.0, f, |_, _, _| {})
    }
}

/// The position of an operation's own sign, name or number in the infix text.
fn span_in_infix(formula: &Formula, wanted: usize) -> Range<usize> {
    let mut span = None;
    let mut ignored = Counter(0);
    let found = |op: u32, start, end| {
        if op as usize == wanted && span.is_none() {
            span = Some(start..end);
        }
    };
    // Counting bytes cannot fail.
    let _ = infix(formula, &mut ignored, found);
    span.unwrap_or(0..0)
}

/// Writes the text and reports the position of each operation's own sign or name.
fn infix(
    formula: &Formula,
    out: &mut dyn Write,
    mut spelled: impl FnMut(u32, usize, usize),
) -> fmt::Result {
    let mut out = Counted { out, count: 0 };
    let mut todo = Vec::from([Piece::Op(formula.ops.len() as u32 - 1, 0)]);
    while let Some(piece) = todo.pop() {
        match piece {
            Piece::Text(text) => out.write_str(text)?,
            Piece::Spelling(op, text, spaced) => {
                let blank = usize::from(spaced);
                out.write_str(&" "[..blank])?;
                spelled(op, out.count, out.count + text.len());
                out.write_str(text)?;
                out.write_str(&" "[..blank])?;
            }
            Piece::Op(op, around) => {
                let start = out.count;
                expand(formula, op, around, &mut todo, &mut out)?;
                if out.count > start {
                    spelled(op, start, out.count);
                }
            }
        }
    }
    Ok(())
}

/// Writes an operand, or schedules the pieces of an operation.
fn expand(
    formula: &Formula,
    id: u32,
    around: u8,
    todo: &mut Vec<Piece>,
    out: &mut Counted<'_>,
) -> fmt::Result {
    let op = formula.ops[id as usize];
    let precedence = precedence(formula, op);
    let enclosed = precedence < around;
    if let Op::Constant(at) = op {
        let (open, close) = if enclosed { ("(", ")") } else { ("", "") };
        return write!(out, "{open}{}{close}", Constant(formula.constants[at as usize]));
    }
    if let Op::Input(at) = op {
        return out.write_str(&lex::spelled(formula.names.get(at)));
    }
    if enclosed {
        todo.push(Piece::Text(")"));
    }
    match op {
        Op::Unary(op, a) if op.form() == Form::Call => {
            todo.extend([Piece::Text(")"), Piece::Op(a, 0), Piece::Text("(")]);
            todo.push(Piece::Spelling(id, op.infix(), false));
        }
        // A sign directly after a sign would parse, but is hard to read.
        Op::Unary(op, a) => {
            todo.extend([Piece::Op(a, SIGN + 1), Piece::Spelling(id, op.infix(), false)]);
        }
        Op::Binary(op, a, b) => match op.form() {
            Form::Call => {
                todo.extend([Piece::Text(")"), Piece::Op(b, 0), Piece::Text(", ")]);
                todo.extend([Piece::Op(a, 0), Piece::Text("(")]);
                todo.push(Piece::Spelling(id, op.infix(), false));
            }
            Form::Left(p) => {
                todo.extend([Piece::Op(b, p + 1), Piece::Spelling(id, op.infix(), true)]);
                todo.push(Piece::Op(a, p));
            }
            Form::Right(p) => {
                todo.extend([Piece::Op(b, p), Piece::Spelling(id, op.infix(), true)]);
                todo.push(Piece::Op(a, p + 1));
            }
        },
        // Its operands are looser than operators only after `else`.
        Op::Choice(a, c, b) => {
            todo.extend([Piece::Op(b, CHOICE), Piece::Text(" else "), Piece::Op(c, CHOICE + 1)]);
            todo.extend([Piece::Spelling(id, "if", true), Piece::Op(a, CHOICE + 1)]);
        }
        Op::Constant(_) | Op::Input(_) => {}
    }
    if enclosed {
        todo.push(Piece::Text("("));
    }
    Ok(())
}

fn precedence(formula: &Formula, op: Op) -> u8 {
    match op {
        Op::Constant(at) if is_negative(formula.constants[at as usize]) => SIGN,
        Op::Constant(_) | Op::Input(_) => ATOM,
        Op::Unary(op, _) => op.form().precedence(),
        Op::Binary(op, ..) => op.form().precedence(),
        Op::Choice(..) => CHOICE,
    }
}

fn is_negative(number: Number) -> bool {
    number.as_f64().is_sign_negative()
}

impl fmt::Display for Postfix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formula = self.0;
        let mut todo = Vec::from([(formula.ops.len() as u32 - 1, false)]);
        while let Some((id, operands_done)) = todo.pop() {
            match formula.ops[id as usize] {
                Op::Constant(at) => write!(f, "{}|", Constant(formula.constants[at as usize]))?,
                Op::Input(at) => write!(f, "{}|", postfix_name(formula.names.get(at)))?,
                Op::Unary(op, _) if operands_done => write!(f, "{}|", op.word())?,
                Op::Binary(op, ..) if operands_done => write!(f, "{}|", op.word())?,
                Op::Choice(..) if operands_done => f.write_str("if|")?,
                op => {
                    todo.push((id, true));
                    todo.extend(op.operands().rev().map(|operand| (operand, false)));
                }
            }
        }
        Ok(())
    }
}

/// A name as postfix text spells it, where some words are operators, and `N0` and `#` need no separator after them.
fn postfix_name(name: &str) -> alloc::borrow::Cow<'_, str> {
    let word = Unary::by_word(name).is_some() || Binary::by_word(name).is_some();
    let digit = name.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    let numbered = name.starts_with('N') && digit && lex::index_of(name).is_none();
    let after_clock =
        matches!(name.as_bytes(), [b'#', b'0'..=b'9', ..] | [b'#', b'N', b'0'..=b'9', ..]);
    if word || numbered || after_clock { lex::quoted_spelling(name) } else { lex::spelled(name) }
}

/// A writer that counts the bytes written through it.
struct Counted<'a> {
    out: &'a mut dyn Write,
    count: usize,
}

impl Write for Counted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.count += text.len();
        self.out.write_str(text)
    }
}

/// A writer that counts the bytes and discards them.
struct Counter(usize);

impl Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}
