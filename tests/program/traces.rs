//! Traces for Perfetto and chrome://tracing: `stat --format perfetto` and `merge --perfetto`.

use crate::merge::Reports;
use crate::{run, stderr, stdout};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Returns the events of a trace, after a check that each has what its phase needs.
fn events(text: &str) -> Vec<Value> {
    let trace: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(trace["otherData"]["began_s"].is_f64(), "{text}");
    let events = trace["traceEvents"].as_array().unwrap().clone();
    for event in &events {
        assert!(event["pid"].as_u64().is_some_and(|pid| pid > 0), "{event}");
        assert!(event["name"].is_string(), "{event}");
        let has_times = |keys: &[&str]| keys.iter().all(|key| event[*key].as_f64() >= Some(0.0));
        match event["ph"].as_str().unwrap() {
            "M" => assert!(event["args"]["name"].is_string(), "{event}"),
            "X" => assert!(event["tid"].is_u64() && has_times(&["ts", "dur"]), "{event}"),
            "C" => {
                let values = event["args"].as_object().unwrap();
                assert!(values.len() == 1 && values.values().all(Value::is_number), "{event}");
                assert!(has_times(&["ts"]), "{event}");
            }
            other => panic!("{other}: {event}"),
        }
    }
    events
}

#[test]
fn an_interval_is_a_step_of_the_track_of_its_event() {
    // Something runs in each of the first intervals, so that each has a value.
    let work = "for i in 1 2 3 4; do /bin/true; sleep 0.06; done";
    let args = ["-I", "50", "-e", "task-clock,page-faults", "--", "sh", "-c", work];
    let text = stdout(&run(&[&["stat", "--format", "perfetto"], &args[..]].concat()));
    let mut tracks: HashMap<String, Vec<(f64, f64)>> = HashMap::new();
    for event in events(&text).iter().filter(|event| event["ph"] == "C") {
        let (unit, value) = event["args"].as_object().unwrap().iter().next().unwrap();
        let track = format!("{} {unit}", event["name"].as_str().unwrap());
        let step = (event["ts"].as_f64().unwrap(), value.as_f64().unwrap());
        tracks.entry(track).or_default().push(step);
    }
    let mut names: Vec<&String> = tracks.keys().collect();
    names.sort();
    assert_eq!(names, ["page-faults value", "task-clock ns"]);
    for (name, steps) in &tracks {
        assert!(steps.len() >= 3, "{name}: {steps:?}");
        assert_eq!(steps[0].0, 0.0, "the first interval begins when counting begins");
        assert!(steps.is_sorted_by(|one, two| one.0 <= two.0), "{name}: {steps:?}");
        let [.., (_, last), (_, end)] = steps[..] else { panic!("{steps:?}") };
        assert_eq!(last, end, "the last interval is drawn to its end");
        // Intervals of 50 ms, as far as a busy machine keeps them.
        assert!(steps[1].0 >= 50_000.0, "{name}: {steps:?}");
    }
}

#[test]
fn a_trace_needs_intervals_and_a_file_of_its_own() {
    let refused = run(&["stat", "--format", "perfetto", "true"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("a trace needs intervals"), "{}", stderr(&refused));
    let file = std::env::temp_dir().join("counterpoint-appended-trace.json");
    let (format, file) = (["--format", "perfetto"], file.to_str().unwrap());
    let args = ["stat", "-I", "50", "--append", "-o", file, "true"];
    let refused = run(&[&args[..1], &format, &args[1..]].concat());
    assert!(stderr(&refused).contains("a file has one trace"), "{}", stderr(&refused));
    assert!(!std::path::Path::new(file).exists());
}

#[test]
fn ranks_are_processes_with_a_track_for_each_thread() {
    let line = |rank: u32, host: &str, thread: u32, timeline: Value| {
        json!({ "schema": 1, "rank": rank, "host": host, "pid": 5, "thread": thread, "timeline": timeline }).to_string()
            + "\n"
    };
    let visits = json!([[0, 0.25, 0.5], [1, 0.0, 0.5]]);
    let of = |began: f64, left_out: u32| json!({ "began_s": began, "regions": ["i\"o", "solve"], "visits": visits, "left_out": left_out });
    let first = line(0, "a", 7, of(100.5, 0)) + &line(0, "a", 8, of(100.5, 2));
    let second = line(1, "b", 7, of(101.0, 0));
    let (_reports, files) = Reports::new("traces", &[&first, &second]);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = run(&[&["merge", "--perfetto"], &files[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 visits of regions are not in the trace"));
    let events = events(&stdout(&output));
    let names = |kind: &str| -> Vec<(u64, Value, Value)> {
        let of_kind = events.iter().filter(|event| event["name"] == kind);
        let key = |event: &Value| (event["pid"].as_u64().unwrap(), event["tid"].clone());
        of_kind.map(|event| (key(event).0, key(event).1, event["args"]["name"].clone())).collect()
    };
    let processes =
        [(1, Value::Null, json!("rank 0 on a")), (2, Value::Null, json!("rank 1 on b"))];
    assert_eq!(names("process_name"), processes, "the same process id on two hosts is no clash");
    let thread = |pid, tid: u32| (pid, json!(tid), json!(format!("thread {tid}")));
    assert_eq!(names("thread_name"), [thread(1, 7), thread(1, 8), thread(2, 7)]);
    let of_second: Vec<Value> = (events.iter())
        .filter(|event| event["ph"] == "X" && event["pid"] == 2)
        .map(|event| json!([event["name"], event["ts"], event["dur"]]))
        .collect();
    let expected = [json!(["solve", 500_000, 500_000]), json!(["i\"o", 750_000, 250_000])];
    assert_eq!(of_second, expected, "times are since the first rank began, and the outer is first");
}

#[test]
fn reports_without_a_timeline_are_no_trace() {
    let row = r#"{"schema":1,"rank":0,"event":"cycles","value":5,"status":"counted","unit":null}"#;
    let (_reports, files) = Reports::new("no-traces", &[row]);
    let output = run(&["merge", "--perfetto", &files[0]]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).is_empty());
    assert!(stderr(&output).contains("no report has a timeline"), "{}", stderr(&output));
}
