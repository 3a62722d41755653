//! Decimal numbers in ranges, so that 0.1 and 0.2 have no error when they are added.

use std::fmt;

/// The most decimals.
const MOST: u32 = 12;
/// The greatest number.
const GREATEST: i128 = 1_000_000_000_000_000;

/// A number of 10 to the power of minus `decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    decimals: u32,
}

impl Decimal {
    pub const ONE: Decimal = Decimal { digits: 1, decimals: 0 };

    /// Reads a number such as `-1.25`; `None` if it is another text, too large or too precise.
    pub fn read(text: &str) -> Option<Decimal> {
        let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) || (whole.is_empty() && part.is_empty()) {
            return None;
        }
        let decimals = u32::try_from(part.len()).ok().filter(|decimals| *decimals <= MOST)?;
        let digits: i128 = format!("{whole}{part}").parse().ok()?;
        let is_small = digits <= GREATEST * 10_i128.pow(decimals);
        is_small.then_some(Decimal { digits: sign * digits, decimals })
    }

    fn with_decimals(self, decimals: u32) -> i128 {
        self.digits * 10_i128.pow(decimals - self.decimals)
    }

    /// The numbers from `self` to `last`, which is one of them if the steps reach it, at most `most`; `None` if there are more, or none.
    pub fn steps(self, last: Decimal, step: Decimal, most: usize) -> Option<Vec<Decimal>> {
        let decimals = self.decimals.max(last.decimals).max(step.decimals);
        let [first, last, step] = [self, last, step].map(|of| of.with_decimals(decimals));
        if step <= 0 || first > last || (last - first) / step >= most as i128 {
            return None;
        }
        let count = (last - first) / step;
        Some((0..=count).map(|at| Decimal { digits: first + at * step, decimals }).collect())
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let power = 10_u128.pow(self.decimals);
        let digits = self.digits.unsigned_abs();
        let part = format!("{:01$}", digits % power, self.decimals as usize);
        match part.trim_end_matches('0') {
            "" => write!(f, "{sign}{}", digits / power),
            part => write!(f, "{sign}{}.{part}", digits / power),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(first: &str, last: &str, step: &str) -> Option<Vec<String>> {
        let [first, last, step] = [first, last, step].map(|text| Decimal::read(text).unwrap());
        Some(first.steps(last, step, 100)?.iter().map(Decimal::to_string).collect())
    }

    #[test]
    fn steps_are_exact() {
        for (first, last, step, expected) in [
            ("1", "8", "2", "1 3 5 7"),
            ("0", "0.3", "0.1", "0 0.1 0.2 0.3"),
            ("-1", "1", ".5", "-1 -0.5 0 0.5 1"),
            ("-0.50", "0", "0.25", "-0.5 -0.25 0"),
            ("3", "3", "1", "3"),
        ] {
            assert_eq!(steps(first, last, step).unwrap().join(" "), expected);
        }
        for (first, last, step) in [("2", "1", "1"), ("1", "2", "0"), ("1", "101", "1")] {
            assert_eq!(steps(first, last, step), None, "{first}..{last} by {step}");
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", "-", ".", "1e3", "+1", "1.2.3", "0x1", " 1", "1,2", "9999999999999999"] {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
        assert_eq!(Decimal::read("0.1234567890123"), None);
    }
}
