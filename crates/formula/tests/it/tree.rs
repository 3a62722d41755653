//! Expression trees with independent printing and evaluation, to compare formulas with.

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

/// An expression over the inputs N0 to N3.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Constant(u32),
    Fraction(u8),
    Input(usize),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    /// The first if the second else the third.
    Choice(Box<[Tree; 3]>),
}

/// Expressions with these operators.
pub(crate) fn tree(
    unary: &'static [&'static str],
    binary: &'static [&'static str],
) -> impl Strategy<Value = Tree> {
    with_choices(unary, binary, 0)
}

/// Expressions with every operation.
pub(crate) fn any_tree() -> impl Strategy<Value = Tree> {
    with_choices(UNARY, BINARY, 1)
}

/// Expressions of which about this many of six parts are choices.
fn with_choices(
    unary: &'static [&'static str],
    binary: &'static [&'static str],
    choices: u32,
) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        3 => (0..4_usize).prop_map(Tree::Input),
        1 => prop_oneof![0..5_u32, any::<u32>()].prop_map(Tree::Constant),
        1 => any::<u8>().prop_map(Tree::Fraction),
    ];
    leaf.prop_recursive(6, 40, 2, move |inner| {
        let inner = inner.boxed();
        let pair = (proptest::sample::select(binary), inner.clone(), inner.clone())
            .prop_map(|(op, a, b)| Tree::Binary(op, Box::new(a), Box::new(b)))
            .boxed();
        if unary.is_empty() {
            return pair;
        }
        let single = (proptest::sample::select(unary), inner.clone())
            .prop_map(|(op, a)| Tree::Unary(op, Box::new(a)));
        let choice = proptest::array::uniform3(inner).prop_map(|of| Tree::Choice(Box::new(of)));
        let choice = (1..=choices).map(|_| choice.clone().boxed());
        let parts = [single.boxed()].into_iter().chain((0..4).map(|_| pair.clone())).chain(choice);
        proptest::strategy::Union::new(parts).boxed()
    })
}

pub(crate) const UNARY: &[&str] = &["neg", "sqrt", "abs"];
pub(crate) const BINARY: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "+",
    "-",
    "*",
    "/",
    "%",
    "//",
    "^",
    "rem",
    "min",
    "max",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "and",
    "or",
    "xor",
    "ratio",
    "d_ratio",
    "whole_rem",
    "lesser",
    "larger",
];

impl Tree {
    fn leaf(&self) -> Option<String> {
        match self {
            Tree::Constant(int) => Some(int.to_string()),
            Tree::Fraction(quarters) => Some(format!("{}", f64::from(*quarters) / 4.0)),
            Tree::Input(at) => Some(format!("N{at}")),
            _ => None,
        }
    }

    /// Infix text with every operation in parentheses.
    pub(crate) fn infix(&self) -> String {
        match self {
            Tree::Unary("neg", a) => format!("(-{})", a.infix()),
            Tree::Unary(op, a) => format!("{op}({})", a.infix()),
            Tree::Binary("and", a, b) => format!("({} && {})", a.infix(), b.infix()),
            Tree::Binary("or", a, b) => format!("({} || {})", a.infix(), b.infix()),
            Tree::Binary(op, a, b) if op.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                format!("{op}({}, {})", a.infix(), b.infix())
            }
            Tree::Choice(of) => {
                let [a, c, b] = of.each_ref().map(Tree::infix);
                format!("({a} if {c} else {b})")
            }
            Tree::Binary(op, a, b) => format!("({} {op} {})", a.infix(), b.infix()),
            leaf => leaf.leaf().unwrap(),
        }
    }

    pub(crate) fn postfix(&self) -> String {
        match self {
            Tree::Unary(op, a) => format!("{}{op}|", a.postfix()),
            Tree::Binary(op, a, b) => format!("{}{}{op}|", a.postfix(), b.postfix()),
            Tree::Choice(of) => format!("{}if|", of.each_ref().map(Tree::postfix).concat()),
            leaf => format!("{}|", leaf.leaf().unwrap()),
        }
    }

    /// The text of a 24x7 catalog, as [`Syntax::RPN_24X7`](counterpoint_formula::Syntax::RPN_24X7) reads it.
    pub(crate) fn rpn(&self) -> String {
        match self {
            Tree::Unary("sqrt", a) => format!("{} sqr", a.rpn()),
            Tree::Unary(op, _) => panic!("catalogs have no {op}"),
            // The value on top of the stack is the base.
            Tree::Binary("^", a, b) => format!("{} {} x^y", b.rpn(), a.rpn()),
            Tree::Binary(op, a, b) => {
                let op = match *op {
                    "%" => "mod",
                    "//" => "rem",
                    other => other,
                };
                format!("{} {} {op}", a.rpn(), b.rpn())
            }
            Tree::Choice(_) => panic!("catalogs have no choices"),
            leaf => leaf.leaf().unwrap(),
        }
    }

    /// The value by Rust's own arithmetic, one operation at a time.
    pub(crate) fn eval(&self, n: &[f64]) -> f64 {
        match self {
            Tree::Constant(int) => f64::from(*int),
            Tree::Fraction(quarters) => f64::from(*quarters) / 4.0,
            Tree::Input(at) => n[*at],
            Tree::Unary("neg", a) => -a.eval(n),
            Tree::Unary("sqrt", a) => a.eval(n).sqrt(),
            Tree::Unary(_, a) => a.eval(n).abs(),
            Tree::Binary(op, a, b) => binary(op, a.eval(n), b.eval(n)),
            Tree::Choice(of) if of[1].eval(n) == 0.0 => of[2].eval(n),
            Tree::Choice(of) => of[0].eval(n),
        }
    }

    /// The exact value of `+ - * / % //` and signs over integers, and whether every intermediate value is an integer.
    ///
    /// Returns `None` if something is divided by zero.
    pub(crate) fn rational(&self, n: &[i128]) -> Option<(BigRational, bool)> {
        let whole = |int: i128| BigRational::from_integer(BigInt::from(int));
        Some(match self {
            Tree::Constant(int) => (whole((*int).into()), true),
            Tree::Fraction(quarters) => {
                let value = BigRational::new(BigInt::from(*quarters), BigInt::from(4));
                (value.clone(), value.is_integer())
            }
            Tree::Input(at) => (whole(n[*at]), true),
            Tree::Unary("neg", a) => {
                let (a, integral) = a.rational(n)?;
                (-a, integral)
            }
            Tree::Unary(op, _) => panic!("{op} is not rational"),
            Tree::Binary(op, a, b) => {
                let ((a, a_whole), (b, b_whole)) = (a.rational(n)?, b.rational(n)?);
                let zero = BigRational::from_integer(BigInt::from(0));
                if matches!(*op, "/" | "//" | "%") && b == zero {
                    return None;
                }
                let value = match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a / b,
                    "//" => (a / b).floor(),
                    "%" => a.clone() - (a / b.clone()).floor() * b,
                    other => panic!("{other} is not rational"),
                };
                let integral = a_whole && b_whole && value.is_integer();
                (value, integral)
            }
            Tree::Choice(_) => panic!("choices are not rational"),
        })
    }
}

fn binary(op: &str, a: f64, b: f64) -> f64 {
    match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "^" => libm_pow(a, b),
        "rem" => a % b,
        "%" => floor_mod(a, b),
        "//" => floor_div(a, b),
        "min" if a.is_nan() || b.is_nan() => f64::NAN,
        "min" => {
            if a < b {
                a
            } else {
                b
            }
        }
        "max" if a.is_nan() || b.is_nan() => f64::NAN,
        "max" => {
            if a > b {
                a
            } else {
                b
            }
        }
        "<" | ">" | "<=" | ">=" | "==" | "!=" if a.is_nan() || b.is_nan() => f64::NAN,
        "<" => f64::from(a < b),
        ">" => f64::from(a > b),
        "<=" => f64::from(a <= b),
        ">=" => f64::from(a >= b),
        "==" => f64::from(a == b),
        "!=" => f64::from(a != b),
        "and" if a == 0.0 || b == 0.0 => 0.0,
        "or" if [a, b].iter().any(|n| !n.is_nan() && *n != 0.0) => 1.0,
        "and" | "or" | "xor" if a.is_nan() || b.is_nan() => f64::NAN,
        "and" => 1.0,
        "or" => 0.0,
        "xor" => f64::from((a != 0.0) != (b != 0.0)),
        "ratio" if b == 0.0 => f64::NAN,
        "ratio" => a / b,
        "d_ratio" if b == 0.0 => 0.0,
        "d_ratio" => a / b,
        "whole_rem" => a.trunc() % b.trunc(),
        "lesser" if a < b => a,
        "larger" if a > b => a,
        "lesser" | "larger" => b,
        other => panic!("{other}"),
    }
}

/// Powers use libm, which may differ from the platform's library in the last bit.
fn libm_pow(a: f64, b: f64) -> f64 {
    counterpoint_formula::Binary::Pow.apply(a, b)
}

fn floor_mod(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 {
        0.0_f64.copysign(b)
    } else if b.is_infinite() && rest.signum() != b.signum() {
        // No multiple of infinity leads to a number with its sign.
        f64::NAN
    } else if rest.signum() != b.signum() {
        rest + b
    } else {
        rest
    }
}

fn floor_div(a: f64, b: f64) -> f64 {
    if b == 0.0 || !a.is_finite() || !b.is_finite() {
        return (a / b).floor();
    }
    let rest = a % b;
    let quotient = (a - rest) / b;
    let below = rest != 0.0 && (rest < 0.0) != (b < 0.0);
    (if below { quotient - 1.0 } else { quotient }).round()
}
