//! The rows of a line.

use crate::{LINES, rows};
use counterpoint_report::table::{Column, Report, Row};

fn of_kind<'a>(rows: &'a [Row<'static>], kind: &str) -> Vec<&'a Row<'static>> {
    rows.iter().filter(|row| row[Column::Kind].text() == Some(kind)).collect()
}

/// Returns the error of a line.
fn error(line: &str) -> String {
    Report::new("").line(line, |_| ()).unwrap_err().to_string()
}

#[test]
fn the_runs_of_a_value_are_rows() {
    let rows = rows(LINES);
    let runs: Vec<_> = of_kind(&rows, "run")
        .into_iter()
        .filter(|row| row[Column::Event].text() == Some("page-faults"))
        .map(|row| (row[Column::Run].integer(), row[Column::Whole].integer()))
        .collect();
    assert_eq!(runs, [(Some(1), Some(50)), (Some(2), Some(49)), (Some(3), Some(47))]);
    let not_measured = of_kind(&rows, "run")
        .into_iter()
        .filter(|row| row[Column::Event].text() == Some("cycles"))
        .all(|row| {
            row[Column::Value].is_null() && row[Column::Status].text() == Some("not-supported")
        });
    assert!(not_measured);
}

#[test]
fn the_members_of_a_sum_are_rows() {
    let rows = rows(LINES);
    let members: Vec<_> = of_kind(&rows, "member")
        .into_iter()
        .map(|row| (row[Column::Report].text(), row[Column::Value].real()))
        .collect();
    assert_eq!(members, [(Some("r1.jsonl"), Some(49.0)), (Some("r2.jsonl"), Some(126.0))]);
}

#[test]
fn the_functions_of_a_profile_are_rows() {
    let rows = rows(LINES);
    let functions = of_kind(&rows, "function");
    let first = functions.first().unwrap();
    assert_eq!(first[Column::Function].text(), Some("[stripped]"));
    assert_eq!(first[Column::Module].text(), Some("dash"));
    assert_eq!(first[Column::Value].real(), Some(33.0));
    assert_eq!(first[Column::Unit].text(), Some("samples"));
    assert_eq!(first[Column::Percent].real(), Some(44.0));
    let thread = of_kind(&rows, "thread");
    assert_eq!(thread[0][Column::Comm].text(), Some("sh"));
    assert_eq!(thread[0][Column::Thread].integer(), Some(653));
    assert_eq!(of_kind(&rows, "line")[0][Column::Line].integer(), Some(295));
}

#[test]
fn intervals_follow_each_other() {
    let rows = rows(LINES);
    let faults = rows.iter().filter(|row| row[Column::Event].text() == Some("page-faults:u"));
    let intervals: Vec<_> = faults
        .map(|row| (row[Column::IntervalStart].real(), row[Column::IntervalEnd].real()))
        .collect();
    assert_eq!(intervals[0], (Some(0.0), Some(0.020335103)));
    assert_eq!(intervals[1].0, Some(0.020335103));
}

#[test]
fn a_scaled_value_says_by_how_much() {
    let rows = rows(LINES);
    let cycles = rows.iter().find(|row| row[Column::Status].text() == Some("estimated")).unwrap();
    assert_eq!(cycles[Column::Scale].real(), Some(2.0));
    assert_eq!(cycles[Column::Whole].integer(), Some(9_007_199_254_740_993));
    assert_eq!(cycles[Column::Report].text(), Some("a.jsonl"));
}

#[test]
fn a_summary_has_its_process() {
    let rows = rows(LINES);
    let summary = of_kind(&rows, "summary")[0];
    assert_eq!(summary[Column::Host].text(), Some("node1"));
    assert!(summary[Column::Rest].text().unwrap().starts_with("{\"summary\":{"));
}

#[test]
fn what_was_not_measured_has_no_value() {
    let both = r#"{"schema":1,"event":"e","value":3,"status":"not-counted","unit":null}"#;
    assert_eq!(error(both), "the event was not counted, but it has a `value`");
    let neither = r#"{"schema":1,"event":"e","value":null,"status":"counted","unit":null}"#;
    assert_eq!(error(neither), "the event was counted, but it has no `value`");
    let unknown = r#"{"schema":1,"event":"e","value":1,"status":"guessed"}"#;
    assert_eq!(error(unknown), "`status` is \"guessed\", which is not known");
}

#[test]
fn a_wrong_line_says_what_is_wrong() {
    assert_eq!(
        error("{\"schema\":2,\"event\":\"e\"}"),
        "version 2 of the format, where version 1 is read"
    );
    assert_eq!(error("{\"event\":\"e\"}"), "not a line of a report: it has no `schema`");
    assert_eq!(error("{\"schema\":1}"), "not a line of a report: it has no `event`");
    assert_eq!(
        error("{\"schema\":1,\"cpu\":1.5}"),
        "`cpu` is this number, where a whole number belongs"
    );
    assert_eq!(error("{\"schema\":1,\"cpu\":\"0\"}"), "`cpu` is a text, where a number belongs");
    assert_eq!(error("{\"schema\":1,\"host\":3}"), "`host` is this number, where a text belongs");
    assert_eq!(error("{\"schema\":1,\"host\":\"a\",\"host\":\"b\"}"), "`host` is there twice");
    assert_eq!(error("[1]"), "not an object");
    assert_eq!(error("{\"schema\":1,"), "not JSON from column 12 on");
}

/// A row that is read as a structure, and not as one of the table.
#[test]
fn a_key_that_is_there_twice_or_is_missing_is_an_error() {
    use counterpoint_report::Row;
    let row = |keys: &str| serde_json::from_str::<Row>(&format!("{{{keys}}}"));
    let whole = r#""schema":1,"event":"faults","status":"counted","value":3,"host":"a","cpu":2"#;
    let read = row(whole).unwrap();
    assert_eq!((read.process.host.as_deref(), read.location.cpu), (Some("a"), Some(2)));
    for key in [r#""event":"x""#, r#""host":"b""#, r#""cpu":3"#, r#""value":4"#] {
        let error = row(&format!("{whole},{key}")).unwrap_err().to_string();
        assert!(error.contains("duplicate field"), "{key}: {error}");
    }
    for key in ["schema", "event", "status"] {
        let error = row(&whole.replace(&format!("\"{key}\""), "\"other\"")).unwrap_err();
        assert!(error.to_string().contains(&format!("missing field `{key}`")), "{key}: {error}");
    }
    let runs = row(&format!(r#"{whole},"runs":2,"values":[1,null]"#)).unwrap().runs.unwrap();
    assert_eq!((runs.runs, runs.values.len()), (2, 2));
    assert_eq!(row(&format!(r#"{whole},"runs":2"#)).unwrap().runs, None);
}
