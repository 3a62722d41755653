//! `counterpoint eval --batch`: every line gets one answer.

use crate::{run, run_on, stderr, stdout};
use serde_json::{Value, json};

fn answers(lines: &[&str]) -> Vec<Value> {
    let text = lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    answers_to(text.as_bytes())
}

fn answers_to(text: &[u8]) -> Vec<Value> {
    let output = run_on(text, &["eval", "--batch"]);
    assert!(output.status.success());
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn values_are_exact_where_they_can_be() {
    let answers = answers(&[
        r#"{"formula":"N0-N1-N2","inputs":[10,3,2]}"#,
        r#"{"formula":"N0|N1|/|","syntax":"postfix","inputs":[9007199254740993,1]}"#,
        r#"{"formula":"N0/N1","inputs":[1,3]}"#,
        r#"{"formula":"delta-cycles delta-seconds /","syntax":"rpn","inputs":{"delta-cycles":-5,"delta-seconds":0.5,"unused":1}}"#,
        r##"{"formula":"N0*#","inputs":{"N0":2,"#":3}}"##,
        r#"{"formula":"N0*2","inputs":[1e3]}"#,
        r#"{"formula":"N0*2","inputs":[1e16]}"#,
    ]);
    assert_eq!((&answers[5]["exact"], answers[6].get("exact")), (&json!("2000"), None));
    for (value, exact) in [("1e3", "2000"), ("2.5", "no"), ("-4.0", "-8"), ("1e16", "no")] {
        let shown = stdout(&run(&["eval", "N0*2", &format!("N0={value}")]));
        assert!(shown.contains(&format!("\nexact    {exact}")), "{value}: {shown}");
    }
    assert_eq!(answers[0], json!({"ok": true, "value": 5, "exact": "5"}));
    assert_eq!(answers[1]["exact"], "9007199254740993");
    assert_eq!(answers[2], json!({"ok": true, "value": 1.0 / 3.0}));
    assert_eq!(answers[3]["value"], -10.0);
    assert_eq!(answers[4]["exact"], "6");
}

#[test]
fn every_mistake_has_a_kind_and_a_place() {
    let cases = [
        (r#"{"formula":"N0/N1","inputs":[1,0]}"#, "division-by-zero", json!([2, 3])),
        (r#"{"formula":"sqrt(N0)","inputs":[-1]}"#, "domain", json!([0, 4])),
        (r#"{"formula":"1e308*N0","inputs":[1e10]}"#, "domain", json!([5, 6])),
        (r#"{"formula":"N0+N2","inputs":[1,2]}"#, "bad-index", json!([3, 5])),
        (r##"{"formula":"#*N2","inputs":{"#":2}}"##, "bad-index", json!([2, 4])),
        (r#"{"formula":"`N01`+N0","inputs":[1,2]}"#, "syntax", json!([0, 5])),
        (r#"{"formula":"N0+cycles","inputs":[1,2]}"#, "syntax", json!([3, 9])),
        (r#"{"formula":"N0+cycles","inputs":{"N0":1}}"#, "missing-input", json!([3, 9])),
        (r##"{"formula":"N0*#","inputs":[1,2]}"##, "missing-input", json!([3, 4])),
        (r#"{"formula":"(N0","inputs":[1]}"#, "syntax", json!([0, 1])),
        (r#"{"formula":"","inputs":[1]}"#, "empty", json!([0, 0])),
        (r#"{"formula":"N0|+|","syntax":"postfix","inputs":[1]}"#, "underflow", json!([3, 4])),
        (r#"{"formula":"N0","syntax":"polish","inputs":[1]}"#, "json", Value::Null),
        (r#"{"formula":"N0","inputs":["1"]}"#, "json", json!([0, 2])),
        ("", "json", Value::Null),
        ("no JSON", "json", Value::Null),
    ];
    let lines: Vec<&str> = cases.iter().map(|(line, ..)| *line).collect();
    let answers = answers(&lines);
    assert_eq!(answers.len(), cases.len());
    for ((line, kind, span), answer) in cases.iter().zip(&answers) {
        assert_eq!(answer["ok"], false, "{line}");
        assert_eq!(answer["error"]["kind"], *kind, "{line}: {answer}");
        assert_eq!(answer["error"]["span"], *span, "{line}: {answer}");
    }
}

#[test]
fn hostile_lines_are_answered_as_others_are() {
    let deep = format!("{}1{}", "(".repeat(300_000), ")".repeat(300_000));
    let doubled = format!("A {}", "dup * ".repeat(64));
    let mut lines = Vec::new();
    for (formula, syntax) in [(&deep, "infix"), (&doubled, "rpn")] {
        let request = json!({"formula": formula, "syntax": syntax, "inputs": {"A": 1}});
        lines.extend(format!("{request}\n").bytes());
    }
    lines.extend(format!("{}\n", "[".repeat(100_000)).bytes());
    lines.extend(b"{\"formula\":\"N0\xff\",\"inputs\":[1]}\r\n");
    lines.extend(b"{\"formula\":\"1+1\"}");
    let answers = answers_to(&lines);
    let kinds: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["kind"]).collect();
    assert_eq!(
        kinds,
        [&Value::Null, &json!("limit"), &json!("json"), &json!("json"), &Value::Null]
    );
    assert_eq!((&answers[0]["exact"], &answers[4]["exact"]), (&json!("1"), &json!("2")));
}

#[test]
fn what_has_no_value_is_marked_in_the_formula() {
    let output = run(&["eval", "N0+1/(N1-N1)", "N0=1", "N1=2"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains("division by zero\n  N0+1/(N1-N1)\n      ^\n"), "{text}");
}

/// Numbers of JSON are read to their last digit, and powers are the nearest doubles.
#[test]
fn a_batch_keeps_every_digit() {
    let lines = "{\"formula\":\"N0\",\"inputs\":[993149.5148470127]}\n{\"formula\":\"N0^N1\",\"inputs\":[993149.5148470127,5.642277851346886]}\n";
    let output = run_on(lines.as_bytes(), &["eval", "--batch"]);
    let values: Vec<f64> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["value"].as_f64().unwrap())
        .collect();
    assert_eq!(values, [993149.5148470127, 6.867882368344645e33]);
}

#[test]
fn errors_of_inputs_go_through_the_formula() {
    let lines = |arguments: &[&str]| {
        let output = run(&[&["eval"], arguments].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).lines().map(String::from).collect::<Vec<_>>()
    };
    let of = |arguments: &[&str]| lines(arguments).remove(1);
    let error = "error    5 (standard error, if those of the inputs are independent)";
    assert_eq!(of(&["a+b", "a=100±3", "b=200±4"]), error);
    assert_eq!(of(&["a+b", "a=100+-3", "b=200+-4"]), error);
    // A value without one is exact.
    assert!(of(&["a/b", "a=100±3", "b=2"]).starts_with("error    1.5 ("));
    assert_eq!(of(&["a+b", "a=1", "b=2"]), "exact    3");
    assert!(of(&["sqrt(a-a)", "a=1±1"]).starts_with("error    not known"));
    // What is exact has no error, with any sign.
    assert!(of(&["a/b", "a=1±0", "b=2 ± 0"]).starts_with("error    0 ("));
    let refused = run(&["eval", "a", "a=1±0.1±0.2"]);
    assert!(stderr(&refused).contains("`0.1±0.2` is not a standard error"));
    let refused = run(&["eval", "a", "a=1±many"]);
    assert!(stderr(&refused).contains("`many` is not a standard error"), "{}", stderr(&refused));
}
