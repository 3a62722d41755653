//! A reader of OpenMetrics that accepts only what the specification allows.

use std::collections::BTreeSet;

/// The samples of a text: the name with its labels, and the value.
pub(crate) fn samples(text: &str) -> Vec<(String, f64)> {
    let body = text.strip_suffix("# EOF\n").unwrap_or_else(|| panic!("no end: {text}"));
    let mut family = Family::default();
    let (mut families, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut samples = Vec::new();
    for line in body.lines() {
        if let Some(described) = line.strip_prefix("# ") {
            let mut words = described.splitn(3, ' ');
            let (key, name, rest) =
                (words.next().unwrap(), words.next().unwrap(), words.next().unwrap_or_default());
            match key {
                "TYPE" => {
                    assert!(families.insert(name.to_string()), "{name} is not in one piece");
                    family = Family { name: name.to_string(), kind: rest.to_string() };
                    assert!(matches!(rest, "counter" | "gauge"), "{line}");
                }
                "UNIT" => assert!(name.ends_with(&format!("_{rest}")), "{line}"),
                "HELP" => assert!(!rest.is_empty(), "{line}"),
                _ => panic!("{line}"),
            }
            assert_eq!(name, family.name, "{line}");
            continue;
        }
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(seen.insert(name.to_string()), "{name} is there twice");
        let (plain, labels) = match name.split_once('{') {
            Some((plain, labels)) => (plain, labels.strip_suffix('}').unwrap()),
            None => (name, ""),
        };
        let end = if family.kind == "counter" { "_total" } else { "" };
        assert_eq!(plain, format!("{}{end}", family.name), "{line}");
        check_name(plain);
        check_labels(labels);
        let value: f64 = value.parse().unwrap();
        assert!(value.is_finite() && (family.kind == "gauge" || value >= 0.0), "{line}");
        samples.push((name.to_string(), value));
    }
    samples
}

#[derive(Default)]
struct Family {
    name: String,
    kind: String,
}

fn check_name(name: &str) {
    let is_good = |c: char| c.is_ascii_alphanumeric() || c == '_';
    assert!(!name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_good), "{name}");
}

fn check_labels(mut labels: &str) {
    let mut names = BTreeSet::new();
    while !labels.is_empty() {
        let (name, rest) = labels.split_once("=\"").unwrap_or_else(|| panic!("{labels}"));
        check_name(name);
        assert!(names.insert(name), "the label {name} is there twice");
        let mut escaped = false;
        let end = rest.find(|c| {
            let is_end = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            is_end
        });
        let rest = &rest[end.unwrap_or_else(|| panic!("{labels}")) + 1..];
        labels = rest.strip_prefix(',').unwrap_or(rest);
    }
}
