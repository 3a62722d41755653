//! Which ranks take longer than the others, in words.

use super::by::By;
use super::merged::{EventCells, Merged};
use crate::Location;

/// By how much more than the mean is worth a sentence.
const MUCH: f64 = 0.05;
/// The share of the most time by which any member exceeds the mean that is worth a sentence.
const LITTLE: f64 = 0.01;
/// The most sentences that are written.
const MOST: usize = 10;

/// A sentence for each time in which one member takes much longer than the mean, that of the most time first, without those of little time; one sentence if there is none.
pub fn sentences(merged: &Merged, by: By) -> Vec<String> {
    let is_time = |row: &&EventCells| {
        matches!(row.key.unit.as_deref(), Some("ns" | "s"))
            && row.key.location == Location::default()
    };
    let imbalanced = |row: &'_ EventCells| {
        let extremes = row.extremes()?;
        let of = match &row.key.region {
            Some(region) => format!(" in {region} ({})", row.key.event),
            None => format!(" ({})", row.key.event),
        };
        let share = extremes.imbalance()?;
        let seconds = if row.key.unit.as_deref() == Some("ns") { 1e-9 } else { 1.0 };
        Some((seconds * share * extremes.mean, share, extremes.max.0, of))
    };
    let mut all: Vec<_> = merged.rows.iter().filter(is_time).filter_map(imbalanced).collect();
    if all.is_empty() {
        return Vec::new();
    }
    all.retain(|(_, share, ..)| *share >= MUCH);
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some((most, ..)) = all.first() else {
        let who = match by {
            By::Rank => "rank",
            By::Node => "node",
            By::Socket => "socket",
            By::Thread => "thread",
        };
        return vec![format!("no {who} takes {:.0} % longer than the mean", 100.0 * MUCH)];
    };
    let least = LITTLE * most;
    let sentence = |(_, share, member, of): &(f64, f64, usize, String)| {
        let who = merged.members[*member].title_on_host();
        format!("{who} takes {:.0} % longer than the mean{of}", 100.0 * share)
    };
    all.iter().filter(|(time, ..)| *time >= least).take(MOST).map(sentence).collect()
}
