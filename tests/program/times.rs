//! Times that are named like events, in every format of `stat`.

use crate::{rows, run, stderr, stdout};
use std::fs;
use std::path::PathBuf;

const TIMES: &str = "duration_time,user_time,system_time";

#[test]
fn times_are_rows_like_others() {
    let output = run(&["stat", "--json", "-e", TIMES, "--", "sleep", "0.1"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let (rows_of, summary) = rows(&output);
    assert_eq!(rows_of.len(), 3);
    for row in &rows_of {
        assert_eq!((row["unit"].as_str(), row["status"].as_str()), (Some("ns"), Some("counted")));
        assert!(row.get("raw").is_none() && row.get("enabled_ns").is_none(), "{row}");
    }
    let seconds = |row: usize| rows_of[row]["value"].as_f64().unwrap() / 1e9;
    assert!((0.1..1.0).contains(&seconds(0)), "{} s", seconds(0));
    let summary = &summary["summary"];
    // The program's own clock begins a little earlier, and ends a little later.
    let elapsed = summary["elapsed_s"].as_f64().unwrap();
    assert!((seconds(0) - elapsed).abs() < 0.05, "{} s of {elapsed} s", seconds(0));
    for (row, key) in [(1, "user_s"), (2, "sys_s")] {
        assert!((seconds(row) - summary[key].as_f64().unwrap()).abs() < 1e-6, "{key} {summary}");
    }
    let text = run(&["stat", "-e", "duration_time", "--", "sleep", "0.1"]);
    assert!(stderr(&text).contains("msec duration_time"), "{}", stderr(&text));
    let csv = stdout(&run(&["stat", "--csv", "-o", "/dev/stdout", "-e", TIMES, "--", "true"]));
    let row = csv.lines().find(|line| line.starts_with("user_time,")).unwrap();
    assert!(row.contains(",counted,ns,,,,1,"), "{row}");
}

#[test]
fn runs_are_averaged_and_intervals_add_up() {
    let output = run(&["stat", "--json", "-r", "3", "-e", "duration_time", "--", "sleep", "0.05"]);
    let row = &rows(&output).0[0];
    assert_eq!(row["runs"], 3, "{row}");
    let values: Vec<f64> =
        row["values"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert!(values.iter().all(|ns| (0.05e9..1e9).contains(ns)), "{values:?}");
    let mean = values.iter().sum::<f64>() / 3.0;
    assert!((row["value"].as_f64().unwrap() - mean).abs() < 1.0, "{row}");

    let output = run(&["stat", "--json", "-I", "50", "-e", "duration_time", "--", "sleep", "0.3"]);
    let (intervals, summary) = rows(&output);
    assert!(intervals.len() >= 3, "{intervals:?}");
    let sum: f64 = intervals.iter().map(|row| row["value"].as_f64().unwrap()).sum();
    let elapsed = summary["summary"]["elapsed_s"].as_f64().unwrap() * 1e9;
    assert!((sum - elapsed).abs() < 0.05e9, "{sum} of {elapsed} ns");
}

#[test]
fn a_time_of_another_target_has_a_reason() {
    let output = run(&["stat", "--json", "-t", "1", "--timeout", "50", "-e", TIMES]);
    if !output.status.success() {
        println!("skipped: the first thread of the machine may not be examined");
        return;
    }
    let (rows, _) = rows(&output);
    assert!(rows[0]["value"].as_f64().unwrap() >= 50e6, "{}", rows[0]);
    assert!(rows[1]["value"].is_null(), "{}", rows[1]);
    assert!(rows[1]["reason"].as_str().unwrap().contains("without them"), "{}", rows[1]);
}

#[test]
fn what_times_are_is_shown_and_planned_and_not_encoded() {
    let shown = stdout(&run(&["show", "duration_time"]));
    assert!(shown.contains("it is measured, and needs no counter"), "{shown}");
    let json = stdout(&run(&["show", "--json", "tool/user_time/"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["kind"], &json["name"]), (&"tool".into(), &"user_time".into()));
    let plan = stdout(&run(&["plan", "duration_time"]));
    assert_eq!(plan, "no counter needed: duration_time\n");
    for args in [&["encode", "duration_time"][..], &["encode", "--perf-syntax", "duration_time"]] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1));
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains("it needs no counter, and has no encoding"), "{text}");
    }
    let profile = run(&["profile", "-e", "duration_time", "--", "true"]);
    let text = stderr(&profile);
    assert!(!profile.status.success() && text.contains("is measured"), "{text}");
}

#[test]
fn a_recording_has_what_the_processor_says_of_itself() {
    let at = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("recorded-cpuid");
    let _ = fs::remove_dir_all(&at);
    let output = run(&["doctor", "--record", at.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(at.join("cpuid.tsv").is_file(), cfg!(target_arch = "x86_64"));
    let local = counterpoint::Machine::new(counterpoint::perf::Host::local());
    let recorded = counterpoint::Machine::new(counterpoint::perf::Host::recorded(&at).unwrap());
    for name in counterpoint::Machine::value_names() {
        let number = |machine: &counterpoint::Machine| {
            machine.value(name).unwrap().ok().map(|value| value.value)
        };
        // The clock rate is the present one where cpufreq does not show the highest.
        if name != "#" {
            assert_eq!(number(&recorded), number(&local), "{name}");
        }
    }
    fs::remove_dir_all(&at).unwrap();
}
