//! Names near one that does not exist.

/// At most this many names are offered.
const OFFERED: usize = 3;

/// The candidates nearest to `name` by edit distance without regard to case, best first, at most three.
///
/// Insertions, deletions, substitutions and swaps of neighbours count one each.
/// A name farther away than a third of its length is not offered.
///
/// ```
/// use counterpoint_pmu::similar;
///
/// assert_eq!(similar("cylces", ["cycles", "instructions", "ref-cycles"]), ["cycles"]);
/// assert!(similar("nonsense", ["cycles", "instructions"]).is_empty());
/// ```
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: Vec<char> = folded(name).collect();
    let letters = letters_of(name.iter().copied());
    // At least one letter must be the same.
    let mut limit = (name.len() / 3).max(1).min(name.len().saturating_sub(1));
    let mut near: Vec<(usize, &str)> = Vec::new();
    let (mut other, mut rows) = (Vec::new(), Rows::default());
    for candidate in candidates {
        if candidate.is_ascii() && candidate.len().abs_diff(name.len()) > limit {
            continue;
        }
        let others = letters_of(folded(candidate));
        // Each letter of one that the other lacks is an edit, and so is each letter more.
        let edits = (letters & !others).count_ones().max((others & !letters).count_ones()) as usize;
        if edits > limit || near.iter().any(|&(_, known)| known == candidate) {
            continue;
        }
        other.clear();
        other.extend(folded(candidate));
        let Some(distance) = rows.distance(&name, &other, limit) else { continue };
        let place = near.partition_point(|&(known, _)| known <= distance);
        near.insert(place, (distance, candidate));
        near.truncate(OFFERED);
        if let Some(&(farthest, _)) = near.get(OFFERED - 1) {
            // From here on only nearer names are taken.
            let Some(nearer) = farthest.checked_sub(1) else { break };
            limit = limit.min(nearer);
        }
    }
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The same, as owned names, for errors that outlive the candidates.
pub(crate) fn similar_names<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    similar(name, candidates).into_iter().map(str::to_owned).collect()
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().map(|c| c.to_ascii_lowercase())
}

/// Which letters there are; some share a bit.
fn letters_of(name: impl Iterator<Item = char>) -> u64 {
    name.fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

/// The last rows of the table of edits, the newest last.
#[derive(Default)]
struct Rows([Vec<usize>; 3]);

impl Rows {
    /// Edit distance where a swap of two neighbours counts one (optimal string alignment), if it is within the limit.
    fn distance(&mut self, a: &[char], b: &[char], limit: usize) -> Option<usize> {
        if a.len().abs_diff(b.len()) > limit {
            return None;
        }
        let [before, last, row] = &mut self.0;
        for row in [&mut *before, row, last] {
            row.clear();
            row.extend(0..=b.len());
        }
        for i in 1..=a.len() {
            row[0] = i;
            for j in 1..=b.len() {
                let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped {
                    row[j] = row[j].min(before[j - 2] + 1);
                }
            }
            // All later rows derive from these two.
            if row.iter().chain(&*last).all(|distance| *distance > limit) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|distance| *distance <= limit)
    }
}
