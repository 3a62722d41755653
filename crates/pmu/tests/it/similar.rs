use counterpoint_pmu::{kernel, similar};

#[test]
fn near_misses_best_first() {
    let names = || kernel::all().flat_map(|event| event.names());
    let cases: [(&str, &[&str]); 6] = [
        ("instrutcions", &["instructions"]),
        ("task_clock", &["task-clock"]),
        ("LLC-load-mises", &["LLC-load-misses"]),
        ("brnach-misses", &["branch-misses"]),
        ("zzz", &[]),
        ("", &[]),
    ];
    for (name, expected) in cases {
        let found = similar(name, names());
        assert_eq!(found.first(), expected.first(), "{name}: {found:?}");
        assert!(found.len() <= 3);
    }
    assert_eq!(similar("cycle", ["cycles", "cycel", "Cycle"]), ["Cycle", "cycles", "cycel"]);
    assert_eq!(similar("cycle", ["cycles", "cycles"]), ["cycles"]);
}

/// By the definition, each prefix from shorter ones, and no candidate passed over.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let kept = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            let swapped = if swapped { table[i - 2][j - 2] + 1 } else { usize::MAX };
            table[i][j] = kept.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1).min(swapped);
        }
    }
    table[a.len()][b.len()]
}

proptest::proptest! {
    #[test]
    fn the_nearest_names_are_found(name in "[ab_1]{1,9}", names in proptest::collection::vec("[ab_1]{1,9}", 0..9)) {
        let limit = (name.len() / 3).max(1).min(name.len() - 1);
        let mut near: Vec<(usize, &str)> = Vec::new();
        for other in &names {
            let distance = distance(name.as_bytes(), other.as_bytes());
            if distance <= limit && !near.contains(&(distance, other.as_str())) {
                near.push((distance, other));
            }
        }
        near.sort_by_key(|(distance, _)| *distance);
        near.truncate(3);
        let near: Vec<&str> = near.into_iter().map(|(_, name)| name).collect();
        proptest::prop_assert_eq!(similar(&name, names.iter().map(String::as_str)), near);
    }
}
