//! Every code has a page that explains it and shows a correction.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use counterpoint_definitions::{Code, explain};

#[test]
fn every_code_has_a_page() {
    let mut names = BTreeSet::new();
    for code in Code::ALL {
        let page = explain(code.name()).unwrap();
        assert!(names.insert(code.name()), "the name {} is used twice", code.name());
        assert!(page.starts_with(&format!("# {}\n\n", code.name())), "{page}");
        assert!(
            page.contains("```\n") && page.len() > 150,
            "the page about {} has no example",
            code.name()
        );
    }
    assert_eq!(explain("unknown"), None);
}

#[test]
fn every_page_has_a_code() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("codes");
    let pages: BTreeSet<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let codes: BTreeSet<String> = Code::ALL.iter().map(|code| code.name().to_owned()).collect();
    assert_eq!(pages, codes);
}
