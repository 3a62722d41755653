//! `counterpoint merge` of the reports of PAPI's high-level API; those of the seeds are written by PAPI 7.0 and, shortened, by PAPI 6.0.

use crate::merge::{Reports, lines};
use crate::{root, run, stderr, stdout};
use serde_json::{Value, json};

fn seed(name: &str) -> String {
    std::fs::read_to_string(root().join("crates/cli/fuzz/seeds/reports").join(name)).unwrap()
}

/// Merges these files of a directory; returns the status, the objects, and the messages.
fn merged(name: &str, files: &[(&str, &str)]) -> (i32, Vec<Value>, String) {
    let (reports, _) = Reports::new(name, &[]);
    for (file, text) in files {
        std::fs::write(reports.0.join(file), text).unwrap();
    }
    let output = run(&["merge", "--json", &reports.0.display().to_string()]);
    (output.status.code().unwrap(), lines(&stdout(&output)), stderr(&output))
}

fn row<'l>(lines: &'l [Value], region: &str, event: &str) -> &'l Value {
    let is_it = |line: &&Value| line["region"] == region && line["event"] == event;
    lines.iter().find(is_it).unwrap_or_else(|| panic!("{region} {event}: {lines:?}"))
}

#[test]
fn regions_of_papi_are_merged() {
    let slow = seed("papi-7").replace("\"sde:::demo::steps\":\"5\"", "\"sde:::demo::steps\":\"9\"");
    let files = [("rank_000000.json", &*seed("papi-7")), ("rank_000012.json", &slow)];
    let (code, lines, error) = merged("papi-7", &files);
    assert_eq!((code, error.as_str()), (0, ""));
    // Two threads, each of which ran it once.
    let io = row(&lines, "io", "sde:::demo::steps");
    assert_eq!((&io["value"], &io["calls"]), (&json!(10 + 18), &json!(4)), "{io}");
    assert_eq!((&io["min_rank"], &io["max_rank"], &io["max"]), (&json!(0), &json!(12), &json!(18)));
    // Two calls, whose reads in between are left out.
    let solve = row(&lines, "solve", "sde:::demo::steps");
    assert_eq!((&solve["value"], &solve["calls"]), (&json!(2 * 22), &json!(4)), "{solve}");
    let time = row(&lines, "solve", "real_time_nsec");
    assert_eq!((&time["unit"], &time["min"]), (&json!("ns"), &json!(4009 + 2592)), "{time}");
    // Wall times have no sum; that of two threads is the longest.
    let time = row(&lines, "io", "real_time_nsec");
    assert_eq!((&time["value"], &time["max"]), (&Value::Null, &json!(586)), "{time}");
    let reason = "wall times do not add up, as the processes run at the same time";
    assert_eq!((&time["reason"], &time["mean"]), (&json!(reason), &json!(586.0)), "{time}");
    assert_eq!(row(&lines, "io", "real_cyc")["max"], 2760);
    // A state has no sum.
    let level = row(&lines, "io", "sde:::demo::level");
    assert_eq!((&level["value"], &level["mean"]), (&Value::Null, &json!(7.0)), "{level}");
}

#[test]
fn processes_of_one_rank_are_of_that_rank() {
    let files =
        [("rank_000003.json", &*seed("papi-7")), ("rank_000003-4711.json", &*seed("papi-7"))];
    let (code, lines, error) = merged("papi-7-twice", &files);
    assert!(code == 0 && error.contains("both of rank 3, and are added up"), "{error}");
    let io = row(&lines, "io", "sde:::demo::steps");
    assert_eq!((&io["value"], &io["calls"]), (&json!(20), &json!(4)), "{io}");
    assert_eq!((&io["min_rank"], &io["max_rank"]), (&json!(3), &json!(3)), "{io}");
}

#[test]
fn regions_of_papi_6_are_arrays() {
    let (code, lines, error) = merged("papi-6", &[("rank_0003", &seed("papi-6"))]);
    assert_eq!((code, error.as_str()), (0, ""));
    let clock = row(&lines, "io", "perf::TASK-CLOCK");
    assert_eq!((&clock["value"], &clock["calls"]), (&json!(2000), &json!(2)), "{clock}");
    let solve = row(&lines, "solve", "real_cyc");
    assert_eq!((&solve["value"], &solve["max"]), (&Value::Null, &json!(18432)), "{solve}");
    assert_eq!(solve["per_rank"][0]["rank"], 3);
}

#[test]
fn a_broken_report_of_papi_is_named_with_its_line() {
    let whole = seed("papi-7");
    let cut = &whole[..whole.find("\"inner\"").unwrap()];
    let files = [("rank_000000.json", &*whole), ("rank_000001.json", cut)];
    let (code, lines, error) = merged("papi-cut", &files);
    assert_eq!(code, 2);
    let line = cut.lines().count();
    let says = format!("rank_000001.json: line {line}: not a report of PAPI: EOF");
    assert!(error.contains(&says), "{error}");
    assert_eq!(lines.last().unwrap()["summary"]["reports"], 1, "the other one is merged");
    for (text, says) in [
        (
            r#"{"threads":{"0":{"regions":{"0":{"cycles":"1"}}}}}"#,
            "line 1: not a report of PAPI: a region has no name",
        ),
        (
            r#"{"threads":{"0":{"regions":{"0":{"name":"a","cycles":"x"}}}}}"#,
            "in region `a`, `cycles` is not a number",
        ),
        (r#"{"threads":7}"#, "line 1: not a report of PAPI: invalid type: integer `7`"),
        (r#"{"threads":[]}"#, "it does not contain a report"),
    ] {
        let (code, _, error) = merged("papi-wrong", &[("rank_000000.json", text)]);
        assert!(code == 2 && error.contains(says), "{text}: {error}");
    }
}
