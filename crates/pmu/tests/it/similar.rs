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
