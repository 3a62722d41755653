//! Rows, turned back into the lines of reports.

use super::column::KEYS;
use super::line::Kind;
use super::{Cell, Column, Row, json};

/// Returns the line of a report that a row was made from, without a newline; `None` of a row that says again what is within another one, and of a row without a kind.
///
/// ```
/// use counterpoint_report::table::{Report, report_line};
///
/// let line = r#"{"schema":1,"host":"a","event":"faults","value":3,"status":"counted","unit":null,"raw":3,"comment":{"value":2.5,"unit":"K/sec"}}"#;
/// let mut lines = Vec::new();
/// Report::new("a.jsonl").line(line, |row| lines.extend(report_line(row))).unwrap();
/// assert_eq!(lines, [line]);
/// ```
///
/// # Errors
///
/// There is no error: a row whose cells are not of a report gives a line that is not one.
pub fn report_line(row: &Row<'_>) -> Option<String> {
    let kind = row[Column::Kind].text().filter(|kind| !Kind::is_within(kind))?;
    let (rest, mut line) = (rest(row), String::from("{"));
    let has_value = [Kind::Value, Kind::Merged].iter().any(|known| known.name() == kind);
    for column in KEYS {
        // The process of a summary is within it.
        let is_within = kind == Kind::Summary.name() && column != Column::Schema;
        if is_within || rest.iter().any(|key| key == column.name()) {
            continue;
        }
        let cell = match column {
            Column::Value if !row[Column::Whole].is_null() => &row[Column::Whole],
            _ => &row[column],
        };
        if cell.is_null() && !(has_value && matches!(column, Column::Value | Column::Unit)) {
            continue;
        }
        if line.len() > 1 {
            line.push(',');
        }
        json::push_text(&mut line, column.name());
        line.push(':');
        push_cell(&mut line, cell);
    }
    if let Some(rest) = row[Column::Rest].text() {
        let inside = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let inside = inside.unwrap_or_default();
        if line.len() > 1 && !inside.is_empty() {
            line.push(',');
        }
        line.push_str(inside);
    }
    line.push('}');
    Some(line)
}

/// The keys that are in the column `rest`.
fn rest(row: &Row<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    if let Some(rest) = row[Column::Rest].text() {
        // A value that is not an object has no keys.
        let _ = json::object(rest, |key, _| {
            keys.push(key.into_owned());
            Ok(())
        });
    }
    keys
}

/// Appends a cell as JSON.
pub(crate) fn push_cell(out: &mut String, cell: &Cell<'_>) {
    match cell {
        Cell::Null => out.push_str("null"),
        Cell::Text(text) => json::push_text(out, text),
        Cell::Integer(number) => out.push_str(&number.to_string()),
        Cell::Real(number) => json::push_real(out, *number),
        Cell::Boolean(answer) => out.push_str(if *answer { "true" } else { "false" }),
    }
}
