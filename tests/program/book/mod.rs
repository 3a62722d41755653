//! The book in `docs`: its pages are in the table of contents, its links lead somewhere, its rows name tests that exist, and its commands run.

mod commands;
mod markdown;

pub(crate) use commands::assert_prints;
pub(crate) use markdown::{Block, blocks};

use crate::root;
use markdown::{anchors, comments, links, rows};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The pages whose tables describe names, files and faults. Other tests compare the first three with what they describe.
const WITHOUT_TESTS: [&str; 4] = ["metrics-builtin.md", "table.md", "faults.md", "testing.md"];

/// The pages of the book, by their paths in `docs`, in the order of the table of contents.
fn pages() -> Vec<String> {
    links(&read("docs/SUMMARY.md")).into_iter().map(|(_, link)| link).collect()
}

/// The text of a file of the workspace.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths of all files of Markdown in a folder and the folders in it.
fn markdown_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let docs = root().join("docs");
    let mut files = Vec::new();
    markdown_files(&docs, &mut files);
    let names = files.iter().map(|path| path.strip_prefix(&docs).unwrap().display().to_string());
    let files: BTreeSet<String> = names.filter(|name| name != "SUMMARY.md").collect();
    let pages = pages();
    assert_eq!(pages.iter().cloned().collect::<BTreeSet<_>>(), files);
    assert_eq!(pages.len(), files.len(), "a page is listed twice");
}

#[test]
fn every_page_begins_with_its_title() {
    for page in pages() {
        let text = read(&format!("docs/{page}"));
        assert!(text.starts_with("# "), "{page}");
        let titles = anchors(&text).into_iter().filter(|(level, _)| *level == 1).count();
        assert_eq!(titles, 1, "{page}");
        let mut seen = BTreeSet::new();
        for (_, anchor) in anchors(&text) {
            assert!(seen.insert(anchor.clone()), "{page}: two headings are #{anchor}");
        }
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let docs = root().join("docs");
    let mut files: Vec<PathBuf> = pages().iter().map(|page| docs.join(page)).collect();
    let beside = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    files.extend(beside.map(|name| root().join(name)));
    files.extend(["datafusion/README.md", "python/README.md"].map(|name| root().join(name)));
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (line, link) in links(&text) {
            let at = format!("{}:{line}: {link}", file.display());
            if link.contains("://") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => file.clone(),
                path => file.parent().unwrap().join(path),
            };
            let target = target.canonicalize().unwrap_or_else(|error| panic!("{at}: {error}"));
            let leaves = file.starts_with(&docs) && !target.starts_with(&docs);
            assert!(!leaves, "{at}: the book that is built does not have this file");
            if !heading.is_empty() {
                let anchors = anchors(&std::fs::read_to_string(&target).unwrap());
                assert!(anchors.iter().any(|(_, anchor)| anchor == heading), "{at}");
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count} links");
}

#[test]
fn every_row_is_backed_by_a_test() {
    let mut count = 0;
    for page in pages() {
        let text = read(&format!("docs/{page}"));
        for (line, comment) in comments(&text) {
            if let Some(test) = comment.strip_prefix("shown by: ") {
                assert_there_is(test, &format!("{page}:{line}"));
                count += 1;
            }
        }
        if !WITHOUT_TESTS.contains(&page.as_str()) {
            for (line, row) in rows(&text) {
                assert!(row.contains("<!-- shown by: "), "{page}:{line}: no test shows {row}");
            }
        }
    }
    for (line, row) in rows(&read("tests/documents.md")) {
        let shown = row.trim_end_matches('|').rsplit('|').next().unwrap().trim();
        assert_there_is(shown.trim_matches('`'), &format!("tests/documents.md:{line}"));
        count += 1;
    }
    assert!(count > 550, "{count} rows");
}

/// Asserts that there is a test, which is written `CRATE/FILE::TEST`, or `FILE::TEST` for one of the facade.
fn assert_there_is(shown: &str, at: &str) {
    let (file, test) = shown.split_once("::").unwrap_or_else(|| panic!("{at}: {shown}"));
    let (name, file) = file.split_once('/').unwrap_or(("counterpoint", file));
    let path = match name {
        "program" => format!("tests/program/{file}.rs"),
        "tests" => format!("tests/{file}.rs"),
        "python" => format!("python/tests/{file}.py"),
        _ => format!("crates/{name}/tests/it/{file}.rs"),
    };
    let pattern = match name {
        "python" => format!("\ndef {test}("),
        _ => format!("#[test]\nfn {test}()"),
    };
    let source = std::fs::read_to_string(root().join(&path));
    let source = source.unwrap_or_else(|error| panic!("{at}: {path}: {error}"));
    assert!(source.contains(&pattern), "{at}: there is no test {shown}");
}
