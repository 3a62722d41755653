//! Machine formats parse, with types.

use crate::{rows, run, stderr, stdout};
use serde_json::Value;

#[test]
fn json_rows_are_objects_with_numbers() {
    let output = run(&["stat", "-e", "task-clock,page-faults,cycles", "--json", "--", "true"]);
    let (rows, summary) = rows(&output);
    let clock = &rows[0];
    assert_eq!(clock["schema"], 1);
    assert_eq!(clock["event"], "task-clock");
    assert_eq!(clock["unit"], "ns");
    assert_eq!(clock["status"], "counted");
    for key in ["value", "raw", "enabled_ns", "running_ns"] {
        assert!(clock[key].is_u64(), "{key}: {clock}");
    }
    assert_eq!(clock["coverage"], 1.0);
    assert!(clock["comment"]["value"].is_f64() && clock["comment"]["unit"] == "CPUs utilized");
    assert_eq!(rows[1]["unit"], Value::Null);
    let cycles = rows.last().unwrap();
    match cycles["status"].as_str().unwrap() {
        "not-supported" => {
            assert_eq!(cycles["value"], Value::Null);
            assert!(cycles["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
        }
        "counted" | "estimated" => assert!(cycles["value"].is_number()),
        other => panic!("{other}"),
    }
    let summary = &summary["summary"];
    assert_eq!(summary["command"], serde_json::json!(["true"]));
    assert!(summary["elapsed_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn csv_has_a_header_and_as_many_fields_in_every_row() {
    let output = run(&["stat", "-e", "task-clock,page-faults,cycles", "--csv", "--", "true"]);
    let text = stdout(&output);
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(&header[..4], ["event", "canonical", "value", "status"]);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.len() >= 3);
    for row in &rows {
        assert_eq!(row.len(), header.len(), "{row:?}");
        assert!(row[2].is_empty() || row[2].parse::<f64>().is_ok(), "{row:?}");
    }
    let other = stdout(&run(&["stat", "-e", "page-faults", "--csv=;", "--", "true"]));
    assert!(other.starts_with("event;canonical;value;status;"), "{other}");
}

#[test]
fn csv_fields_are_quoted_where_the_separator_is_in_them() {
    let output = run(&["stat", "-e", "page-faults:u", "--csv=:", "--", "true"]);
    let text = stdout(&output);
    let row = text.lines().nth(1).unwrap();
    assert!(row.starts_with("\"page-faults:u\":\"page-faults:u\":"), "{text}");
    let output = run(&["stat", "-e", "page-faults", "--csv=::", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("one ASCII character"), "{}", stderr(&output));
}

#[test]
fn every_format_has_a_name() {
    let of = |options: &[&str]| run(&[&["stat", "-e", "page-faults"], options, &["true"]].concat());
    let header = |options| stdout(&of(options)).lines().next().map(str::to_string);
    assert_eq!(header(&["--format", "csv"]), header(&["--csv"]));
    let (rows, _) = rows(&of(&["--format", "json"]));
    assert_eq!(rows[0]["event"], "page-faults");
    let text = of(&["--format", "text"]);
    assert!(stdout(&text).is_empty() && stderr(&text).contains("page-faults"));
    let unknown = of(&["--format", "xml"]);
    assert_eq!(unknown.status.code(), Some(2));
    let names = "text, plot, json, csv, perf, perf-json, perfetto, markdown";
    assert!(stderr(&unknown).contains(names), "{}", stderr(&unknown));
}

#[test]
fn list_and_doctor_print_json_lines() {
    let output = run(&["list", "--json", "--machine", "fixtures/machines/amd-zen4"]);
    let events: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let clock = events.iter().find(|event| event["name"] == "task-clock").unwrap();
    assert_eq!((&clock["group"], &clock["status"]), (&"software".into(), &"available".into()));
    assert!(clock["aliases"].as_array().unwrap().contains(&"PERF_COUNT_SW_TASK_CLOCK".into()));
    let output = run(&["doctor", "--json", "--machine", "fixtures/machines/vm-no-pmu"]);
    let findings: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(findings.iter().any(|f| f["subject"] == "seccomp" && f["status"] == "limited"));
    assert!(findings.iter().all(|f| f["schema"] == 1 && f["text"].is_string()));
}
