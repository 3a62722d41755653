//! Verdicts on comparisons that are made together.

use crate::comparison::{CHANCE, Comparison};

/// The conclusion from a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The other program has a greater mean.
    More,
    /// The other program has a smaller mean.
    Less,
    /// The values differ, but may do so by chance, with so many comparisons or so few runs: more runs will tell.
    Uncertain,
    /// No difference was found.
    NoDifference,
}

impl Verdict {
    /// The word of machine formats: `more`, `less`, `uncertain` or `no-difference`.
    ///
    /// ```
    /// assert_eq!(counterpoint_compare::Verdict::NoDifference.name(), "no-difference");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::More => "more",
            Verdict::Less => "less",
            Verdict::Uncertain => "uncertain",
            Verdict::NoDifference => "no-difference",
        }
    }
}

/// The verdict on each of the comparisons that are made together, such as those of several events.
///
/// Equal programs that took turns are found different in 5 of 100 tries at most, however many comparisons there are (Holm, "A simple sequentially rejective multiple test procedure", 1979).
pub fn verdicts(comparisons: &[Comparison]) -> Vec<Verdict> {
    let mut by_p: Vec<usize> = (0..comparisons.len()).collect();
    by_p.sort_by(|one, two| comparisons[*one].p.total_cmp(&comparisons[*two].p));
    let mut verdicts = vec![Verdict::NoDifference; comparisons.len()];
    let mut is_sure = true;
    for (rank, index) in by_p.into_iter().enumerate() {
        let Comparison { p, difference, .. } = &comparisons[index];
        let is_unbounded = difference.estimate != 0.0 && difference.margin().is_infinite();
        is_sure &= *p <= CHANCE / (comparisons.len() - rank) as f64;
        verdicts[index] = if is_sure && difference.estimate > 0.0 {
            Verdict::More
        } else if is_sure {
            Verdict::Less
        } else if *p <= CHANCE || is_unbounded {
            Verdict::Uncertain
        } else {
            Verdict::NoDifference
        };
    }
    verdicts
}
