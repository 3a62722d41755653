//! Tables as text that others wrote.

use counterpoint_report::table::Column;
use counterpoint_report::table::text::{read as read_text, read_csv, read_json_line};

/// The event and the value of a row.
type Value = (Option<String>, Option<f64>);

fn csv(text: &str) -> Result<Vec<Value>, String> {
    let mut rows = Vec::new();
    let read = read_csv(text.as_bytes(), |row| {
        rows.push((row[Column::Event].text().map(str::to_string), row[Column::Value].real()));
    });
    read.map(|()| rows).map_err(|error| error.to_string())
}

#[test]
fn columns_may_be_in_any_order() {
    let read = csv("value,event,table\n1.5,\"a,b\",1\n,c,1\n").unwrap();
    assert_eq!(read, [(Some("a,b".to_string()), Some(1.5)), (Some("c".to_string()), None)]);
}

#[test]
fn what_is_wrong_has_its_line() {
    assert_eq!(csv("table,evnt\n1,a\n").unwrap_err(), "line 1: the table has no column \"evnt\"");
    assert_eq!(
        csv("table,value\n1,2\n1,NaN\n").unwrap_err(),
        "line 3: `value` is \"NaN\", where a number belongs"
    );
    assert_eq!(
        csv("table\n2\n").unwrap_err(),
        "line 2: version 2 of the table, where version 1 is read"
    );
    assert!(csv("table,value\n1\n").unwrap_err().starts_with("line 2: "));
    assert_eq!(csv("event\na\n").unwrap_err(), "line 2: not a row of the table: it has no `table`");
}

#[test]
fn a_line_of_another_table_is_refused() {
    assert_eq!(
        read_json_line("{\"schema\":1}").unwrap_err(),
        "not a row of the table: it has no `table`"
    );
    assert_eq!(
        read_json_line("{\"table\":1,\"a\":1}").unwrap_err(),
        "the table has no column \"a\""
    );
    assert_eq!(read_json_line("{\"table\":1,\"rest\":1}").unwrap_err(), "`rest` is not an object");
}

/// A reader that never ends is refused before it fills the memory.
#[test]
fn a_line_without_an_end_is_refused() {
    use std::io::{BufReader, Read, repeat};
    let refused = |start: &'static str, byte: u8| {
        let from = BufReader::new(start.as_bytes().chain(repeat(byte)));
        read_text("", from, |_| ()).unwrap_err().to_string()
    };
    assert!(refused("", 0).contains("longer than 64 MiB"));
    assert!(refused("{", b' ').contains("longer than 64 MiB"));
    assert!(refused("table,kind\n1,", b'a').contains("longer than 64 MiB"));
    assert!(refused("table,kind\n1,\"", b'\n').contains("longer than 64 MiB"));
    assert!(refused("", b',').contains("longer than 64 MiB"));
    assert!(refused("table,", b',').contains("more than 8388608 commas"));
    assert!(refused("table,kind\n", b',').contains("more than 8388608 commas"));
}

#[test]
fn a_wrong_line_of_json_costs_no_other() {
    let row = r#"{"schema":1,"event":"faults","value":3,"status":"counted","unit":null}"#;
    let mut rows = 0;
    let torn = format!("{row}\n{}\n{row}\n", &row[..40]);
    let error = read_text("", torn.as_bytes(), |_| rows += 1).unwrap_err().to_string();
    assert!(error.starts_with("line 2: "), "{error}");
    assert_eq!(rows, 2);
}
