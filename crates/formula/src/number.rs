//! Numbers that stay integers as long as possible, and the arithmetic of both kinds.

use core::cmp::Ordering;
use core::fmt;

use crate::error::EvalErrorKind;
use crate::power;

/// 2^127: the first magnitude that an `i128` cannot hold.
const INT_END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// A value: an exact integer, or a real number rounded to a double.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An exact integer.
    Int(i128),
    /// Any other number, as the nearest IEEE 754 double.
    Real(f64),
}

impl Number {
    /// The nearest double.
    ///
    /// ```
    /// use counterpoint_formula::Number;
    ///
    /// assert_eq!(Number::Int(3).as_f64(), 3.0);
    /// ```
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(int) => int as f64,
            Number::Real(real) => real,
        }
    }

    /// The integer, if the number is held as one.
    ///
    /// ```
    /// use counterpoint_formula::Number;
    ///
    /// assert_eq!(Number::Int(3).as_int(), Some(3));
    /// assert_eq!(Number::Real(3.0).as_int(), None);
    /// ```
    pub fn as_int(self) -> Option<i128> {
        match self {
            Number::Int(int) => Some(int),
            Number::Real(_) => None,
        }
    }

    /// The value that PAPI returns: truncated toward zero to 64 bits.
    ///
    /// Returns `None` if the conversion is undefined in C: the value does not fit or is NaN.
    ///
    /// ```
    /// use counterpoint_formula::Number;
    ///
    /// assert_eq!(Number::Real(-2.75).papi(), Some(-2));
    /// assert_eq!(Number::Int(1 << 63).papi(), None);
    /// ```
    pub fn papi(self) -> Option<i64> {
        match self {
            Number::Int(int) => i64::try_from(int).ok(),
            Number::Real(real) => {
                let whole = libm::trunc(real);
                let end = 9_223_372_036_854_775_808.0;
                (-end..end).contains(&whole).then_some(whole as i64)
            }
        }
    }

    /// The form that a constant has in a program: an integer that no double exceeds is one.
    pub(crate) fn canonical(self) -> Number {
        match self {
            Number::Int(int) if i64::try_from(int).is_ok() => self,
            Number::Int(int) if (int as f64).abs() >= INT_END => Number::Real(int as f64),
            _ => self,
        }
    }

    /// Returns true if it is a whole double, such as the one nearest to 9007199254740993.5: its text must not be that of an integer,
    /// which would be exact.
    pub(crate) fn is_rounded_to_whole(self) -> bool {
        matches!(self, Number::Real(real) if real.abs() < INT_END && libm::trunc(real) == real)
    }

    /// Returns true if it is not 0, which is what conditions ask; NaN is not 0.
    pub(crate) fn is_true(self) -> bool {
        match self {
            Number::Int(int) => int != 0,
            Number::Real(real) => real != 0.0,
        }
    }

    /// Returns true if both have the same kind and the same bits.
    pub(crate) fn same(self, other: Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            (Number::Real(a), Number::Real(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl fmt::Display for Number {
    /// The shortest text that parses to the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(int) => int.fmt(f),
            Number::Real(real) if (1e-5..1e16).contains(&real.abs()) => real.fmt(f),
            Number::Real(real) => fmt::LowerExp::fmt(real, f),
        }
    }
}

impl From<i128> for Number {
    fn from(int: i128) -> Number {
        Number::Int(int)
    }
}

impl From<u64> for Number {
    fn from(int: u64) -> Number {
        Number::Int(int.into())
    }
}

impl From<i64> for Number {
    fn from(int: i64) -> Number {
        Number::Int(int.into())
    }
}

impl From<f64> for Number {
    fn from(real: f64) -> Number {
        Number::Real(real)
    }
}

type Exact = Result<Number, EvalErrorKind>;

/// A real result: an error if the operands were finite and the result is not.
fn real(result: f64, operands: &[Number]) -> Exact {
    if result.is_nan() {
        Err(EvalErrorKind::Domain)
    } else if result.is_infinite() && operands.iter().all(|n| n.as_f64().is_finite()) {
        Err(EvalErrorKind::Overflow)
    } else {
        Ok(Number::Real(result))
    }
}

/// Applies the exact rule if both operands are integers and it yields a value, and the real rule otherwise.
fn whole_or_real(
    a: Number,
    b: Number,
    whole: impl FnOnce(i128, i128) -> Option<i128>,
    float: impl FnOnce(f64, f64) -> f64,
) -> Exact {
    if let (Number::Int(a), Number::Int(b)) = (a, b)
        && let Some(int) = whole(a, b)
    {
        return Ok(Number::Int(int));
    }
    real(float(a.as_f64(), b.as_f64()), &[a, b])
}

/// As `whole_or_real`, for operations that have no value when `b` is zero.
fn divide(
    a: Number,
    b: Number,
    whole: impl FnOnce(i128, i128) -> Option<i128>,
    float: impl FnOnce(f64, f64) -> f64,
) -> Exact {
    if b.as_f64() == 0.0 {
        return Err(EvalErrorKind::DivisionByZero);
    }
    whole_or_real(a, b, whole, float)
}

pub(crate) fn add(a: Number, b: Number) -> Exact {
    whole_or_real(a, b, i128::checked_add, |a, b| a + b)
}

pub(crate) fn sub(a: Number, b: Number) -> Exact {
    whole_or_real(a, b, i128::checked_sub, |a, b| a - b)
}

pub(crate) fn mul(a: Number, b: Number) -> Exact {
    whole_or_real(a, b, i128::checked_mul, |a, b| a * b)
}

pub(crate) fn div(a: Number, b: Number) -> Exact {
    match (a, b) {
        (_, Number::Int(0)) => Err(EvalErrorKind::DivisionByZero),
        (Number::Int(a), Number::Int(b)) => Ok(match a.checked_rem(b) {
            Some(0) => Number::Int(a / b),
            _ => Number::Real(rounded_quotient(a, b)),
        }),
        _ => divide(a, b, |_, _| None, |a, b| a / b),
    }
}

/// The double nearest to a ÷ b, even if neither operand fits a double.
fn rounded_quotient(a: i128, b: i128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let (magnitude, divisor) = (a.unsigned_abs(), b.unsigned_abs());
    if magnitude <= EXACT && divisor <= EXACT {
        return a as f64 / b as f64;
    }
    // Long division in base two, until there are more bits than a double holds.
    let (mut quotient, mut rest) = (magnitude / divisor, magnitude % divisor);
    let mut shift = 0;
    while quotient < EXACT << 4 {
        rest <<= 1;
        let bit = rest >= divisor;
        rest -= if bit { divisor } else { 0 };
        quotient = quotient << 1 | u128::from(bit);
        shift -= 1;
    }
    // The remainder matters only if the bits lie halfway between two doubles.
    quotient |= u128::from(rest != 0);
    let rounded = libm::scalbn(quotient as f64, shift);
    if (a < 0) == (b < 0) { rounded } else { -rounded }
}

pub(crate) fn modulo(a: Number, b: Number) -> Exact {
    let whole = |a: i128, b: i128| {
        let left = a.wrapping_rem(b);
        Some(if left != 0 && (left < 0) != (b < 0) { left + b } else { left })
    };
    divide(a, b, whole, float_mod)
}

pub(crate) fn quot(a: Number, b: Number) -> Exact {
    let whole = |a: i128, b: i128| {
        let left = a.wrapping_rem(b);
        let below = left != 0 && (left < 0) != (b < 0);
        Some(a.checked_div(b)? - i128::from(below))
    };
    divide(a, b, whole, float_quot)
}

pub(crate) fn rem(a: Number, b: Number) -> Exact {
    divide(a, b, |a, b| Some(a.wrapping_rem(b)), |a, b| a % b)
}

pub(crate) fn pow(a: Number, b: Number) -> Exact {
    if a.as_f64() == 0.0 && b.as_f64() < 0.0 {
        return Err(EvalErrorKind::DivisionByZero);
    }
    let whole = |a: i128, b| u32::try_from(b).ok().and_then(|b| a.checked_pow(b));
    whole_or_real(a, b, whole, power::pow)
}

pub(crate) fn min(a: Number, b: Number) -> Exact {
    choose(a, b, i128::min, float_min)
}

pub(crate) fn max(a: Number, b: Number) -> Exact {
    choose(a, b, i128::max, float_max)
}

fn choose(
    a: Number,
    b: Number,
    whole: fn(i128, i128) -> i128,
    float: fn(f64, f64) -> f64,
) -> Exact {
    let (x, y) = (a.as_f64(), b.as_f64());
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Ok(Number::Int(whole(a, b))),
        _ if x.is_nan() || y.is_nan() => Err(EvalErrorKind::Domain),
        // Numbers of both kinds may differ although their doubles do not.
        (Number::Int(int), Number::Real(real)) | (Number::Real(real), Number::Int(int)) => {
            let order = compare(int, real);
            let order = if a.as_int().is_some() { order } else { order.reverse() };
            let takes_a = if float(0.0, 1.0) == 0.0 { order.is_lt() } else { order.is_gt() };
            // A double may have been rounded to the integer that it equals, which is then not exact.
            let is_a = if order.is_eq() { a.as_int().is_none() } else { takes_a };
            Ok(if is_a { a } else { b })
        }
        _ if float(x, y).to_bits() == y.to_bits() => Ok(b),
        _ => Ok(a),
    }
}

/// The exact order of an integer and a double that is not NaN.
fn compare(int: i128, real: f64) -> Ordering {
    if real >= INT_END {
        return Ordering::Less;
    }
    if real < -INT_END {
        return Ordering::Greater;
    }
    let whole = libm::trunc(real);
    int.cmp(&(whole as i128)).then(if real > whole {
        Ordering::Less
    } else if real < whole {
        Ordering::Greater
    } else {
        Ordering::Equal
    })
}

/// The order of two numbers, exactly; an error if either is NaN.
fn order(a: Number, b: Number) -> Result<Ordering, EvalErrorKind> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Ok(a.cmp(&b)),
        (Number::Real(a), Number::Real(b)) => a.partial_cmp(&b).ok_or(EvalErrorKind::Domain),
        (_, Number::Real(nan)) | (Number::Real(nan), _) if nan.is_nan() => {
            Err(EvalErrorKind::Domain)
        }
        (Number::Int(int), Number::Real(real)) => Ok(compare(int, real)),
        (Number::Real(real), Number::Int(int)) => Ok(compare(int, real).reverse()),
    }
}

/// Declares the comparisons, for doubles and exactly.
macro_rules! comparisons {
    ($($float:ident $exact:ident $sign:tt $is:ident)+) => {
        $(
            pub(crate) fn $float(a: f64, b: f64) -> f64 {
                let truth = if a $sign b { 1.0 } else { 0.0 };
                if a.is_nan() | b.is_nan() { ALL_SET } else { truth }
            }

            pub(crate) fn $exact(a: Number, b: Number) -> Exact {
                Ok(Number::Int(order(a, b)?.$is().into()))
            }
        )+
    };
}

comparisons! {
    float_less less < is_lt
    float_greater greater > is_gt
    float_at_most at_most <= is_le
    float_at_least at_least >= is_ge
    float_equal equal == is_eq
    float_not_equal not_equal != is_ne
}

/// Declares the logical operations, for doubles and exactly: the value of each if neither operand decides it alone, and
/// which operand does. Where none does, NaN has no value.
macro_rules! logic {
    ($($float:ident $exact:ident $sign:tt $decides:expr;)+) => {
        $(
            pub(crate) fn $float(a: f64, b: f64) -> f64 {
                let decides: fn(f64) -> bool = $decides;
                let value = if (a != 0.0) $sign (b != 0.0) { 1.0 } else { 0.0 };
                let is_known = !(a.is_nan() | b.is_nan()) | decides(a) | decides(b);
                if is_known { value } else { ALL_SET }
            }

            pub(crate) fn $exact(a: Number, b: Number) -> Exact {
                let value = $float(a.as_f64(), b.as_f64());
                if value.is_nan() { Err(EvalErrorKind::Domain) } else { Ok(Number::Int((value != 0.0).into())) }
            }
        )+
    };
}

logic! {
    float_and and & |a| a == 0.0;
    float_or or | |a| a != 0.0 && !a.is_nan();
    float_xor xor ^ |_| false;
}

pub(crate) fn float_ratio(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if b == 0.0 { ALL_SET } else { quotient }
}

pub(crate) fn float_d_ratio(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if b == 0.0 { 0.0 } else { quotient }
}

pub(crate) fn d_ratio(a: Number, b: Number) -> Exact {
    if b.as_f64() == 0.0 { Ok(Number::Int(0)) } else { div(a, b) }
}

pub(crate) fn float_whole_rem(a: f64, b: f64) -> f64 {
    libm::trunc(a) % libm::trunc(b)
}

pub(crate) fn whole_rem(a: Number, b: Number) -> Exact {
    let whole = |number: Number| match number {
        Number::Int(_) => number,
        Number::Real(real) => Number::Real(libm::trunc(real)),
    };
    rem(whole(a), whole(b))
}

pub(crate) fn float_lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

pub(crate) fn float_larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

pub(crate) fn lesser(a: Number, b: Number) -> Exact {
    first_if(order(a, b).is_ok_and(Ordering::is_lt), a, b)
}

pub(crate) fn larger(a: Number, b: Number) -> Exact {
    first_if(order(a, b).is_ok_and(Ordering::is_gt), a, b)
}

fn first_if(takes_first: bool, a: Number, b: Number) -> Exact {
    let chosen = if takes_first { a } else { b };
    if chosen.as_f64().is_nan() { Err(EvalErrorKind::Domain) } else { Ok(chosen) }
}

pub(crate) fn neg(a: Number) -> Exact {
    match a {
        Number::Int(int) => Ok(int.checked_neg().map_or(Number::Real(-(int as f64)), Number::Int)),
        Number::Real(a) => Ok(Number::Real(-a)),
    }
}

pub(crate) fn abs(a: Number) -> Exact {
    match a {
        Number::Int(int) if int < 0 => neg(a),
        Number::Int(_) => Ok(a),
        Number::Real(a) => Ok(Number::Real(a.abs())),
    }
}

pub(crate) fn sqrt(a: Number) -> Exact {
    real(float_sqrt(a.as_f64()), &[a])
}

/// The square root, which IEEE 754 defines exactly; a single instruction on processors that have one.
pub(crate) fn float_sqrt(a: f64) -> f64 {
    #[cfg(feature = "std")]
    return a.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrt(a)
}

/// The remainder of the floor quotient; it has the sign of `b` even if it is zero.
///
/// By an infinite `b`, `a` itself is the remainder if the signs agree, and there is none if they do not.
pub(crate) fn float_mod(a: f64, b: f64) -> f64 {
    let left = a % b;
    if left == 0.0 {
        left.copysign(b)
    } else if (left < 0.0) != (b < 0.0) {
        if b.is_infinite() { f64::NAN } else { left + b }
    } else {
        left
    }
}

/// The floor of the exact quotient, not of the rounded one: `1 // 0.1` is 9. Of infinite operands, and by zero, it is
/// the floor of the quotient of IEEE 754.
pub(crate) fn float_quot(a: f64, b: f64) -> f64 {
    if b == 0.0 || a.is_infinite() || b.is_infinite() {
        return libm::floor(a / b);
    }
    let left = a % b;
    let mut quotient = (a - left) / b;
    if left != 0.0 && (left < 0.0) != (b < 0.0) {
        quotient -= 1.0;
    }
    libm::round(quotient)
}

/// NaN with the bits that a vector comparison yields for true, so that it can be selected without a branch.
const ALL_SET: f64 = f64::from_bits(u64::MAX);

/// The smaller operand; unlike `f64::min`, NaN if either is, as for a sum.
pub(crate) fn float_min(a: f64, b: f64) -> f64 {
    let smaller = if a < b { a } else { b };
    if a.is_nan() { ALL_SET } else { smaller }
}

/// The larger operand; unlike `f64::max`, NaN if either is, as for a sum.
pub(crate) fn float_max(a: f64, b: f64) -> f64 {
    let larger = if a > b { a } else { b };
    if a.is_nan() { ALL_SET } else { larger }
}
