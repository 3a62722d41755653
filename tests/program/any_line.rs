//! The properties of any line or file that commands read from others; the fuzz targets ask the same.

use counterpoint::{Machine, perf::Host};
use counterpoint_cli::lines;
use serde_json::Value;

/// A line has one answer, which says what became of it; so has its request with an explanation.
pub(crate) fn dispatch(line: &[u8]) {
    let ret = dispatched(line);
    let Ok(Value::Object(mut request)) = serde_json::from_slice(line) else { return };
    if request.contains_key("events") && request.insert("explain".to_owned(), true.into()).is_none()
    {
        assert_eq!(dispatched(Value::from(request).to_string().as_bytes()), ret);
    }
}

/// The result that the answer to a line names.
fn dispatched(line: &[u8]) -> String {
    let answer = object(&lines::dispatch(line));
    assert!(answer["ret"].is_string() && answer["code"].is_i64(), "{answer}");
    assert!(answer["code"] == 0 || answer["message"].is_string(), "{answer}");
    answer["ret"].as_str().unwrap_or_default().to_owned()
}

/// The place of an error lies in the formula.
pub(crate) fn eval(line: &[u8]) {
    let answer = object(&lines::eval(line));
    if answer["ok"] == true {
        assert!(answer["value"].is_number(), "{answer}");
        return;
    }
    assert!(answer["error"]["kind"].is_string() && answer["error"]["message"].is_string());
    let request: Value = serde_json::from_slice(line).unwrap_or_default();
    inside(&answer["error"]["span"], request["formula"].as_str().unwrap_or_default());
}

/// The place of an error lies in the line.
pub(crate) fn encode(line: &str) {
    thread_local! {
        static MACHINE: Machine =
            Machine::new(Host::recorded(&counterpoint_fixtures::machine("intel-hybrid")).unwrap());
    }
    let answer = MACHINE.with(|machine| object(&lines::encode(line, machine)));
    assert_eq!(answer["input"], line);
    if answer["ok"] == false {
        assert!(answer["error"]["message"].is_string());
        inside(&answer["error"]["span"], line);
    }
}

/// Paragraphs are reports: every row has a total or a reason, and a table shows as many.
pub(crate) fn merge(text: &str) {
    let reports: Vec<&str> = text.split("\n\n").collect();
    let Ok([json, table]) = lines::merge(&reports) else { return };
    let rows: Vec<Value> = json.lines().map(object).collect();
    let (summary, rows) = rows.split_last().unwrap();
    assert_eq!(summary["summary"]["reports"], reports.len());
    for row in rows {
        assert!(row["value"].is_number() || row["reason"].is_string(), "{row}");
    }
    let lines = table.lines().skip(2).take_while(|line| !line.is_empty());
    assert_eq!(lines.count(), 1 + rows.len(), "{table}");
}

fn object(text: &str) -> Value {
    let object: Value = serde_json::from_str(text).unwrap();
    assert!(object.is_object(), "{text}");
    object
}

fn inside(span: &Value, text: &str) {
    let end = |index: usize| span[index].as_u64().map(|end| end as usize);
    if let (Some(start), Some(end)) = (end(0), end(1)) {
        assert!(text.get(start..end).is_some(), "{span} of {text:?}");
    }
}

#[test]
fn seeds_of_dispatch() {
    for seed in crate::seeds::of("dispatch_line") {
        dispatch(&seed);
    }
}

#[test]
fn seeds_of_encode() {
    for seed in crate::seeds::of("encode_line") {
        encode(&String::from_utf8_lossy(&seed));
    }
}

#[test]
fn seeds_of_eval() {
    for seed in crate::seeds::of("eval_line") {
        eval(&seed);
    }
}

#[test]
fn seeds_of_merge() {
    for seed in crate::seeds::of("reports") {
        merge(&String::from_utf8_lossy(&seed));
    }
}
