//! Benchmarks whose counts are known.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it should do")]

use counterpoint_criterion::Events;
use counterpoint_fixtures::touch;
use criterion::Criterion;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// The mean of a benchmark for one call, from criterion's files.
fn mean(events: Events, name: &str, work: fn()) -> f64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("criterion");
    Criterion::default()
        .with_measurement(events)
        .output_directory(&folder)
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(20))
        .measurement_time(Duration::from_millis(100))
        .bench_function(name, |b| b.iter(work));
    let text = std::fs::read(folder.join(name).join("new/estimates.json")).unwrap();
    let estimates: Value = serde_json::from_slice(&text).unwrap();
    estimates["mean"]["point_estimate"].as_f64().unwrap()
}

#[test]
fn counts_are_those_of_one_call() {
    let events = Events::new("page-faults").unwrap();
    let mean = mean(events, "touch-7", || touch(7));
    assert!((6.99..7.2).contains(&mean), "{mean}");
}

/// The file in which the example says what criterion measures.
fn report() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("sums.jsonl")
}

/// The output of the example, whose benchmarks are written for criterion.
fn sums(events: &str) -> Output {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples/sums");
    if !path.exists() {
        // `cargo test` has built it, unless it was asked for this test alone.
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "-q", "-p", "counterpoint-criterion", "--example", "sums"]);
        assert!(cargo.status().unwrap().success());
    }
    let times = ["--warm-up-time", "0.05", "--measurement-time", "0.1"];
    let mut program = Command::new(path);
    program.arg("--bench").args(times).env("COUNTERPOINT_BENCH", events);
    program.env("CRITERION_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("criterion-sums"));
    program.env("COUNTERPOINT_BENCH_REPORT", report());
    program.output().unwrap()
}

#[test]
fn benchmarks_of_criterion_measure_what_the_variable_names() {
    let _ = std::fs::remove_file(report());
    let output = sums("no-such-event|task-clock nor-this|page-faults cpu_utilization");
    let reported = std::fs::read_to_string(report()).unwrap();
    let row: Value = serde_json::from_str(reported.trim()).unwrap();
    assert_eq!((&row["event"], &row["unit"]), (&"task-clock".into(), &"ns".into()));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Measured: task-clock, because no-such-event cannot be"), "{text}");
    for part in [
        "Beside it: page-faults, because nor-this cannot be",
        "sum/100 ",
        "sum/1000 ",
        "elem/s",
        "duration_time",
        "cpu_utilization",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let beside = text.find("  page-faults").unwrap();
    assert!(beside < text.find("sum/100  ").unwrap(), "it is above the line:\n{text}");
    let output = sums("no-such-event");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("COUNTERPOINT_BENCH=\"no-such-event\": "), "{error}");
}

#[test]
fn the_first_choice_that_can_be_counted_is_measured() {
    let events = Events::new("no-such-event|task-clock").unwrap();
    let events = events.beside("nor-this|page-faults").unwrap().beside("cpu_utilization").unwrap();
    let mean = mean(events, "clock", || touch(1));
    assert!(mean > 100.0, "{mean} ns for a system call and a fault");
    // A ratio does not add up over calls.
    assert!(Events::new("cpu_utilization").is_err());
    let error = Events::new("no-such-event").unwrap_err().to_string();
    assert!(error.contains("no-such-event: "), "{error}");
}
