//! Which ranks take longer than the others, in words.

use super::by::By;
use super::merged::{EventCells, Merged};
use crate::Location;

/// By how much more than the mean is worth a sentence.
const MUCH: f64 = 0.05;
/// The most sentences that are written.
const MOST: usize = 10;

/// A sentence for each time in which one member takes much longer than the mean, the greatest first; one sentence if there is none.
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
        Some((extremes.imbalance()?, extremes.max.0, of))
    };
    let mut all: Vec<_> = merged.rows.iter().filter(is_time).filter_map(imbalanced).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some(first) = all.first() else { return Vec::new() };
    if first.0 < MUCH {
        let who = match by {
            By::Rank => "rank",
            By::Node => "node",
            By::Socket => "socket",
            By::Thread => "thread",
        };
        return vec![format!("no {who} takes {:.0} % longer than the mean", 100.0 * MUCH)];
    }
    let sentence = |(share, member, of): &(f64, usize, String)| {
        let who = merged.members[*member].title_on_host();
        format!("{who} takes {:.0} % longer than the mean{of}", 100.0 * share)
    };
    all.iter().filter(|(share, ..)| *share >= MUCH).take(MOST).map(sentence).collect()
}
