//! Errors in the text, the size and the evaluation of a formula.

use core::fmt;
use core::ops::Range;

/// An error in the text of a formula, and where it is.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The range of bytes that is wrong.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: ParseErrorKind,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("ParseError")
                .field("span", &self.span)
                .field("kind", &self.kind)
                .finish();
        }
        fmt::Display::fmt(self, f)
    }
}

/// The kind of error in the text of a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The text contains only blanks and separators.
    #[error("the formula is empty")]
    Empty,
    /// A character that is not allowed in this syntax.
    #[error("unexpected character `{0}`; put a name that contains it in backquotes")]
    UnexpectedCharacter(char),
    /// Expected a number, a name or an opening parenthesis.
    #[error("expected a number, a name or `(` here")]
    ExpectedOperand,
    /// Expected an operator.
    #[error("expected an operator before this")]
    ExpectedOperator,
    /// An opening parenthesis without its closing one.
    #[error("this `(` is not closed")]
    UnclosedParenthesis,
    /// A closing parenthesis without its opening one.
    #[error("this `)` has no matching `(`")]
    UnmatchedParenthesis,
    /// A comma outside the parentheses of a function.
    #[error("a comma is only allowed between the arguments of a function")]
    UnexpectedComma,
    /// A backquote without a closing one.
    #[error("this backquote is not closed")]
    UnclosedName,
    /// A name before `(` that is not a function.
    #[error("unknown function; the functions are {functions}")]
    UnknownFunction {
        /// The functions of the syntax.
        functions: &'static str,
    },
    /// An `if` without its `else`, or with a choice in its condition.
    #[error(
        "this `if` has no `else`; write `a if c else b`, and put a choice within a condition in parentheses"
    )]
    MissingElse,
    /// An `else` without its `if`.
    #[error("this `else` has no `if` before it")]
    UnexpectedElse,
    /// A function of names, such as perf's `has_event`, that is not followed by one name in parentheses.
    #[error("expected one name, and `)` after it")]
    ExpectedName,
    /// A function with too few or too many arguments.
    #[error("wrong number of arguments (expected {expected}, found {found})")]
    WrongArgumentCount {
        /// The number of arguments that the function takes (`min` and `max`: at least).
        expected: usize,
        /// The number of arguments found.
        found: usize,
    },
    /// Digits that do not form a number.
    #[error("this is not a number; write 2, 2.5, 1e6 or 0x10")]
    MalformedNumber,
    /// A constant outside the range of doubles.
    #[error("this number is larger than any double")]
    NumberTooBig,
    /// A constant that is not 0, and that no double but 0 is near.
    #[error("this number is too small: every double but 0 is larger")]
    NumberTooSmall,
    /// `N65536` or above.
    #[error("numbered inputs are N0 to N65535")]
    IndexTooBig,
    /// An operator in postfix text with too few values before it.
    #[error(
        "not enough values before this operator (needs {needs}, has {has}); in postfix text, operators follow their operands"
    )]
    StackUnderflow {
        /// The number of values that the operator takes.
        needs: usize,
        /// The number of values left.
        has: usize,
    },
    /// Values in postfix text that no operator uses.
    #[error("no operator uses this value ({count} left over)")]
    LeftOver {
        /// The number of values besides the result.
        count: usize,
    },
    /// The formula exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl ParseErrorKind {
    /// A short, stable key: `empty`, `underflow`, `leftover`, `number-too-big`, `number-too-small`, `bad-index`, `limit` or `syntax`.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let error = Formula::parse("N0|+|", Syntax::PapiPostfix).unwrap_err();
    /// assert_eq!(error.kind.code(), "underflow");
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            ParseErrorKind::Empty => "empty",
            ParseErrorKind::StackUnderflow { .. } => "underflow",
            ParseErrorKind::LeftOver { .. } => "leftover",
            ParseErrorKind::NumberTooBig => "number-too-big",
            ParseErrorKind::NumberTooSmall => "number-too-small",
            ParseErrorKind::IndexTooBig => "bad-index",
            ParseErrorKind::Limit(_) => "limit",
            _ => "syntax",
        }
    }
}

/// A formula exceeds the [`Limits`](crate::Limits) in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// The text has more bytes than a span can count.
    #[error("the text of a formula is limited to {} bytes", u32::MAX)]
    TooLong,
    /// Parentheses or operands are nested deeper than the limit.
    #[error("the formula is nested more than {0} levels deep")]
    TooDeep(usize),
    /// More inputs than the limit.
    #[error("the formula has more than {0} inputs")]
    TooManyInputs(usize),
    /// More operations than the limit; a subexpression counts each time it is used.
    #[error("the formula has more than {0} operations")]
    TooManyOperations(usize),
}

/// Something odd about a formula that still has a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Warning {
    /// The range of bytes that is odd.
    pub span: Range<usize>,
    /// The kind of warning.
    pub kind: WarningKind,
}

/// The kind of warning about a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// Values that no operator uses; the result is the last value.
    #[error("no operator uses this value ({count} left over); the result is the last value")]
    LeftOver {
        /// The number of values besides the result.
        count: usize,
    },
    /// A character without a meaning in perf's syntax.
    #[error("`{0}` has no meaning here and is passed over")]
    PassedOver(char),
}

/// The reason why a formula has no value for the given inputs, and the operation that failed.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct EvalError {
    /// The bytes of the operator in the text that the formula was parsed from.
    ///
    /// A formula made by [`substitute`](crate::Formula::substitute) or [`rename_inputs`](crate::Formula::rename_inputs) was not parsed from a text; its spans refer to its `to_string()`.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: EvalErrorKind,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("EvalError")
                .field("span", &self.span)
                .field("kind", &self.kind)
                .finish();
        }
        fmt::Display::fmt(self, f)
    }
}

/// The reason why an operation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalErrorKind {
    /// A division by zero, 0 ÷ 0 included.
    #[error("division by zero")]
    DivisionByZero,
    /// The square root of a negative number, or an operand that is NaN.
    #[error("the operation has no real value for these operands")]
    Domain,
    /// The value is outside the range of doubles.
    #[error("the value is larger than any double")]
    Overflow,
    /// Fewer inputs were given than the formula has.
    #[error("the formula has {expected} inputs, but {found} were given")]
    MissingInput {
        /// The number of inputs that the formula has.
        expected: usize,
        /// The number of inputs given.
        found: usize,
    },
}

impl EvalErrorKind {
    /// A short, stable key: `division-by-zero`, `domain`, `overflow` or `missing-input`.
    ///
    /// ```
    /// use counterpoint_formula::EvalErrorKind;
    ///
    /// assert_eq!(EvalErrorKind::DivisionByZero.code(), "division-by-zero");
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            EvalErrorKind::DivisionByZero => "division-by-zero",
            EvalErrorKind::Domain => "domain",
            EvalErrorKind::Overflow => "overflow",
            EvalErrorKind::MissingInput { .. } => "missing-input",
        }
    }
}

/// The reason why columns cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// Fewer columns were given than the formula has inputs.
    #[error("the formula has {expected} inputs, but {found} columns were given")]
    MissingInput {
        /// The number of inputs that the formula has.
        expected: usize,
        /// The number of columns given.
        found: usize,
    },
    /// The number of rows of a column differs from that of the result.
    #[error("column {input} has {found} rows, but the result has {expected}")]
    Length {
        /// The index of the column.
        input: usize,
        /// The number of rows of the result.
        expected: usize,
        /// The number of rows of the column.
        found: usize,
    },
    /// A validity bitmap has fewer bits than there are rows.
    #[error("a validity bitmap has fewer than {expected} words")]
    ShortBitmap {
        /// The number of words that the rows need.
        expected: usize,
    },
}
