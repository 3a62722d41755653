//! Near misses: what a person may have meant by a name that does not exist.

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
    let name = folded(name);
    // A name must keep a letter of what was meant.
    let limit = (name.len() / 3).max(1).min(name.len().saturating_sub(1));
    let letters = letters_of(&name);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let other = folded(candidate);
        let others = letters_of(&other);
        // Each letter of one that the other lacks is an edit, and so is each letter more.
        let edits = (letters & !others).count_ones().max((others & !letters).count_ones()) as usize;
        if edits > limit || name.len().abs_diff(other.len()) > limit {
            continue;
        }
        let Some(distance) = distance(&name, &other, limit) else { continue };
        if !near.iter().any(|&(_, known)| known == candidate) {
            let place = near.partition_point(|&(known, _)| known <= distance);
            near.insert(place, (distance, candidate));
            near.truncate(OFFERED);
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

fn folded(name: &str) -> Vec<char> {
    name.chars().map(|c| c.to_ascii_lowercase()).collect()
}

/// Which letters there are; some share a bit.
fn letters_of(name: &[char]) -> u64 {
    name.iter().fold(0, |letters, &c| letters | 1 << (u32::from(c) % 64))
}

/// Edit distance where a swap of two neighbours counts one (optimal string alignment), if it is within the limit.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
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
        // What follows grows out of these two rows.
        if row.iter().chain(&last).all(|distance| *distance > limit) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= limit)
}
