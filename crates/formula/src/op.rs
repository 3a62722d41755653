//! The operations of formulas, each declared once.

use crate::error::EvalErrorKind;
use crate::number::{self, Number};

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
}

/// How an operation is written in infix text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Between its operands (or before its only one), with this precedence; left-associative.
    Left(u8),
    /// As `Left`, but right-associative.
    Right(u8),
    /// As a function: `name(a, b)`.
    Call,
}

/// Binds tighter than every operator.
pub(crate) const ATOM: u8 = 5;
/// How tightly a sign binds.
pub(crate) const SIGN: u8 = 3;

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
        Add = "+", Form::Left(1), "+", |a: f64, b: f64| a + b, number::add;
        /// a − b.
        Sub = "-", Form::Left(1), "-", |a: f64, b: f64| a - b, number::sub;
        /// a × b.
        Mul = "*", Form::Left(2), "*", |a: f64, b: f64| a * b, number::mul;
        /// a ÷ b.
        Div = "/", Form::Left(2), "/", |a: f64, b: f64| a / b, number::div;
        /// The remainder of the floor quotient of a by b: it has the sign of b.
        Mod = "%", Form::Left(2), "%", number::float_mod, number::modulo;
        /// The floor quotient: the greatest integer not above a ÷ b.
        Quot = "//", Form::Left(2), "//", number::float_quot, number::quot;
        /// The remainder of the quotient of a by b truncated toward zero: it has the sign of a.
        Rem = "rem", Form::Call, "rem", |a: f64, b: f64| a % b, number::rem;
        /// a to the power of b.
        Pow = "^", Form::Right(4), "^", libm::pow, number::pow;
        /// The smaller operand; NaN if either is.
        Min = "min", Form::Call, "min", number::float_min, number::min;
        /// The larger operand; NaN if either is.
        Max = "max", Form::Call, "max", number::float_max, number::max;
    }
}
