//! The trust report of the program: `doctor --verify`.

use crate::terminal::shown;
use crate::{run, stderr, stdout};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

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
        let is_measured =
            ["exact", "near", "differs", "measured"].contains(&line["verdict"].as_str().unwrap());
        for key in ["measured", "least", "greatest"] {
            assert_eq!(line[key].is_number(), is_measured, "{line}");
        }
        let has_reason = line["reason"].is_string();
        assert_eq!(has_reason, !is_measured && line["verdict"] != "no-prediction", "{line}");
    }
    let number = |key: &str| summary[key].as_u64().unwrap() as usize;
    let of_verdicts =
        ["right", "differ", "times", "not_measured"].map(number).iter().sum::<usize>();
    assert_eq!(of_verdicts, lines.len());
    let is_time = |line: &&Value| line["verdict"] == "measured";
    assert_eq!(lines.iter().filter(is_time).count(), number("times"), "{summary}");
    assert!(number("times") >= 2, "{summary}");
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

/// A recording of this machine with its counts.
struct Recording(PathBuf);

impl Recording {
    fn new(name: &str) -> Recording {
        let name = format!("counterpoint-{name}-{}", std::process::id());
        let recording = Recording(std::env::temp_dir().join(name));
        let output = run(&["doctor", "--record", recording.path(), "--with-counts"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let shown = format!("counterpoint doctor --verify --machine {}", recording.path());
        assert!(stdout(&output).contains(&shown), "{}", stdout(&output));
        recording
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn counts(&self) -> PathBuf {
        self.0.join("counts.jsonl")
    }

    fn verified(&self, options: &[&str]) -> Output {
        run(&[&["doctor", "--verify", "--machine", self.path()], options].concat())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What someone sends is what was measured there, in every form.
#[test]
fn recorded_counts_are_shown_as_they_were_measured() {
    let recording = Recording::new("counts");
    let written = std::fs::read_to_string(recording.counts()).unwrap();
    let output = recording.verified(&["--json"]);
    assert_eq!(stdout(&output), written, "{}", stderr(&output));
    let is_different = written.contains("\"verdict\":\"differs\"");
    assert_eq!(output.status.code(), Some(i32::from(is_different)));
    let text = stdout(&recording.verified(&[]));
    assert!(text.starts_with("What events count of code with known counts, on "), "{text}");
    assert!(text.contains("2,000 of 2,000 in faults"), "{text}");
    let faults = |line: &Value| line["event"] == "page-faults" && line["way"] == "count";
    let lines = written.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let faults = lines.clone().find(faults).unwrap();
    let asked =
        json!([{"type": 1, "config": "0x2", "config1": "0x0", "config2": "0x0", "exclude": "-"}]);
    assert_eq!((&faults["attrs"], &faults["errno"]), (&asked, &Value::Null), "{faults}");
    assert!(faults["enabled_ns"].as_u64() > Some(0), "{faults}");
    assert_eq!(faults["enabled_ns"], faults["running_ns"], "{faults}");
    for line in lines.filter(|line| line["errno"].is_string()) {
        assert!(line["measured"].is_null() && line["reason"].is_string(), "{line}");
    }
}

/// A recording that someone sent may have been changed, or end early.
#[test]
fn damaged_counts_are_refused_at_their_line() {
    let recording = Recording::new("damaged-counts");
    let written = std::fs::read_to_string(recording.counts()).unwrap();
    let first = written.lines().next().unwrap();
    let rest = &written[first.len()..];
    for (damaged, line, what) in [
        (String::new(), 1, "the report ends without its summary"),
        (format!("{first}\n"), 1, "the report ends without its summary"),
        (format!("no{rest}"), 1, "expected ident"),
        (format!("{{}}{rest}"), 1, "not a line of a report of this version"),
        (format!("{written}{written}"), written.lines().count() + 1, "more after the summary"),
        (rest.trim_start().to_string(), written.lines().count() - 1, "the summary is of"),
        (format!("{first}\n{}{rest}", first.replace("\"count\"", "\"c\"")), 2, "unknown way `c`"),
        (format!("{}{rest}", first.replace("\"0x", "\"")), 1, "is not hexadecimal"),
        (format!("{}{rest}", first.replace("\"errno\":null", "\"errno\":\"E\"")), 1, "errno `E`"),
    ] {
        std::fs::write(recording.counts(), &damaged).unwrap();
        let output = recording.verified(&[]);
        assert_eq!(output.status.code(), Some(2), "{damaged}");
        let place = format!("{}:{line}: ", recording.counts().display());
        let said = stderr(&output);
        assert!(said.contains(&place) && said.contains(what), "{what}: {said}");
    }
}

/// Nothing can be counted on a machine that is not here.
#[test]
fn a_recorded_machine_without_counts_cannot_be_verified() {
    let output = run(&["doctor", "--verify", "--machine", "fixtures/machines/amd-zen4"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("fixtures/machines/amd-zen4 has no counts"), "{said}");
    assert!(said.contains("counterpoint doctor --record DIR --with-counts"), "{said}");
    for args in [["--verify", "--record", "target/nowhere"].as_slice(), &["--with-counts"]] {
        let output = run(&[&["doctor"], args].concat());
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("cannot be used with") || said.contains("--record <DIR>"), "{said}");
    }
}

#[test]
fn what_does_not_go_with_a_verification_is_refused() {
    let file = std::env::temp_dir().join(format!("counterpoint-no-folder-{}", std::process::id()));
    std::fs::write(&file, "").unwrap();
    let path = file.to_str().unwrap();
    let below = format!("{path}/below");
    for (args, expected) in [
        (&["--verify", "--with-counts"][..], "'--verify'"),
        (&["--with-counts"], "--record <DIR>"),
        (&["--verify", "--machine", "/nonexistent"], "not a directory with a recorded machine"),
        (&["--record", path], "it is not a directory"),
        (&["--record", &below], "it is not a directory"),
    ] {
        let output = run(&[&["doctor"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
    std::fs::remove_file(file).unwrap();
}
