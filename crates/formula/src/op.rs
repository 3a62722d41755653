//! The operations of formulas, each declared once.

use crate::error::EvalErrorKind;
use crate::number::{self, Number};
use crate::power;

/// One operation of a formula's program.
///
/// A program is a list of operations; each may use the values of earlier ones, by index, and the last one is the result.
/// All operations of a formula are distinct: a common subexpression appears once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// The constant with this index in [`Formula::constants`](crate::Formula::constants).
    Constant(u32),
    /// The input with this index in [`Formula::inputs`](crate::Formula::inputs).
    Input(u32),
    /// An operation on the value of one earlier operation.
    Unary(Unary, u32),
    /// An operation on the values of two earlier operations, the left operand first.
    Binary(Binary, u32, u32),
    /// `a if c else b`, for the earlier operations a, c and b in this order: the value of b if c is 0, and that of a otherwise, also if c is NaN.
    Choice(u32, u32, u32),
}

impl Op {
    /// The earlier operations whose values it uses, in the order of the text.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("misses / accesses", Syntax::Infix)?;
    /// assert!(formula.ops()[2].operands().eq([0, 1]));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn operands(self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        let (operands, count) = match self {
            Op::Constant(_) | Op::Input(_) => ([0; 3], 0),
            Op::Unary(_, a) => ([a, 0, 0], 1),
            Op::Binary(_, a, b) => ([a, b, 0], 2),
            Op::Choice(a, c, b) => ([a, c, b], 3),
        };
        operands.into_iter().take(count)
    }

    /// The same operation on the operands that `map` returns for these.
    pub(crate) fn map_operands(self, mut map: impl FnMut(u32) -> u32) -> Op {
        match self {
            Op::Constant(_) | Op::Input(_) => self,
            Op::Unary(op, a) => Op::Unary(op, map(a)),
            Op::Binary(op, a, b) => Op::Binary(op, map(a), map(b)),
            Op::Choice(a, c, b) => Op::Choice(map(a), map(c), map(b)),
        }
    }
}

/// The form of an operation in infix text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Between its operands (or before its only one), with this precedence; left-associative.
    Left(u8),
    /// As `Left`, but right-associative.
    Right(u8),
    /// As a function: `name(a, b)`.
    Call,
}

/// The precedences of infix text, from loose to tight. A choice, `a if c else b`, is looser than every operator.
pub(crate) const CHOICE: u8 = 0;
pub(crate) const OR: u8 = 1;
/// Only perf's syntax has an operator of this precedence.
pub(crate) const XOR: u8 = 2;
pub(crate) const AND: u8 = 3;
pub(crate) const COMPARISON: u8 = 4;
pub(crate) const SUM: u8 = 5;
pub(crate) const PRODUCT: u8 = 6;
pub(crate) const SIGN: u8 = 7;
pub(crate) const POWER: u8 = 8;
/// Binds tighter than every operator.
pub(crate) const ATOM: u8 = 9;

impl Form {
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Form::Left(precedence) | Form::Right(precedence) => precedence,
            Form::Call => ATOM,
        }
    }
}

/// Declares an enum of operations: documentation, variant, postfix word, infix form and spelling, IEEE rule, exact rule.
macro_rules! operations {
    ($d:tt $with:ident $(#[$meta:meta])* $Enum:ident $args:tt ($($floats:tt)*) ($($numbers:tt)*) {
        $($(#[doc = $doc:literal])+ $Variant:ident = $word:literal, $form:expr, $infix:literal, $real:expr, $exact:expr;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $Enum {
            $($(#[doc = $doc])+ $Variant,)+
        }

        impl $Enum {
            pub(crate) const ALL: &'static [$Enum] = &[$($Enum::$Variant),+];

            /// The word for the operation in postfix text and listings.
            ///
            /// ```
            /// use counterpoint_formula::{Binary, Unary};
            ///
            /// assert_eq!((Binary::Quot.word(), Unary::Sqrt.word()), ("//", "sqrt"));
            /// ```
            pub fn word(self) -> &'static str {
                match self { $($Enum::$Variant => $word,)+ }
            }

            /// The value by the rules of IEEE 754 doubles.
            ///
            /// ```
            /// use counterpoint_formula::{Binary, Unary};
            ///
            /// assert_eq!((Binary::Quot.apply(7.0, 2.0), Unary::Neg.apply(1.0)), (3.0, -1.0));
            /// ```
            #[inline]
            pub fn apply(self, $($floats)*) -> f64 {
                match self { $($Enum::$Variant => $real $args,)+ }
            }

            /// The value, with integers kept exact.
            pub(crate) fn exact(self, $($numbers)*) -> Result<Number, EvalErrorKind> {
                match self { $($Enum::$Variant => $exact $args,)+ }
            }

            pub(crate) fn form(self) -> Form {
                match self { $($Enum::$Variant => $form,)+ }
            }

            /// The operator or function as infix text spells it.
            pub(crate) fn infix(self) -> &'static str {
                match self { $($Enum::$Variant => $infix,)+ }
            }

            pub(crate) fn by_word(word: &str) -> Option<$Enum> {
                Self::ALL.iter().copied().find(|op| op.word() == word)
            }

            /// The operation that infix text writes as a function with this name.
            pub(crate) fn by_function(name: &str) -> Option<$Enum> {
                Self::ALL.iter().copied().find(|op| op.form() == Form::Call && op.infix() == name)
            }
        }

        /// Expands an expression for each operation, with the operation's index in `ALL` as a constant.
        macro_rules! $with {
            ($d op:expr, $d INDEX:ident => $d body:expr) => {
                match $d op {
                    $($crate::op::$Enum::$Variant => {
                        const $d INDEX: usize = $crate::op::$Enum::$Variant as usize;
                        $d body
                    })+
                }
            };
        }
        pub(crate) use $with;
    };
}

operations! {
    $ with_unary
    /// The operations on one value.
    Unary (a) (a: f64) (a: Number) {
        /// −a.
        Neg = "neg", Form::Left(SIGN), "-", |a: f64| -a, number::neg;
        /// The square root.
        Sqrt = "sqrt", Form::Call, "sqrt", number::float_sqrt, number::sqrt;
        /// The absolute value.
        Abs = "abs", Form::Call, "abs", f64::abs, number::abs;
    }
}

operations! {
    $ with_binary
    /// The operations on two values.
    Binary (a, b) (a: f64, b: f64) (a: Number, b: Number) {
        /// a + b.
        Add = "+", Form::Left(SUM), "+", |a: f64, b: f64| a + b, number::add;
        /// a − b.
        Sub = "-", Form::Left(SUM), "-", |a: f64, b: f64| a - b, number::sub;
        /// a × b.
        Mul = "*", Form::Left(PRODUCT), "*", |a: f64, b: f64| a * b, number::mul;
        /// a ÷ b.
        Div = "/", Form::Left(PRODUCT), "/", |a: f64, b: f64| a / b, number::div;
        /// The remainder of the floor quotient of a by b: it has the sign of b.
        Mod = "%", Form::Left(PRODUCT), "%", number::float_mod, number::modulo;
        /// The floor quotient: the greatest integer not above a ÷ b.
        Quot = "//", Form::Left(PRODUCT), "//", number::float_quot, number::quot;
        /// The remainder of the quotient of a by b truncated toward zero: it has the sign of a.
        Rem = "rem", Form::Call, "rem", |a: f64, b: f64| a % b, number::rem;
        /// a to the power of b.
        Pow = "^", Form::Right(POWER), "^", power::pow, number::pow;
        /// The smaller operand; NaN if either is.
        Min = "min", Form::Call, "min", number::float_min, number::min;
        /// The larger operand; NaN if either is.
        Max = "max", Form::Call, "max", number::float_max, number::max;
        /// 1 if a is less than b, and 0 if not; NaN if either is.
        Less = "<", Form::Left(COMPARISON), "<", number::float_less, number::less;
        /// 1 if a is greater than b, and 0 if not; NaN if either is.
        Greater = ">", Form::Left(COMPARISON), ">", number::float_greater, number::greater;
        /// 1 if a is at most b, and 0 if not; NaN if either is.
        AtMost = "<=", Form::Left(COMPARISON), "<=", number::float_at_most, number::at_most;
        /// 1 if a is at least b, and 0 if not; NaN if either is.
        AtLeast = ">=", Form::Left(COMPARISON), ">=", number::float_at_least, number::at_least;
        /// 1 if a equals b, and 0 if not; NaN if either is.
        Equal = "==", Form::Left(COMPARISON), "==", number::float_equal, number::equal;
        /// 0 if a equals b, and 1 if not; NaN if either is.
        NotEqual = "!=", Form::Left(COMPARISON), "!=", number::float_not_equal, number::not_equal;
        /// 0 if a or b is 0, and otherwise 1; NaN if one is NaN and the other is not 0.
        And = "and", Form::Left(AND), "&&", number::float_and, number::and;
        /// 1 if a or b is neither 0 nor NaN, and otherwise 0; NaN if one is NaN and the other is 0 or NaN.
        Or = "or", Form::Left(OR), "||", number::float_or, number::or;
        /// 1 if just one of a and b is 0, and 0 otherwise; NaN if either is.
        Xor = "xor", Form::Call, "xor", number::float_xor, number::xor;
        /// a ÷ b, which has no value (NaN) if b is 0: perf's `/`.
        Ratio = "ratio", Form::Call, "ratio", number::float_ratio, number::div;
        /// a ÷ b, or 0 if b is 0: perf's `d_ratio`.
        DRatio = "d_ratio", Form::Call, "d_ratio", number::float_d_ratio, number::d_ratio;
        /// The remainder of the whole parts of a and b, with the sign of a: perf's `%`.
        WholeRem = "whole_rem", Form::Call, "whole_rem", number::float_whole_rem, number::whole_rem;
        /// a if it is less than b, and otherwise b: perf's `min`, which is b if a is NaN.
        Lesser = "lesser", Form::Call, "lesser", number::float_lesser, number::lesser;
        /// a if it is greater than b, and otherwise b: perf's `max`, which is b if a is NaN.
        Larger = "larger", Form::Call, "larger", number::float_larger, number::larger;
    }
}

impl Binary {
    /// Returns true if it may have a value if an operand has none.
    pub(crate) fn is_lenient(self) -> bool {
        use Binary::{And, DRatio, Larger, Lesser, Or};
        matches!(self, And | Or | DRatio | Lesser | Larger)
    }
}
