//! The syntaxes a formula may be written in.

/// How a formula's text is to be read.
///
/// A `#` in any of them is an input named `#`, in PAPI's files the maximum clock rate in Hz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// `N0-(N1+(N2*5))`: the usual precedence and associativity, PAPI's `DERIVED_INFIX`.
    ///
    /// Numbers `2`, `2.5`, `1e6`, `0x10`; inputs `N0` to `N65535`, names of letters, digits and `_ . % :`, or any text between backquotes (a doubled backquote stands for one);
    /// `+ - * /`, `//` for the floor quotient and `%` for what it leaves (with the sign of the divisor), `^` (right-associative, binds tighter than a sign before it), signs, parentheses, `sqrt(x)`, `abs(x)`, `min(x, y, …)`, `max(x, y, …)`, `rem(x, y)`.
    Infix,
    /// `N0|N1|+|`: PAPI's `DERIVED_POSTFIX`.
    ///
    /// The numbers (with a sign also), inputs and operators of infix text between `|` or blanks, and the words `neg sqrt abs min max rem`.
    PapiPostfix,
    /// The formulas of 24x7 catalogs: reverse polish text, or infix text if it holds a parenthesis.
    ///
    /// Tokens are split on blanks only. `+ - * / mod rem sqr x^y swp rot dup` are operators, what is not a number is an input.
    /// `sqr` is the square root and `rot` rotates the whole stack, as the catalog document's table of operators has them.
    Rpn24x7 {
        /// What `rem` is.
        rem: RemReading,
        /// Which operand of `x^y` is the base.
        pow: PowReading,
    },
}

impl Syntax {
    /// 24x7 formulas read as the catalog document's table has them, to the letter.
    pub const RPN_24X7: Syntax =
        Syntax::Rpn24x7 { rem: RemReading::Quotient, pow: PowReading::LastIsBase };
}

/// What `y x rem` is: the table of the 24x7 catalog document says `y // x`, the name says something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RemReading {
    /// The floor quotient, printed `y // x`.
    #[default]
    Quotient,
    /// The remainder with the sign of `y`, printed `rem(y, x)`.
    Remainder,
}

/// What `y x x^y` is: the table of the 24x7 catalog document calls the last value `x`, pocket calculators raise the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PowReading {
    /// The last value is the base, printed `x ^ y`.
    #[default]
    LastIsBase,
    /// The last value is the exponent, printed `y ^ x`.
    LastIsExponent,
}
