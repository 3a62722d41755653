//! In what functions the ranks differ.

use super::Ranks;
use counterpoint::profil::write::Profile;
use counterpoint::profile::Profiled;
use counterpoint_compare::{Comparison, Verdict, verdicts};
use std::collections::BTreeMap;

/// A function whose share of the samples of a rank differs from that of the other ranks together, by more than chance.
pub struct Difference {
    pub recording: usize,
    pub function: String,
    pub module: Option<String>,
    /// The shares in the rank, and in all others together, of 1.
    pub share: f64,
    pub others: f64,
    /// Of the rank with the others.
    pub comparison: Comparison,
}

/// A function needs this share of the samples of a rank, or of all: with less, no rank is slow for it.
const LEAST: f64 = 0.005;

/// The samples of each recording, whatever their function.
pub fn totals(profiled: &Profiled, ranks: &Ranks<'_>) -> Vec<u64> {
    let mut totals = vec![0; ranks.all().len()];
    for part in &profiled.parts {
        if let Some(recording) = part.pid.and_then(|pid| ranks.recording(pid)) {
            totals[recording] += part.snapshot.total().saturating_add(part.snapshot.outside);
        }
    }
    totals
}

/// The differences, the greatest first.
pub fn differences(
    profile: &Profile<'_>,
    profiled: &Profiled,
    ranks: &Ranks<'_>,
) -> Vec<Difference> {
    let each = weight(profiled);
    let samples = |(count, total): (u64, u64)| (count as f64 * each, total as f64 * each);
    let totals: Vec<u64> = totals(profiled, ranks);
    let all: u64 = totals.iter().sum();
    let mut compared = Vec::new();
    for ((function, module), counts) in functions(profile, profiled, ranks) {
        let sum: u64 = counts.iter().sum();
        for (recording, (count, total)) in counts.iter().zip(&totals).enumerate() {
            let others = (sum - count, all - total);
            let share = |(count, total): (u64, u64)| count as f64 / total as f64;
            let own = (*count, *total);
            let Some(comparison) = Comparison::of_shares(samples(others), samples(own)) else {
                continue;
            };
            if share(own).max(share(others)) >= LEAST {
                compared.push(Difference {
                    recording,
                    function: function.clone(),
                    module: module.clone(),
                    share: share(own),
                    others: share(others),
                    comparison,
                });
            }
        }
    }
    let comparisons: Vec<Comparison> = compared.iter().map(|of| of.comparison).collect();
    let is_sure = |verdict: &Verdict| matches!(verdict, Verdict::More | Verdict::Less);
    let judged = compared.into_iter().zip(verdicts(&comparisons));
    let mut found: Vec<Difference> =
        judged.filter(|(_, verdict)| is_sure(verdict)).map(|(of, _)| of).collect();
    let size = |of: &Difference| of.comparison.difference.estimate.abs();
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

/// The samples of each function in each recording.
fn functions(
    profile: &Profile<'_>,
    profiled: &Profiled,
    ranks: &Ranks<'_>,
) -> BTreeMap<(String, Option<String>), Vec<u64>> {
    let mut functions: BTreeMap<(String, Option<String>), Vec<u64>> = BTreeMap::new();
    for part in &profiled.parts {
        let Some(recording) = part.pid.and_then(|pid| ranks.recording(pid)) else { continue };
        let of = Profile { snapshot: &part.snapshot, ..*profile };
        for bucket in of.placed() {
            let place = of.place(bucket);
            let key = (place.to_string(), place.module.clone());
            let counts = functions.entry(key).or_insert_with(|| vec![0; ranks.all().len()]);
            counts[recording] += bucket.count;
        }
    }
    functions
}

/// The number of samples of equal weight that a count stands for.
fn weight(profiled: &Profiled) -> f64 {
    let snapshot = &profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    if profiled.by_events && total > 0 {
        (snapshot.effective_samples() / total as f64).min(1.0)
    } else {
        1.0
    }
}
