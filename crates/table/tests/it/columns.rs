//! The columns, as they are documented.

use counterpoint_table::{COLUMNS, Column};

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
        assert!(text.ends_with('.') && !text.starts_with(' '), "{}: {text:?}", column.name());
    }
    assert_eq!(
        Column::Rest.description(),
        "What the report says beside the columns: a JSON object."
    );
}
