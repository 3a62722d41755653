//! Whether counts of samples differ by more than noise.

use super::side::Design;
use counterpoint_compare::{Comparison, Verdict, verdicts};

/// What each run of both sides has of something, in samples or in events.
pub type Counts = [Vec<u64>; 2];

/// The samples that something needs in all runs together: of fewer, no split would be more than chance.
const FEW: f64 = 5.0;

/// Compares counts of one event.
pub struct Judge<'a> {
    pub design: Design,
    /// What each run has of all.
    pub totals: &'a Counts,
    /// The samples for each one of a count of each side, where samples stand for several events.
    pub precision: [f64; 2],
}

impl Judge<'_> {
    /// In samples, of which a count has `precision` for each one; `None` if nothing can be said, as of a side without samples.
    pub fn comparison(&self, counts: &Counts) -> Option<Comparison> {
        let of = |side: usize| -> Vec<(f64, f64)> {
            let precise = |count: &u64| *count as f64 * self.precision[side];
            counts[side].iter().map(precise).zip(self.totals[side].iter().map(precise)).collect()
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
        let samples = |(counts, precision): (&Vec<u64>, f64)| {
            counts.iter().map(|count| *count as f64 * precision).sum::<f64>()
        };
        let is_enough =
            |of: &Counts| of.iter().zip(self.precision).map(samples).sum::<f64>() >= FEW;
        let compared = |of: &Counts| self.comparison(of).filter(|_| is_enough(of));
        let compared: Vec<Option<Comparison>> = all.map(compared).collect();
        let mut judged =
            verdicts(&compared.iter().flatten().copied().collect::<Vec<_>>()).into_iter();
        compared.into_iter().map(|of| of.and_then(|_| judged.next())).collect()
    }
}

fn sum(runs: &[(f64, f64)]) -> (f64, f64) {
    runs.iter()
        .fold((0.0, 0.0), |(counts, totals), (count, total)| (counts + count, totals + total))
}
