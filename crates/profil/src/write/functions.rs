//! The counts of functions and of lines, with their standard errors.

use super::place::{Place, SourceLines};
use super::profile::{Profile, percent};
use crate::Bucket;
use std::collections::HashMap;

/// The counts of a function, or of a bucket that several functions share.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FunctionCount {
    /// Its name, or the address if the name is unknown; `[elsewhere]` stands for samples without an address.
    ///
    /// A shared bucket has its addresses and functions, as [`Place`] prints them.
    pub function: String,
    /// The bucket, if several functions share it.
    pub shared: Option<Place>,
    /// The executable or shared object that contains it, if known.
    pub module: Option<String>,
    /// Its samples.
    pub count: u64,
    /// Its share of all samples, in percent.
    pub percent: f64,
    /// The standard error of that share, in percent: how much it may differ in another run of the same program.
    pub error: f64,
}

/// The counts of a source line, or of several lines of a function that share a bucket.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct LineCount {
    /// The line, or the lines.
    pub lines: SourceLines,
    /// The function that contains it.
    pub function: String,
    /// Its samples.
    pub count: u64,
    /// Its share of all samples, in percent.
    pub percent: f64,
    /// The standard error of that share, in percent.
    pub error: f64,
}

/// Some samples of a profile.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Share {
    /// Their number.
    pub count: u64,
    /// Their share of all samples, in percent.
    pub percent: f64,
    /// The standard error of that share, in percent.
    pub error: f64,
}

impl Profile<'_> {
    /// The share of some of its buckets, with the standard error that [`functions`] describes.
    pub fn share<'b>(&self, buckets: impl IntoIterator<Item = &'b Bucket>) -> Share {
        let mut sum = Sum::default();
        buckets.into_iter().for_each(|bucket| sum.add(bucket.count, bucket.squares));
        let (percent, error) = sum.part_of(&total(self));
        Share { count: sum.count, percent, error }
    }
}

/// The name for samples without an address.
pub(super) const ELSEWHERE: &str = "[elsewhere]";

/// The standard error of a share p of n independent samples, √(p(1−p)/n).
///
/// If all samples or none are of the share, it is √((n+1)/((n+2)²(n+3))), that of Laplace's rule of succession, because a few samples are easily all in one place.
///
/// ```
/// use counterpoint_profil::write::share_error;
///
/// assert_eq!(share_error(0.5, 100.0), 0.05);
/// assert!((share_error(1.0, 1.0) - 0.2357).abs() < 0.0001);
/// ```
pub fn share_error(part: f64, samples: f64) -> f64 {
    if samples <= 0.0 {
        return 0.0;
    }
    if part > 0.0 && part < 1.0 {
        (part * (1.0 - part) / samples).sqrt()
    } else {
        ((samples + 1.0) / (samples + 3.0)).sqrt() / (samples + 2.0)
    }
}

/// The functions of a profile, in descending order of samples.
///
/// Percentages are relative to all samples, including those outside all regions.
/// The standard error is that of a share of independent samples, [`share_error`].
/// If samples have different weights w, it is √((1−p)²·Σw² of the share + p²·Σw² of the rest) / Σw, the standard error of a ratio of sums.
pub fn functions(profile: &Profile<'_>) -> Vec<FunctionCount> {
    let total = total(profile);
    let mut counts: HashMap<(String, Option<String>, Option<Place>), Sum> = HashMap::new();
    for bucket in profile.placed() {
        let place = profile.place(bucket);
        let (function, module) = (place.to_string(), place.module.clone());
        let key = (function, module, Some(place).filter(Place::is_shared));
        counts.entry(key).or_default().add(bucket.count, bucket.squares);
    }
    let (count, squares) = profile.unplaced();
    if count > 0 {
        counts.insert((ELSEWHERE.to_string(), None, None), Sum { count, squares });
    }
    let mut functions: Vec<FunctionCount> = counts
        .into_iter()
        .map(|((function, module, shared), sum)| {
            let (percent, error) = sum.part_of(&total);
            FunctionCount { function, module, shared, count: sum.count, percent, error }
        })
        .collect();
    functions.sort_by(|a, b| {
        b.count.cmp(&a.count).then_with(|| (&a.function, &a.module).cmp(&(&b.function, &b.module)))
    });
    functions
}

/// The known source lines of a profile, in descending order of samples; a bucket that several functions share has none.
pub fn lines(profile: &Profile<'_>) -> Vec<LineCount> {
    let total = total(profile);
    let mut counts: HashMap<(SourceLines, String), Sum> = HashMap::new();
    for bucket in profile.placed() {
        let place = profile.place(bucket);
        let function = place.to_string();
        if let Some(lines) = place.lines {
            counts.entry((lines, function)).or_default().add(bucket.count, bucket.squares);
        }
    }
    let mut lines: Vec<LineCount> = counts
        .into_iter()
        .map(|((lines, function), sum)| {
            let (percent, error) = sum.part_of(&total);
            LineCount { lines, function, count: sum.count, percent, error }
        })
        .collect();
    lines.sort_by(|a, b| {
        b.count.cmp(&a.count).then_with(|| (&a.lines, &a.function).cmp(&(&b.lines, &b.function)))
    });
    lines
}

/// The sum of the samples' increments, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) squares: u64,
}

impl Sum {
    pub(super) fn add(&mut self, count: u64, squares: u64) {
        self.count = self.count.saturating_add(count);
        self.squares = self.squares.saturating_add(squares);
    }

    /// The percentage, and its standard error.
    pub(super) fn part_of(&self, total: &Sum) -> (f64, f64) {
        let percent = percent(self.count, total.count);
        let p = percent / 100.0;
        let rest = total.squares.saturating_sub(self.squares);
        let variance = (1.0 - p).powi(2) * self.squares as f64 + p.powi(2) * rest as f64;
        let all = total.count as f64;
        let error = if variance > 0.0 {
            variance.sqrt() / all
        } else {
            share_error(p, if total.squares > 0 { all * all / total.squares as f64 } else { 0.0 })
        };
        (percent, error * 100.0)
    }
}

fn total(profile: &Profile<'_>) -> Sum {
    let (count, squares) = profile.unplaced();
    let mut total = Sum { count, squares };
    profile.placed().for_each(|bucket| total.add(bucket.count, bucket.squares));
    total
}
