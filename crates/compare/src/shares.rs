//! The shares of samples in two profiles beside each other.

use crate::comparison::{CHANCE, Comparison, Interval};
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::factorial::ln_binomial;

/// The expected count below which the exact test is used in place of the normal approximation.
const FEW: f64 = 10.0;
/// The tables of the exact test that are looked at.
const MOST_TABLES: u64 = 100_000;
/// The greatest total: whole numbers beyond it are not exact.
const MOST: f64 = 9_007_199_254_740_992.0;
/// Rounding may make equally probable tables differ by this factor.
const ROUNDING: f64 = 1.0 + 1e-7;

impl Comparison {
    /// Compares two shares, each a count of a total of independent samples: such as those of a function in two profiles. Of samples with different weights, they are numbers of samples of equal weight that would be as precise, which need not be whole.
    ///
    /// The interval of the difference is that of Newcombe ("Interval estimation for the difference between independent proportions", 1998, method 10), which is right for counts of 0, too; that of the ratio is Katz's, and there is none if a count is 0.
    /// The probability is that of the test of two proportions, or of Fisher's exact test if the counts are small.
    /// All are those of chance in taking samples: what differs between runs of a program comes on top of that.
    ///
    /// Returns `None` if a total is 0, less than its count, or more than 2⁵³, and if a number is negative or none.
    ///
    /// ```
    /// use counterpoint_compare::Comparison;
    ///
    /// let comparison = Comparison::of_shares((300.0, 1000.0), (450.0, 1000.0)).unwrap();
    /// assert!(comparison.p < 0.001);
    /// assert!(0.1 < comparison.difference.low && comparison.difference.high < 0.2);
    /// ```
    pub fn of_shares(base: (f64, f64), other: (f64, f64)) -> Option<Comparison> {
        let is_share = |(count, total): (f64, f64)| {
            total > 0.0 && total <= MOST && (0.0..=total).contains(&count)
        };
        if !is_share(base) || !is_share(other) {
            return None;
        }
        let normal = Normal::standard();
        let quantile = normal.inverse_cdf(1.0 - CHANCE / 2.0);
        let share = |(count, total): (f64, f64)| count / total;
        let (of_base, of_other) = (share(base), share(other));
        let estimate = of_other - of_base;
        let (one, two) = (wilson(base, quantile), wilson(other, quantile));
        let down = (of_other - two.0).hypot(one.1 - of_base);
        let up = (two.1 - of_other).hypot(of_base - one.0);
        Some(Comparison {
            ratio: ratio(base, other, quantile),
            difference: Interval { estimate, low: estimate - down, high: estimate + up },
            p: p(base, other, &normal),
        })
    }
}

/// Wilson's interval of a share.
fn wilson((count, total): (f64, f64), quantile: f64) -> (f64, f64) {
    let square = quantile * quantile;
    let middle = (count + square / 2.0) / (total + square);
    let half =
        quantile * (count * (total - count) / total + square / 4.0).sqrt() / (total + square);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

fn ratio((one, of_one): (f64, f64), (two, of_two): (f64, f64), quantile: f64) -> Option<Interval> {
    if one == 0.0 || two == 0.0 {
        return None;
    }
    let estimate = (two / of_two) / (one / of_one);
    let error = (1.0 / one - 1.0 / of_one + 1.0 / two - 1.0 / of_two).max(0.0).sqrt();
    let factor = (quantile * error).exp();
    Some(Interval { estimate, low: estimate / factor, high: estimate * factor })
}

fn p(base: (f64, f64), other: (f64, f64), normal: &Normal) -> f64 {
    let (one, two) = (base.1, other.1);
    let pooled = (base.0 + other.0) / (one + two);
    let least = pooled.min(1.0 - pooled) * one.min(two);
    if pooled == 0.0 || pooled == 1.0 {
        return 1.0;
    }
    let [of_base, of_other] =
        [base, other].map(|(count, total)| (count.round() as u64, total.round() as u64));
    let both = of_base.0 + of_other.0;
    let rarer = both.min(of_base.1 + of_other.1 - both);
    if least < FEW && rarer.min(of_base.1).min(of_other.1) < MOST_TABLES {
        return fisher(of_base, of_other);
    }
    let error = (pooled * (1.0 - pooled) * (1.0 / one + 1.0 / two)).sqrt();
    let difference = other.0 / two - base.0 / one;
    (2.0 * normal.cdf(-(difference.abs() / error))).min(1.0)
}

/// The sum of the probabilities of all tables with these sums that are not more probable than this one.
fn fisher(base: (u64, u64), other: (u64, u64)) -> f64 {
    // The rarer of what was counted and what was not: so there are few tables.
    let both = base.0 + other.0;
    let rest = base.1 + other.1 - both;
    let (count, both) = if both <= rest { (base.0, both) } else { (base.1 - base.0, rest) };
    let all = ln_binomial(base.1 + other.1, both);
    let of =
        |count: u64| (ln_binomial(base.1, count) + ln_binomial(other.1, both - count) - all).exp();
    let this = of(count) * ROUNDING;
    let possible = both.saturating_sub(other.1)..=both.min(base.1);
    possible.map(of).filter(|p| *p <= this).sum::<f64>().min(1.0)
}
