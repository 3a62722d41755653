//! Powers to the last digit: twice the digits of a double are carried, so that the result is the double nearest to the
//! exact power, where `libm::pow` is off by one unit for one in twelve.
//!
//! Source of the arithmetic: T. J. Dekker, "A floating-point technique for extending the available precision" (1971).

use core::f64::consts::LN_2;

/// a to the power of b.
pub(crate) fn pow(a: f64, b: f64) -> f64 {
    /// Beyond these, products of the parts of a number overflow or lose digits.
    const LEAST: f64 = 1e-280;
    const MOST: f64 = 1e280;
    let rough = libm::pow(a, b);
    let is_usual = |value: f64| (LEAST..MOST).contains(&value.abs());
    let is_trivial = a.abs() == 1.0 || b == 0.0 || b == 1.0;
    if !is_usual(rough) || !is_usual(a) || !b.is_finite() || is_trivial {
        return rough;
    }
    let value = match b.abs() {
        n if n <= 64.0 && libm::trunc(n) == n => whole_power(a.abs(), n as u32, b < 0.0),
        _ => exp(ln(a.abs()).times(Double::from(b))),
    };
    if is_usual(value) { libm::copysign(value, rough) } else { rough }
}

/// A number as the sum of two, of which the second is what the first lacks.
#[derive(Clone, Copy)]
struct Double {
    high: f64,
    low: f64,
}

impl From<f64> for Double {
    fn from(high: f64) -> Double {
        Double { high, low: 0.0 }
    }
}

impl Double {
    const LN_2: Double = Double { high: LN_2, low: 2.319_046_813_846_299_6e-17 };

    /// The sum of two numbers, of which the first is not smaller.
    fn ordered(high: f64, low: f64) -> Double {
        let sum = high + low;
        Double { high: sum, low: low - (sum - high) }
    }

    fn product(a: f64, b: f64) -> Double {
        let high = a * b;
        let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
        Double { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
    }

    fn plus(self, other: Double) -> Double {
        let sum = self.high + other.high;
        let part = sum - self.high;
        let lost = (self.high - (sum - part)) + (other.high - part);
        Double::ordered(sum, lost + self.low + other.low)
    }

    fn times(self, other: Double) -> Double {
        let product = Double::product(self.high, other.high);
        let low = product.low + (self.high * other.low + self.low * other.high);
        Double::ordered(product.high, low)
    }

    fn over(self, divisor: f64) -> Double {
        let high = self.high / divisor;
        let left = self.plus(Double::product(-high, divisor));
        Double::ordered(high, (left.high + left.low) / divisor)
    }

    fn scaled(self, power: f64) -> Double {
        Double { high: self.high * power, low: self.low * power }
    }
}

/// The upper and the lower half of the digits.
fn halves(a: f64) -> (f64, f64) {
    const SPLIT: f64 = 134_217_729.0;
    let high = a * SPLIT - (a * SPLIT - a);
    (high, a - high)
}

fn whole_power(a: f64, mut n: u32, is_inverse: bool) -> f64 {
    let (mut square, mut power) = (Double::from(a), Double::from(1.0));
    while n > 0 {
        if n & 1 == 1 {
            power = power.times(square);
        }
        n >>= 1;
        // The last square is not needed, and may overflow.
        if n > 0 {
            square = square.times(square);
        }
    }
    if !is_inverse {
        return power.high;
    }
    let high = 1.0 / power.high;
    let left = Double::from(1.0).plus(power.times(Double::from(-high)));
    high + (left.high + left.low) * high
}

/// The natural logarithm of a positive number: that of libm, and what its exponential lacks.
fn ln(a: f64) -> Double {
    let (fraction, exponent) = libm::frexp(a);
    let rough = libm::log(fraction);
    let ratio = exp_parts(Double::from(-rough)).times(Double::from(fraction));
    let lack = ratio.plus(Double::from(-1.0));
    let lack = lack.plus(lack.times(lack).scaled(-0.5));
    Double::LN_2.times(Double::from(f64::from(exponent))).plus(Double::from(rough)).plus(lack)
}

fn exp(power: Double) -> f64 {
    let twos = libm::round(power.high / LN_2);
    let rest = power.plus(Double::LN_2.times(Double::from(-twos)));
    libm::scalbn(exp_parts(rest).high, twos as i32)
}

/// The exponential of a number between -1 and 1.
fn exp_parts(power: Double) -> Double {
    /// The power is halved as often, so that few terms of the series are enough.
    const HALVINGS: i32 = 9;
    const TERMS: u32 = 9;
    let small = power.scaled(libm::scalbn(1.0, -HALVINGS));
    // The exponential less 1, which keeps its digits.
    let (mut sum, mut term) = (small, small);
    for n in 2..=TERMS {
        term = term.times(small).over(f64::from(n));
        sum = sum.plus(term);
    }
    for _ in 0..HALVINGS {
        sum = sum.scaled(2.0).plus(sum.times(sum));
    }
    sum.plus(Double::from(1.0))
}

#[cfg(test)]
mod tests {
    use super::pow;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    /// The double nearest to a quotient of integers.
    fn nearest(numerator: &BigInt, denominator: &BigInt) -> f64 {
        // A quotient with more digits than a double, and a last one that says if something is left.
        let shift = 130 + denominator.bits() as i64 - numerator.bits() as i64;
        let (scaled, divisor) = match u64::try_from(shift) {
            Ok(left) => (numerator << left, denominator.clone()),
            Err(_) => (numerator.clone(), denominator << shift.unsigned_abs()),
        };
        let (quotient, left) = (&scaled / &divisor, &scaled % &divisor);
        let digits = quotient.bits() as i64 - 60;
        let top = u64::try_from(&quotient >> digits).expect("60 bits");
        let is_more =
            left != BigInt::ZERO || (&quotient & ((BigInt::from(1) << digits) - 1)) != BigInt::ZERO;
        libm::scalbn((top | u64::from(is_more)) as f64, (digits - shift) as i32)
    }

    proptest! {
        #[test]
        fn whole_powers_are_the_nearest_doubles(a in 2i64..1_000_000_000, n in 1u32..64, inverse: bool) {
            let exact = BigInt::from(a).pow(n);
            prop_assume!(exact.bits() < 900);
            let one = BigInt::from(1);
            let nearest = if inverse { nearest(&one, &exact) } else { nearest(&exact, &one) };
            let n = if inverse { -f64::from(n) } else { f64::from(n) };
            prop_assert_eq!(pow(a as f64, n), nearest);
        }

        #[test]
        fn any_power_is_within_a_unit_of_libm(a in 0.0..1e9, b in -30.0..30.0) {
            let (ours, rough): (f64, f64) = (pow(a, b), libm::pow(a, b));
            let apart = (ours.to_bits() as i64 - rough.to_bits() as i64).abs();
            prop_assert!(apart <= 1, "{a}^{b}: {ours:e} and {rough:e}");
        }

        #[test]
        fn a_power_and_its_root_meet(a in 2u32..30_000_000) {
            // The square of a whole number is exact, and its root again.
            prop_assert_eq!(pow(pow(f64::from(a), 2.0), 0.5), f64::from(a));
            prop_assert_eq!(pow(f64::from(a), -1.0), 1.0 / f64::from(a));
        }
    }

    /// Digits by an evaluation with 60 digits.
    #[test]
    fn known_powers_are_exact_to_the_last_digit() {
        for (a, b, power) in [
            (8.0, 0.2, 1.515_716_566_510_398_2),
            (727_962.316_676_171_3, -9.884_392_758_281_951, 1.139_234_834_867_771_6e-58),
            (519_503.0, 30.0, 2.935_227_686_712_703e171),
            (-3.0, 41.0, -36_472_996_377_170_786_403.0),
            (2.0, 0.5, core::f64::consts::SQRT_2),
        ] {
            assert_eq!(pow(a, b), power, "{a}^{b}");
        }
    }

    #[test]
    fn what_has_no_usual_power_is_as_libm_has_it() {
        for (a, b) in [
            (0.0, -1.0),
            (-8.0, 1.0 / 3.0),
            (f64::NAN, 0.0),
            (f64::INFINITY, -1.0),
            (2.0, 5000.0),
            (2.0, -5000.0),
            (1.0, f64::NAN),
            (-1.0, 3.0),
            (1e300, 1.0),
            (f64::MIN_POSITIVE, 1.01),
        ] {
            assert_eq!(pow(a, b).to_bits(), libm::pow(a, b).to_bits(), "{a}^{b}");
        }
    }
}
