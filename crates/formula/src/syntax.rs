//! The syntaxes a formula may be written in.

/// The syntax of a formula's text.
///
/// In any syntax, `#` is an input named `#`, which in PAPI's files is the maximum clock rate in Hz, and `#name` is an input named `#name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// `N0-(N1+(N2*5))`: the usual precedence and associativity, PAPI's `DERIVED_INFIX`.
    ///
    /// Numbers `2`, `2.5`, `1e6`, `0x10`; inputs `N0` to `N65535`, names of letters, digits and `_ . % :`, or any text between backquotes (a doubled backquote stands for one);
    /// `+ - * /`, `//` for the floor quotient and `%` for its remainder (with the sign of the divisor), `^` (right-associative, binds tighter than a sign before it), signs, parentheses, `sqrt(x)`, `abs(x)`, `min(x, y, …)`, `max(x, y, …)`, `rem(x, y)`;
    /// comparisons `< <= > >= == !=`, `&&` and `||`, which are 1 or 0 and looser than arithmetic, `xor(x, y)`, and `x if c else y`, the loosest;
    /// the rules of perf where they differ, `ratio(x, y)`, `d_ratio(x, y)`, `whole_rem(x, y)`, `lesser(x, y)`, `larger(x, y)` ([`Binary`](crate::Binary) has them all).
    Infix,
    /// `1 - cpu@INST\\,cmask\\=1@ / slots if #smt_on else 0`: the metric expressions of Linux perf, as its `expr.l` and `expr.y` read them.
    ///
    /// From loose to tight: `a if c else b`, `|`, `^`, `&` (all three logical), `< >`, `+ -`, `* / %`, signs; `min(a, b)`, `max(a, b)`, `d_ratio(a, b)`.
    /// A quotient by 0 is not a number.
    /// Names are of letters, digits and `_ . : @ ?`, or of `- , =` after a backslash; the name of the input has no backslashes, and `/` for `@`.
    /// Literals (`#smt_on`) and functions of names (`has_event(NAME)`, `source_count(NAME)`, `aggr_nr(NAME)`, `strcmp_cpuid_str(ID)`) are inputs with the text as their name.
    /// Characters without a meaning are passed over with a [`Warning`](crate::Warning).
    PerfMetric,
    /// `N0|N1|+|`: PAPI's `DERIVED_POSTFIX`.
    ///
    /// The numbers (optionally signed), inputs and operators of infix text, separated by `|` or blanks, and the words `neg sqrt abs min max rem and or xor ratio d_ratio whole_rem lesser larger`; `a|c|b|if|` is `a if c else b`.
    PapiPostfix,
    /// The formulas of 24x7 catalogs: reverse Polish text, or infix text if it contains a parenthesis.
    ///
    /// Tokens are separated by blanks only. `+ - * / mod rem sqr x^y swp rot dup` are operators; any other token that is not a number is an input.
    /// `sqr` is the square root and `rot` rotates the whole stack, as in the table of operators of the catalog document.
    Rpn24x7 {
        /// The meaning of `rem`.
        rem: RemReading,
        /// Which operand of `x^y` is the base.
        pow: PowReading,
    },
}

impl Syntax {
    /// 24x7 formulas, read exactly as the table of the catalog document defines them.
    pub const RPN_24X7: Syntax =
        Syntax::Rpn24x7 { rem: RemReading::Quotient, pow: PowReading::LastIsBase };
}

/// The meaning of `y x rem`: the table of the 24x7 catalog document defines `y // x`, but the name suggests the remainder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RemReading {
    /// The floor quotient, printed `y // x`.
    #[default]
    Quotient,
    /// The remainder with the sign of `y`, printed `rem(y, x)`.
    Remainder,
}

/// The meaning of `y x x^y`: the table of the 24x7 catalog document calls the last value `x`, whereas pocket calculators raise the value before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PowReading {
    /// The last value is the base, printed `x ^ y`.
    #[default]
    LastIsBase,
    /// The last value is the exponent, printed `y ^ x`.
    LastIsExponent,
}
