//! What can be wrong with a formula's text, its size, and its evaluation.

use core::ops::Range;

/// Why a text is not a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub kind: ParseErrorKind,
}

/// What is wrong with a formula's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// There is nothing but blanks and separators.
    #[error("the formula is empty")]
    Empty,
    /// A character that no formula of this syntax holds.
    #[error("`{0}` has no meaning in a formula; write a name that holds it between backquotes")]
    UnexpectedCharacter(char),
    /// A number, a name or an opening parenthesis should stand here.
    #[error("expected a number, a name or `(` here")]
    ExpectedOperand,
    /// An operator should stand here.
    #[error("expected an operator before this")]
    ExpectedOperator,
    /// `(` without its `)`.
    #[error("this `(` is not closed")]
    UnclosedParenthesis,
    /// `)` without its `(`.
    #[error("this `)` closes nothing")]
    UnmatchedParenthesis,
    /// A comma outside a function's parentheses.
    #[error("a comma separates the arguments of a function only")]
    UnexpectedComma,
    /// A backquote without its pair.
    #[error("this backquote is not closed")]
    UnclosedName,
    /// A name before `(` that is no function.
    #[error("there is no function of this name; there are sqrt, abs, min, max and rem")]
    UnknownFunction,
    /// A function with too few or too many arguments.
    #[error("this function takes {expected} arguments, here are {found}")]
    WrongArgumentCount {
        /// How many it takes (`min` and `max`: at least).
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Digits that do not make a number.
    #[error("this is not a number; write 2, 2.5, 1e6 or 0x10")]
    MalformedNumber,
    /// A constant beyond the range of doubles.
    #[error("this number is larger than any double")]
    NumberTooBig,
    /// `N65536` or above.
    #[error("the inputs are N0 to N65535")]
    IndexTooBig,
    /// An operator of postfix text without enough values before it.
    #[error(
        "this operator takes {needs} of the values before it, {has} are left; in postfix text operators follow their operands"
    )]
    StackUnderflow {
        /// How many values it takes.
        needs: usize,
        /// How many there are.
        has: usize,
    },
    /// Values of postfix text that no operator takes.
    #[error("this value is used by no operator ({count} left over)")]
    LeftOver {
        /// How many there are besides the result.
        count: usize,
    },
    /// The formula is larger than the limits allow.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl ParseErrorKind {
    /// A short, stable key: `empty`, `underflow`, `leftover`, `number-too-big`, `bad-index`, `limit` or `syntax`.
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
            ParseErrorKind::IndexTooBig => "bad-index",
            ParseErrorKind::Limit(_) => "limit",
            _ => "syntax",
        }
    }
}

/// A formula is larger than the [`Limits`](crate::Limits) in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// The text has more bytes than a span can count.
    #[error("a formula's text holds at most {} bytes", u32::MAX)]
    TooLong,
    /// Parentheses or operands nested deeper than the limit.
    #[error("the formula is nested more than {0} levels deep")]
    TooDeep(usize),
    /// More inputs than the limit.
    #[error("the formula has more than {0} inputs")]
    TooManyInputs(usize),
    /// More operations than the limit, a subexpression counted as often as it is used.
    #[error("the formula has more than {0} operations")]
    TooManyOperations(usize),
}

/// Something odd about a formula that has a value all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Warning {
    /// The bytes of the text that are odd.
    pub span: Range<usize>,
    /// What is odd about them.
    pub kind: WarningKind,
}

/// What is odd about a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// Values that no operator takes; the result is the last value.
    #[error("this value is used by no operator ({count} left over); the result is the last one")]
    LeftOver {
        /// How many there are besides the result.
        count: usize,
    },
}

/// Why a formula has no value for these inputs, and at which operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct EvalError {
    /// The bytes of the operator in the text that the formula was parsed from.
    ///
    /// A formula made by [`substitute`](crate::Formula::substitute) or [`rename_inputs`](crate::Formula::rename_inputs) has no such text: the span is one of its `to_string()`.
    pub span: Range<usize>,
    /// What happened.
    pub kind: EvalErrorKind,
}

/// Why an operation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalErrorKind {
    /// A division by zero, 0 ÷ 0 included.
    #[error("division by zero")]
    DivisionByZero,
    /// The root of a negative number, or an operand that is not a number.
    #[error("the operation has no real value for these operands")]
    Domain,
    /// The value is beyond the range of doubles.
    #[error("the value is larger than any double")]
    Overflow,
    /// Fewer inputs were given than the formula has.
    #[error("the formula has {expected} inputs, {found} were given")]
    MissingInput {
        /// How many inputs the formula has.
        expected: usize,
        /// How many were given.
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

/// Why columns cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// Fewer columns were given than the formula has inputs.
    #[error("the formula has {expected} inputs, {found} columns were given")]
    MissingInput {
        /// How many inputs the formula has.
        expected: usize,
        /// How many columns were given.
        found: usize,
    },
    /// A column has another number of rows than the result.
    #[error("column {input} has {found} rows, the result has {expected}")]
    Length {
        /// Which column.
        input: usize,
        /// The rows of the result.
        expected: usize,
        /// The rows of the column.
        found: usize,
    },
    /// A validity bitmap has fewer bits than there are rows.
    #[error("a validity bitmap has fewer than {expected} words")]
    ShortBitmap {
        /// The words that the rows need.
        expected: usize,
    },
}
