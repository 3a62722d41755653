//! The means of two programs beside each other, with the intervals of their difference and ratio.

use crate::effective::inflation;
use crate::moments::{mean, stddev};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The share of comparisons of equal programs that may find a difference in any of its rows.
pub(crate) const CHANCE: f64 = 0.05;

/// The values of two programs, beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The mean of the other program divided by that of the base.
    ///
    /// `None` if it has no bounds, because the mean of the base may be 0 or the runs are too few, or if a mean is negative.
    pub ratio: Option<Interval>,
    /// The mean of the other program minus that of the base.
    ///
    /// The bounds are infinite if every run differs by the same, and the runs are too few to exclude chance.
    pub difference: Interval,
    /// The probability that equal programs differ at least as much (two-sided): below 0.05, 0 is outside of the interval of the difference.
    pub p: f64,
}

/// An estimate, and the bounds between which the true value lies with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// The interval in another unit, of which each of this one has `factor`, which is at least 0.
    ///
    /// ```
    /// # use counterpoint_compare::Comparison;
    /// let comparison = Comparison::of_rounds(&[1.0, 1.2, 1.1], &[1.5, 1.6, 1.7]).unwrap();
    /// let seconds = comparison.difference;
    /// assert_eq!(seconds.times(1000.0).estimate, 1000.0 * seconds.estimate);
    /// ```
    pub fn times(self, factor: f64) -> Interval {
        let Interval { estimate, low, high } = self;
        Interval { estimate: factor * estimate, low: factor * low, high: factor * high }
    }

    /// The greater distance of a bound from the estimate: what is written after `±`.
    pub fn margin(&self) -> f64 {
        (self.high - self.estimate).max(self.estimate - self.low)
    }
}

impl Comparison {
    /// Compares programs that took turns: `base[i]` and `other[i]` are the values of round `i`.
    ///
    /// Returns `None` with fewer than two rounds, with samples of different lengths, and with values that are not finite.
    pub fn of_rounds(base: &[f64], other: &[f64]) -> Option<Comparison> {
        let (base, other) = (Sample::new(base)?, Sample::new(other)?);
        let errors = Errors::of_rounds(&base, &other)?;
        Some(Comparison::new(&base, &other, &errors))
    }

    /// Compares programs that were run each on its own; the values are in the order of the runs.
    ///
    /// Returns `None` with fewer than two values of either, and with values that are not finite.
    pub fn of_samples(base: &[f64], other: &[f64]) -> Option<Comparison> {
        let (base, other) = (Sample::new(base)?, Sample::new(other)?);
        let errors = Errors::of_samples(&base, &other);
        Some(Comparison::new(&base, &other, &errors))
    }

    /// As [`of_rounds`](Comparison::of_rounds), of what was sampled: each value is a count of samples, beside the count of all samples of that run. Where samples stand for different numbers of what is counted, the counts are in a unit in which the least precise run has as many as samples of equal weight that would be as precise; they need not be whole.
    ///
    /// The counts are compared, and not their shares; their variance is at least that of chance in taking samples, however equal the counts of a few runs are.
    ///
    /// ```
    /// use counterpoint_compare::Comparison;
    ///
    /// // The samples of a function in three runs of each program.
    /// let base = [(100.0, 1000.0), (103.0, 1010.0), (98.0, 990.0)];
    /// let other = [(160.0, 1060.0), (155.0, 1060.0), (158.0, 1050.0)];
    /// let comparison = Comparison::of_sampled_rounds(&base, &other).unwrap();
    /// assert!(comparison.p < 0.05 && comparison.ratio.unwrap().low > 1.0);
    /// // Of a few samples, chance may be all.
    /// assert!(Comparison::of_sampled_rounds(&[(0.0, 100.0); 3], &[(1.0, 100.0); 3]).unwrap().p > 0.1);
    /// ```
    ///
    /// Returns `None` where `of_rounds` does, and if a count is more than that of all.
    pub fn of_sampled_rounds(base: &[(f64, f64)], other: &[(f64, f64)]) -> Option<Comparison> {
        Comparison::of_sampled(base, other, Errors::of_rounds)
    }

    /// As [`of_sampled_rounds`](Comparison::of_sampled_rounds), of programs that were run each on its own.
    pub fn of_sampled_runs(base: &[(f64, f64)], other: &[(f64, f64)]) -> Option<Comparison> {
        Comparison::of_sampled(base, other, |base, other| Some(Errors::of_samples(base, other)))
    }

    fn of_sampled(
        base: &[(f64, f64)],
        other: &[(f64, f64)],
        errors: impl Fn(&Sample<'_>, &Sample<'_>) -> Option<Errors>,
    ) -> Option<Comparison> {
        let [of_base, of_other] = [chance(base)?, chance(other)?];
        let counts = |runs: &[(f64, f64)]| runs.iter().map(|(count, _)| *count).collect();
        let [base, other]: [Vec<f64>; 2] = [counts(base), counts(other)];
        let (base, other) = (Sample::new(&base)?, Sample::new(&other)?);
        let mut errors = errors(&base, &other)?;
        if errors.of_difference() < of_base + of_other {
            errors = Errors { base: of_base, other: of_other, covariance: 0.0, ..errors };
        }
        Some(Comparison::new(&base, &other, &errors))
    }

    fn new(base: &Sample<'_>, other: &Sample<'_>, errors: &Errors) -> Comparison {
        let difference = other.mean - base.mean;
        let variance = errors.of_difference();
        let freedom = errors.freedom;
        let is_exact = variance <= f64::EPSILON.powi(2) * difference.powi(2);
        let p = match student(freedom) {
            _ if difference == 0.0 => 1.0,
            Some(student) if !is_exact => 2.0 * student.cdf(-(difference.abs() / variance.sqrt())),
            // Every run differs by the same, which says little if there are few.
            _ => errors.least_p,
        };
        let quantile = match student(freedom) {
            Some(student) if !is_exact || p <= CHANCE || difference == 0.0 => {
                student.inverse_cdf(1.0 - CHANCE / 2.0)
            }
            _ => f64::INFINITY,
        };
        let margin = if quantile.is_finite() { quantile * variance.sqrt() } else { quantile };
        Comparison {
            ratio: ratio(base.mean, other.mean, errors, quantile),
            difference: Interval {
                estimate: difference,
                low: difference - margin,
                high: difference + margin,
            },
            p,
        }
    }
}

/// A sample with its moments.
struct Sample<'a> {
    values: &'a [f64],
    mean: f64,
    variance: f64,
}

impl<'a> Sample<'a> {
    /// `None` of fewer than two values, and of values that are not finite.
    fn new(values: &'a [f64]) -> Option<Sample<'a>> {
        let variance = stddev(values)?.powi(2);
        // The square of an infinite or of a too large value is not finite.
        variance.is_finite().then_some(Sample { values, mean: mean(values)?, variance })
    }

    fn runs(&self) -> f64 {
        self.values.len() as f64
    }

    fn covariance(&self, other: &Sample<'_>) -> f64 {
        let pairs = self.values.iter().zip(other.values);
        let products: f64 = pairs.map(|(one, two)| (one - self.mean) * (two - other.mean)).sum();
        products / (self.runs() - 1.0)
    }
}

/// The variances of the means, and their degrees of freedom.
struct Errors {
    base: f64,
    other: f64,
    covariance: f64,
    freedom: f64,
    /// The least probability that runs which are equal but for chance can have.
    least_p: f64,
}

impl Errors {
    /// Of programs that took turns; `None` of samples of different lengths.
    fn of_rounds(base: &Sample<'_>, other: &Sample<'_>) -> Option<Errors> {
        if base.values.len() != other.values.len() {
            return None;
        }
        let differences: Vec<f64> =
            other.values.iter().zip(base.values).map(|(other, base)| other - base).collect();
        let runs = base.runs();
        let effective = runs / inflation(&differences);
        Some(Errors {
            base: base.variance / effective,
            other: other.variance / effective,
            covariance: base.covariance(other) / effective,
            freedom: (effective - 1.0).max(1.0),
            // The signs of all rounds.
            least_p: 2.0 * 0.5_f64.powf(runs),
        })
    }

    /// Of programs that were run each on its own.
    fn of_samples(base: &Sample<'_>, other: &Sample<'_>) -> Errors {
        let error = |sample: &Sample<'_>| {
            let effective = sample.runs() / inflation(sample.values);
            (sample.variance / effective, (effective - 1.0).max(1.0))
        };
        let ((of_base, base_freedom), (of_other, other_freedom)) = (error(base), error(other));
        // Welch and Satterthwaite: what a normal sample with these errors would have.
        let sum = (of_base + of_other).powi(2);
        let parts = of_base.powi(2) / base_freedom + of_other.powi(2) / other_freedom;
        let freedom = if parts > 0.0 { sum / parts } else { base_freedom + other_freedom };
        Errors {
            base: of_base,
            other: of_other,
            covariance: 0.0,
            freedom,
            least_p: least_p(base.values.len(), other.values.len()),
        }
    }

    /// The variance of the difference of the means; rounding may leave a little less than 0.
    fn of_difference(&self) -> f64 {
        (self.base + self.other - 2.0 * self.covariance).max(0.0)
    }
}

/// The variance of the mean of counts by chance in taking samples: that of a binomial distribution in each run.
fn chance(runs: &[(f64, f64)]) -> Option<f64> {
    let each = |&(count, total): &(f64, f64)| {
        let is_part = (0.0..=total).contains(&count);
        is_part.then(|| if total > 0.0 { count * (total - count) / total } else { 0.0 })
    };
    let sum: f64 = runs.iter().map(each).sum::<Option<f64>>()?;
    Some(sum / (runs.len() as f64).powi(2))
}

/// Fieller's interval: every ratio at which the means, one of them multiplied, do not differ.
fn ratio(base: f64, other: f64, errors: &Errors, quantile: f64) -> Option<Interval> {
    let square = quantile.powi(2);
    let of_base = base.powi(2) - square * errors.base;
    let of_both = base * other - square * errors.covariance;
    let of_other = other.powi(2) - square * errors.other;
    // The mean of the base may be 0 as far as is known.
    if quantile.is_infinite() || of_base <= 0.0 || base < 0.0 || other < 0.0 {
        return None;
    }
    let root = (of_both.powi(2) - of_base * of_other).max(0.0).sqrt();
    let interval = Interval {
        estimate: other / base,
        // A ratio of counts is not negative.
        low: ((of_both - root) / of_base).min(other / base).max(0.0),
        high: ((of_both + root) / of_base).max(other / base),
    };
    [interval.low, interval.estimate, interval.high]
        .iter()
        .all(|bound| bound.is_finite())
        .then_some(interval)
}

fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

/// Of an exchange of runs between samples: 2 of all the ways to choose them.
fn least_p(base: usize, other: usize) -> f64 {
    let ways = (1..=other).fold(1.0, |ways: f64, k| ways * (base + k) as f64 / k as f64);
    (2.0 / ways).min(1.0)
}
