//! The trust report of the program: `doctor --verify`.

use crate::terminal::shown;
use crate::{run, stderr, stdout};
use serde_json::Value;

/// The lines of the report, and its summary.
fn report() -> (Vec<Value>, Value) {
    let output = run(&["doctor", "--verify", "--json"]);
    let text = stdout(&output);
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap()["summary"].take();
    let differs = lines.iter().any(|line| line["verdict"] == "differs");
    assert_eq!(output.status.code(), Some(i32::from(differs)), "{}", stderr(&output));
    (lines, summary)
}

#[test]
fn the_report_has_numbers_of_software_events_on_every_machine() {
    let (lines, summary) = report();
    let faults = |line: &&Value| line["event"] == "page-faults" && line["way"] == "count";
    let faults = lines.iter().find(faults).unwrap();
    assert_eq!((&faults["kernel"], &faults["rounds"]), (&"faults".into(), &7.into()), "{faults}");
    assert_eq!(faults["measured"], faults["expected"], "{faults}");
    for line in &lines {
        let is_measured = ["exact", "near", "differs"].contains(&line["verdict"].as_str().unwrap());
        for key in ["measured", "least", "greatest"] {
            assert_eq!(line[key].is_number(), is_measured, "{line}");
        }
        let has_reason = line["reason"].is_string();
        assert_eq!(has_reason, !is_measured && line["verdict"] != "no-prediction", "{line}");
    }
    let number = |key: &str| summary[key].as_u64().unwrap() as usize;
    assert_eq!(number("right") + number("differ") + number("not_measured"), lines.len());
    assert!(summary["cpu"].is_string() && summary["kernel"].is_string(), "{summary}");
    let hardware = lines.iter().any(|line| line["event"] == "instructions");
    assert_eq!(summary["no_hardware"].is_null(), hardware, "{summary}");
}

#[test]
fn the_report_for_people_is_a_line_for_each_event_that_fits() {
    for columns in [80, 200] {
        let text = shown(columns, &["doctor", "--verify"], &[], |command, terminal| {
            command.stdout(terminal)
        });
        assert!(text.starts_with("What events count of code with known counts, on "), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
        }
        let faults = text.lines().find(|line| line.contains(" page-faults  ")).unwrap();
        assert!(faults.contains("2,000 of 2,000") && faults.contains(" in faults"), "{faults}");
        if text.contains("hardware events") {
            let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains("none of them was verified: "), "{text}");
            assert!(!text.contains("branch-misses"), "{text}");
        }
    }
}

/// Nothing can be counted on a machine that is not here.
#[test]
fn a_recorded_machine_cannot_be_verified() {
    for other in [["--machine", "fixtures/machines/amd-zen4"], ["--record", "target/nowhere"]] {
        let output = run(&[&["doctor", "--verify"][..], &other].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("cannot be used with"), "{}", stderr(&output));
    }
}
