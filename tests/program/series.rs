//! `stat -I --plot` and `--html`.

use crate::{run, stderr};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const WORK: &str = "for i in 1 2 3; do /bin/true; sleep 0.06; done";

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The data of a page.
pub(crate) fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn intervals_are_bars_and_a_line_at_the_end() {
    let output = run(&["stat", "-I", "50", "--plot", "-e", "task-clock", "sh", "-c", WORK]);
    let text = stderr(&output);
    let bars: Vec<&str> = text.lines().filter(|line| line.ends_with('█')).collect();
    assert!(bars.iter().any(|line| line.contains("msec task-clock")), "{text}");
    let last = text.lines().rfind(|line| !line.is_empty()).unwrap();
    assert!(
        last.starts_with(" task-clock  ") && last.contains('█') && last.contains(" … "),
        "{text}"
    );
    let refused = run(&["stat", "--plot", "true"]);
    assert!(stderr(&refused).contains("a plot needs intervals\n  help: counterpoint stat -I 1000"));
}

#[test]
fn a_page_has_the_numbers_of_the_json_and_needs_no_network() {
    let page = scratch("series.html");
    let args = ["stat", "-I", "50", "--json", "-e", "task-clock,page-faults", "--html"];
    let output = run(&[&args[..], &[page.to_str().unwrap(), "--", "sh", "-c", WORK]].concat());
    let rows: Vec<Value> = crate::rows(&output).0;
    let page = fs::read_to_string(page).unwrap();
    for reference in ["http:", "https:", " src=", "@import", "url("] {
        let hits = page.matches(reference).count();
        // The name of a drawing's language looks like an address.
        let names = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(hits, if reference == "http:" { names } else { 0 }, "{reference}");
    }
    let data = data(&page);
    let sections = data["sections"].as_array().unwrap();
    let of_kind =
        |kind: &'static str| sections.iter().filter(move |section| section["kind"] == kind);
    let values = of_kind("table").find(|section| section["title"] == "Values").unwrap();
    let drawn: Vec<Option<f64>> =
        values["rows"].as_array().unwrap().iter().map(|row| row[3]["value"].as_f64()).collect();
    let expected: Vec<Option<f64>> = rows.iter().map(|row| row["value"].as_f64()).collect();
    assert_eq!(drawn, expected);
    for event in ["task-clock", "page-faults"] {
        let chart = of_kind("lines").find(|section| section["title"] == event).unwrap();
        let line: Vec<Option<f64>> =
            chart["series"][0]["values"].as_array().unwrap().iter().map(Value::as_f64).collect();
        let unit = if event == "task-clock" { "CPUs" } else { "per second" };
        assert_eq!(chart["unit"], unit);
        // A count in an interval is a rate, whatever the length of the last one is.
        let mut begin = 0.0;
        for (drawn, row) in line.iter().zip(rows.iter().filter(|row| row["event"] == event)) {
            let end = row["interval_s"].as_f64().unwrap();
            let factor = if event == "task-clock" { 1e-9 } else { 1.0 };
            // A last interval in which the command did not run has no value.
            let rate = row["value"].as_f64().map(|value| value * factor / (end - begin));
            assert_eq!(drawn.is_some(), rate.is_some(), "{row}: {drawn:?}");
            if let (Some(drawn), Some(rate)) = (drawn, rate) {
                assert!((drawn - rate).abs() <= 1e-9 * rate.abs(), "{row}: {drawn}");
            }
            begin = end;
        }
    }
}

/// A command may hold what ends a script, and a page shows it as text.
#[test]
fn a_page_shows_any_command_as_text() {
    let page = scratch("hostile.html");
    let name = page.to_str().unwrap();
    let word = "</script><script>alert(1)</script>";
    run(&["stat", "-e", "page-faults", "--html", name, "--", "echo", word]);
    let text = fs::read_to_string(page).unwrap();
    assert!(!text.contains("<script>alert"), "{text}");
    assert!(data(&text)["title"].as_str().unwrap().contains(word));
}

#[test]
fn a_page_says_what_was_not_counted() {
    let page = scratch("missing.html");
    let args = ["stat", "--json", "--html", page.to_str().unwrap(), "--", "true"];
    let rows: Vec<Value> = crate::rows(&run(&args)).0;
    let data = data(&fs::read_to_string(page).unwrap());
    let drawn = data["sections"][0]["rows"].as_array().unwrap();
    assert_eq!(drawn.len(), rows.len());
    for (row, drawn) in rows.iter().zip(drawn) {
        let cell = &drawn[2];
        assert_eq!(cell["value"].as_f64(), row["value"].as_f64(), "{row}");
        assert_eq!(cell["title"], row["reason"], "{row}");
    }
}

#[test]
fn a_page_of_ranks_has_their_regions_over_time() {
    let process = r#""schema":1,"rank":0,"host":"n","pid":1"#;
    let row = format!(
        r#"{{{process},"region":"solve","calls":1,"event":"task-clock","value":5,"status":"counted","unit":"ns","raw":5}}"#
    );
    let line = |end: f64| {
        format!(
            r#"{{{process},"thread":7,"timeline":{{"began_s":1.0,"regions":["io","solve"],"visits":[[0,0.25,0.5],[1,0.0,{end}]],"left_out":2}}}}"#
        )
    };
    let (report, page) = (scratch("timeline.jsonl"), scratch("timeline.html"));
    // A program that reports twice reports all that it has.
    fs::write(&report, [row.as_str(), &line(0.9), &line(1.0)].join("\n")).unwrap();
    let merge = ["merge", "--html", page.to_str().unwrap(), report.to_str().unwrap()];
    let output = run(&merge);
    assert!(output.status.success(), "{}", stderr(&output));
    let data = data(&fs::read_to_string(&page).unwrap());
    let sections = data["sections"].as_array().unwrap();
    let timeline = sections.iter().find(|section| section["kind"] == "timeline").unwrap();
    let lanes = serde_json::json!([
        { "name": "rank 0 on n thread 7", "spans": [[0.0, 1.0, 1, 0], [0.25, 0.5, 0, 1]] }
    ]);
    assert_eq!(timeline["lanes"], lanes, "the outer region is drawn first");
    assert!(data["notes"].to_string().contains("2 visits of regions are not in the timeline"));

    fs::write(&report, format!("{row}\n{}", line(1.0).replace("[[0,", "[[9,"))).unwrap();
    let refused = run(&merge);
    assert!(stderr(&refused).contains("line 2: a visit of a region that is not listed"));
}
