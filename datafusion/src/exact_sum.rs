//! The sum of doubles, exact, so that it does not depend on the order in which machines add.

/// The digits of a number in base 2^32, the least first: those of every finite double, and room for carries.
const DIGITS: usize = 70;

/// The exponent of the least digit: that of the least double.
const LEAST: i32 = -1074;

/// The number of doubles that are added before the carries are: each adds less than 2^32 to a digit of 63 bits.
const PENDING: u32 = 1 << 30;

/// A sum of finite doubles without rounding; [`ExactSum::value`] rounds once.
///
/// Sums of the same doubles are equal in any order and however they were divided, which a sum of doubles is not.
/// It is the small superaccumulator of Neal, "Fast Exact Summation Using Small and Large Superaccumulators" (2015).
#[derive(Clone, Debug)]
pub struct ExactSum {
    digits: Box<[i64; DIGITS]>,
    pending: u32,
}

impl Default for ExactSum {
    fn default() -> Self {
        ExactSum { digits: Box::new([0; DIGITS]), pending: 0 }
    }
}

impl ExactSum {
    /// The number of bytes of [`ExactSum::to_bytes`].
    pub const BYTES: usize = DIGITS * 8;

    /// Adds a finite number; others are not added.
    pub fn add(&mut self, number: f64) {
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as usize, bits & ((1 << 52) - 1));
        let (exponent, mantissa) = match exponent {
            0x7ff => return,
            0 => (0, fraction),
            _ => (exponent - 1, fraction | 1 << 52),
        };
        // The mantissa begins within a digit and ends within one of the two after it.
        let (place, shifted) = (exponent / 32, u128::from(mantissa) << (exponent % 32));
        let negative = bits >> 63 == 1;
        for (index, digit) in self.digits[place..].iter_mut().take(3).enumerate() {
            let part = (shifted >> (32 * index)) as u32;
            *digit += if negative { -i64::from(part) } else { i64::from(part) };
        }
        self.pending += 1;
        if self.pending == PENDING {
            self.carry();
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        self.digits.iter_mut().zip(other.digits.iter()).for_each(|(digit, more)| *digit += more);
        self.carry();
    }

    /// Makes each digit less than 2^32, and all but the last positive.
    fn carry(&mut self) {
        let mut carry = 0;
        let (last, digits) = match self.digits.split_last_mut() {
            Some(parts) => parts,
            None => return,
        };
        for digit in digits {
            let sum = *digit + carry;
            carry = sum >> 32;
            *digit = sum & 0xffff_ffff;
        }
        *last += carry;
        self.pending = 0;
    }

    /// The sum, rounded to the nearest double once.
    pub fn value(&self) -> f64 {
        let mut sum = self.clone();
        sum.carry();
        let negative = sum.digits[DIGITS - 1] < 0;
        if negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        let Some(top) = sum.digits.iter().rposition(|digit| *digit != 0) else { return 0.0 };
        // 65 bits or more, of which the last one is set if any lower digit is: a double has 53, so that it is rounded right.
        let lowest = top.saturating_sub(2);
        let mut high = sum.digits[lowest..=top]
            .iter()
            .rev()
            .fold(0_u128, |high, digit| high << 32 | *digit as u128);
        high |= u128::from(sum.digits[..lowest].iter().any(|digit| *digit != 0));
        let value = scaled(high as f64, LEAST + 32 * lowest as i32);
        if negative { -value } else { value }
    }

    /// The digits, the least first, as little-endian numbers of 64 bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.digits.iter().flat_map(|digit| digit.to_le_bytes()).collect()
    }

    /// Reads [`ExactSum::to_bytes`]; `None` if it is not of that length.
    pub fn from_bytes(bytes: &[u8]) -> Option<ExactSum> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if numbers.len() != DIGITS || !rest.is_empty() {
            return None;
        }
        let mut sum = ExactSum::default();
        for (digit, number) in sum.digits.iter_mut().zip(numbers) {
            *digit = i64::from_le_bytes(*number);
        }
        sum.carry();
        Some(sum)
    }
}

/// `number` × 2^`exponent`. A result below the least normal number is exact already, so that it is not rounded twice.
fn scaled(number: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    let mut left = exponent;
    let mut number = number;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        number *= power(step);
        left -= step;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[f64]) -> f64 {
        let mut sum = ExactSum::default();
        numbers.iter().for_each(|number| sum.add(*number));
        sum.value()
    }

    #[test]
    fn what_cancels_is_gone() {
        assert_eq!(sum(&[1e300, 1.0, -1e300]), 1.0);
        assert_eq!(sum(&[1e16, 1.0, 1.0]), 1e16 + 2.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(
            sum(&[f64::MIN_POSITIVE / 4.0, -f64::MIN_POSITIVE / 8.0]),
            f64::MIN_POSITIVE / 8.0
        );
        assert_eq!(sum(&[f64::MAX, -f64::MAX, -3.5]), -3.5);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[]), 0.0);
    }

    #[test]
    fn one_number_is_itself() {
        let mut bits = 1_u64;
        for _ in 0..100_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits);
            if number.is_finite() {
                assert_eq!(sum(&[number]), number, "{number:e}");
                let half = number / 2.0;
                assert_eq!(sum(&[number, half, -half]), number, "{number:e}");
            }
        }
    }

    #[test]
    fn the_order_and_the_parts_do_not_matter() {
        let mut bits = 7_u64;
        let mut numbers = Vec::new();
        for _ in 0..10_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            numbers.push(f64::from_bits(bits >> 2 | 0x3000_0000_0000_0000 | bits << 63));
        }
        let whole = sum(&numbers);
        numbers.reverse();
        assert_eq!(sum(&numbers).to_bits(), whole.to_bits());
        let (mut left, mut right) = (ExactSum::default(), ExactSum::default());
        numbers[..777].iter().for_each(|number| left.add(*number));
        numbers[777..].iter().for_each(|number| right.add(*number));
        left.merge(&ExactSum::from_bytes(&right.to_bytes()).unwrap());
        assert_eq!(left.value().to_bits(), whole.to_bits());
    }
}
