//! Whether counts of samples differ by more than noise.

use super::side::Design;
use counterpoint_compare::{Comparison, Verdict, verdicts};

/// The samples of something in each run of both sides.
pub type Counts = [Vec<u64>; 2];

/// The samples that something needs in all runs together: of fewer, no split would be more than chance.
const FEW: u64 = 5;

/// Compares counts of one event.
pub struct Judge<'a> {
    pub design: Design,
    /// All samples of each run.
    pub totals: &'a Counts,
}

impl Judge<'_> {
    /// `None` if nothing can be said, as of a side without samples.
    pub fn comparison(&self, counts: &Counts) -> Option<Comparison> {
        let of = |side: usize| -> Vec<(u64, u64)> {
            counts[side].iter().copied().zip(self.totals[side].iter().copied()).collect()
        };
        let (base, other) = (of(0), of(1));
        match self.design {
            Design::Shares => Comparison::of_shares(sum(&base), sum(&other)),
            Design::Rounds => Comparison::of_sampled_rounds(&base, &other),
            Design::Runs => Comparison::of_sampled_runs(&base, &other),
        }
    }

    /// The verdict on each, corrected for their number; `None` of too few samples.
    pub fn verdicts<'c>(&self, all: impl Iterator<Item = &'c Counts>) -> Vec<Option<Verdict>> {
        let is_enough = |of: &Counts| of.iter().flatten().sum::<u64>() >= FEW;
        let compared = |of: &Counts| self.comparison(of).filter(|_| is_enough(of));
        let compared: Vec<Option<Comparison>> = all.map(compared).collect();
        let mut judged =
            verdicts(&compared.iter().flatten().copied().collect::<Vec<_>>()).into_iter();
        compared.into_iter().map(|of| of.and_then(|_| judged.next())).collect()
    }
}

fn sum(runs: &[(u64, u64)]) -> (u64, u64) {
    runs.iter().fold((0, 0), |(counts, totals), (count, total)| {
        (counts.saturating_add(*count), totals.saturating_add(*total))
    })
}
