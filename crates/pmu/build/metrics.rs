//! The metrics of a vendor's processors: `metric NAME`, and below it lines of facts, each a key and a text.

/// A metric, and the processors that have it.
#[derive(Default)]
pub(super) struct Metric<'a> {
    pub(super) name: &'a str,
    /// The names of the files of its processors.
    pub(super) processors: Vec<&'a str>,
    pub(super) formula: &'a str,
    pub(super) threshold: &'a str,
    /// The lines of its other facts.
    pub(super) facts: Vec<&'a str>,
}

/// The keys of facts that stand together.
const OTHERS: [&str; 5] = ["pmu", "unit", "group", "constraint", "each"];

/// Reads a table of metrics.
pub(super) fn read(text: &str) -> Result<Vec<Metric<'_>>, String> {
    let mut metrics: Vec<Metric<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        let wrong = |what: &str| Err(format!("{number}: {what}: {line}"));
        if !line.is_ascii() || line.contains('\0') {
            return wrong("a character is not one of ASCII");
        }
        if let Some(name) = line.strip_prefix("metric ") {
            metrics.push(Metric { name, ..Metric::default() });
            continue;
        }
        let fact = line.strip_prefix('\t').and_then(|fact| Some((fact, fact.split_once(' ')?)));
        let (Some((fact, (key, text))), Some(metric)) = (fact, metrics.last_mut()) else {
            return wrong("neither `metric NAME` nor a fact of one");
        };
        match key {
            "on" => metric.processors.extend(text.split(' ')),
            "formula" => metric.formula = text,
            "threshold" => metric.threshold = text,
            _ if OTHERS.contains(&key) => metric.facts.push(fact),
            _ => return wrong("the key is not one that tables/README.md lists"),
        }
    }
    match metrics.iter().find(|m| m.formula.is_empty() || m.processors.is_empty()) {
        Some(metric) => Err(format!(" {} has no formula, or no processor", metric.name)),
        None => Ok(metrics),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_fact_of_the_metric_above() {
        let text = "# M\nmetric A\n\ton x y\n\tpmu cpu_core\n\tformula B / C\n\tunit 100%\n\tthreshold A > 1\nmetric D\n\ton x\n\tformula 1\n";
        let Ok(metrics) = read(text) else { panic!() };
        let [a, d] = &metrics[..] else { panic!() };
        assert_eq!((a.name, &a.processors[..], a.formula), ("A", &["x", "y"][..], "B / C"));
        assert_eq!((a.threshold, &a.facts[..]), ("A > 1", &["pmu cpu_core", "unit 100%"][..]));
        assert_eq!((d.name, d.facts.len()), ("D", 0));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, error) in [
            ("\ton x", "1: neither `metric NAME` nor a fact of one: \ton x"),
            ("metric A\n\ttitle B", "2: the key is not one that tables/README.md lists: \ttitle B"),
            ("metric A\n\tformula \u{e4}", "2: a character is not one of ASCII: \tformula \u{e4}"),
            ("metric A\n\ton x", " A has no formula, or no processor"),
        ] {
            assert_eq!(read(text).err().as_deref(), Some(error));
        }
    }
}
