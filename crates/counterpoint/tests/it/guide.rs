//! The guide and its pages: every row of their tables names a test that there is, and links lead somewhere.

use std::path::Path;

/// The guide and its pages, in `docs`.
const PAGES: [&str; 10] = [
    "guide.md",
    "documents.md",
    "metrics-builtin.md",
    "from/c.md",
    "from/likwid.md",
    "from/libpfm.md",
    "from/papi.md",
    "from/perf.md",
    "from/perf-event2.md",
    "from/python.md",
];

#[test]
fn every_link_between_the_pages_leads_to_a_heading() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut links = 0;
    for page in PAGES.iter().map(|page| docs.join(page)).chain([docs.join("../README.md")]) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            if !heading.is_empty() {
                let target = std::fs::read_to_string(&target).unwrap();
                assert!(
                    anchors(&target).any(|anchor| anchor == heading),
                    "{}: {link}",
                    page.display()
                );
            }
            links += 1;
        }
    }
    assert!(links > 30, "{links} links");
}

/// The anchors of the headings, as Markdown makes them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let words: String = line.trim_start_matches('#').trim().chars().filter(kept).collect();
        words.to_lowercase().replace(' ', "-")
    })
}

#[test]
fn every_row_is_backed_by_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |page: &str| std::fs::read_to_string(root.join("docs").join(page)).unwrap();
    let guide: String =
        PAGES.iter().filter(|page| **page != "metrics-builtin.md").map(|page| read(page)).collect();
    let mut rows = 0;
    for line in
        guide.lines().filter(|line| line.starts_with("| ") && !line.contains("| shown by |"))
    {
        let shown = line.trim_end_matches('|').rsplit('|').next().unwrap().trim();
        let (file, test) = shown.trim_matches('`').split_once("::").unwrap();
        let (name, file) = file.split_once('/').unwrap_or(("counterpoint", file));
        let path = match name {
            "program" => root.join(format!("tests/program/{file}.rs")),
            "python" => root.join(format!("python/tests/{file}.py")),
            _ => root.join(format!("crates/{name}/tests/it/{file}.rs")),
        };
        let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{shown}: {e}"));
        let pattern = match name {
            "python" => format!("\ndef {test}("),
            _ => format!("#[test]\nfn {test}()"),
        };
        assert!(source.contains(&pattern), "there is no test {shown}");
        rows += 1;
    }
    assert!(rows > 350, "{rows} rows");
}
