//! The columns, as they are documented.

use counterpoint_report::table::{COLUMNS, Column, ColumnType};
use std::path::Path;

/// The page with the columns, which this test writes if `COUNTERPOINT_UPDATE` is set.
const PAGE: &str = "../../docs/table.md";

#[test]
fn names_are_unique_and_in_order() {
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len());
    assert!(COLUMNS.is_sorted());
    assert_eq!(names.first(), Some(&"table"));
    assert_eq!(names.last(), Some(&"rest"));
}

#[test]
fn each_is_described_by_sentences() {
    for column in COLUMNS {
        let text = column.description();
        assert!(
            text.ends_with(['.', ')']) && !text.starts_with(' '),
            "{}: {text:?}",
            column.name()
        );
    }
    let rest = Column::Rest.description();
    assert_eq!(rest, "What the report says beside the columns: a JSON object.");
}

#[test]
fn the_page_has_every_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if !path.exists() {
        println!("skipped: needs docs/table.md, which a package does not have");
        return;
    }
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, _) = page.split_once("| column |").unwrap_or((page.as_str(), ""));
    let mut expected = format!("{head}| column | type | meaning |\n|---|---|---|\n");
    for column in COLUMNS {
        let holds = match column.holds() {
            ColumnType::Text => "text",
            ColumnType::Integer => "whole number",
            ColumnType::Real => "number",
            ColumnType::Boolean => "true or false",
        };
        let meaning = column.description();
        expected.push_str(&format!("| `{}` | {holds} | {meaning} |\n", column.name()));
    }
    if std::env::var_os("COUNTERPOINT_UPDATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    assert_eq!(
        page, expected,
        "write it with COUNTERPOINT_UPDATE=1 cargo test -p counterpoint-report --features table"
    );
}
