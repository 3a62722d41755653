//! Nothing of a line is lost.

use crate::{LINES, rows};
use counterpoint_report::table::text::{CsvWriter, json_line, read_csv, read_json_line};
use counterpoint_report::table::{Column, Report, Row, report_line};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Returns the lines that rows are turned into, as what they mean.
fn back<'a>(rows: impl IntoIterator<Item = &'a Row<'a>>) -> Vec<Value> {
    rows.into_iter()
        .filter_map(report_line)
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect()
}

fn meanings(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_kind_of_line_comes_back() {
    let rows = rows(LINES);
    assert_eq!(back(&rows), meanings(LINES));
    // The digits of numbers that no type holds are kept.
    let big = rows.iter().find(|row| row[Column::Event].text() == Some("sum of sums")).unwrap();
    assert!(report_line(big).unwrap().contains("\"value\":36893488147419103232"));
}

#[test]
fn a_whole_number_has_its_column_however_it_is_written() {
    let line = |value: &str, interval: &str| {
        format!(
            "{{\"schema\":1,\"interval_s\":{interval},\"event\":\"faults\",\"value\":{value},\"status\":\"counted\",\"unit\":null}}"
        )
    };
    for (value, whole) in
        [("3", Some(3)), ("3.0", Some(3)), ("2.5", None), ("1e300", None), ("-0.0", None)]
    {
        for interval in ["1", "1.0", "1.5"] {
            let line = line(value, interval);
            let rows = rows(&line);
            assert_eq!(rows[0][Column::Whole].integer(), whole, "{line}");
            assert!(rows[0][Column::IntervalEnd].real().is_some(), "{line}");
            assert_eq!(back(&rows), meanings(&line));
        }
    }
}

#[test]
fn the_run_of_a_summary_is_in_columns() {
    let line = r#"{"schema":1,"summary":{"host":"a","pid":7,"command":["sh","-c","exit 3"],"began_s":1.5e9,"elapsed_s":0.25,"user_s":0.125,"sys_s":null,"exit_status":3}}"#;
    let rows = rows(line);
    let row = &rows[0];
    assert_eq!(row[Column::Command].text(), Some("sh -c 'exit 3'"));
    let reals = [Column::Began, Column::Elapsed, Column::User, Column::System];
    assert_eq!(
        reals.map(|column| row[column].real()),
        [Some(1.5e9), Some(0.25), Some(0.125), None]
    );
    assert_eq!(row[Column::ExitStatus].integer(), Some(3));
    assert_eq!(back(&rows), meanings(line));
}

#[test]
fn every_line_comes_back_from_text() {
    let rows = rows(LINES);
    let lines: Vec<String> = rows.iter().map(json_line).collect();
    let read: Vec<Row<'_>> = lines.iter().map(|line| read_json_line(line).unwrap()).collect();
    assert_eq!(read, rows);

    let mut csv = CsvWriter::new(Vec::new()).unwrap();
    rows.iter().for_each(|row| csv.push(row).unwrap());
    let mut read = Vec::new();
    read_csv(csv.finish().unwrap().as_slice(), |row| read.push(crate::owned(row))).unwrap();
    assert_eq!(read, rows);
}

/// Values of JSON, and now and then what a column holds.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    let columns =
        counterpoint_report::table::COLUMNS.iter().map(|column| column.name().to_string());
    let others = ["values", "metric", "comment", "runs", "per_rank", "functions", "processes"];
    let names: Vec<String> = columns.chain(others.map(str::to_string)).collect();
    prop_oneof![3 => prop::sample::select(names), 1 => ".{0,6}"]
}

proptest! {
    #[test]
    fn any_line_that_is_read_comes_back(
        mut object in prop::collection::btree_map(key(), value(), 0..12),
        number in any::<f64>(),
        is_counted in any::<bool>(),
    ) {
        object.insert("schema".to_string(), json!(1));
        object.insert("event".to_string(), json!("cycles"));
        object.insert("unit".to_string(), json!(null));
        object.insert("value".to_string(), if is_counted { json!(number) } else { Value::Null });
        let is_counted = is_counted && number.is_finite();
        let status = if is_counted { "counted" } else { "not-counted" };
        object.insert("status".to_string(), json!(status));
        let object: Map<String, Value> = object.into_iter().collect();
        let line = Value::Object(object).to_string();
        let mut read = Vec::new();
        let result = Report::new("").line(&line, |row| read.push(crate::owned(row)));
        if result.is_ok() {
            let came = back(&read);
            prop_assert_eq!(&came, &meanings(&line));
            let again: Vec<String> = read.iter().map(json_line).collect();
            for (row, line) in read.iter().zip(&again) {
                prop_assert_eq!(&read_json_line(line).unwrap(), row);
            }
        }
    }

    #[test]
    fn any_text_is_answered(text in ".{0,200}") {
        let mut rows = 0;
        let read = Report::new("").line(&text, |_| rows += 1);
        prop_assert!(read.is_err() || rows > 0);
        prop_assert!(read_json_line(&text).is_err() || text.contains("table"));
    }
}
