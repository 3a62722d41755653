//! Metrics, as a user counts, lists and checks them.

use crate::{run, run_on, stderr, stdout};
use serde_json::Value;

const FILE: &str = "fixtures/definitions/metrics/first.metrics";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn row_of<'v>(rows: &'v [Value], event: &str) -> &'v Value {
    rows.iter().find(|row| row["event"] == event).unwrap_or_else(|| panic!("{event}: {rows:?}"))
}

#[test]
fn expressions_of_perf_are_evaluated_by_its_rules() {
    let batch = [
        r#"{"formula":"a / b","syntax":"perf","inputs":{"a":1,"b":4}}"#,
        r#"{"formula":"a / b if has_event(a) else 7","syntax":"perf","inputs":{"a":1,"b":0},"has_event":[]}"#,
        r#"{"formula":"a / b","syntax":"perf","inputs":{"a":1,"b":0}}"#,
        r##"{"formula":"a * #SMT_on + source_count(x\\-y)","syntax":"perf","inputs":{"a":3},"literals":{"#smt_on":2},"source_count":{"x-y":5}}"##,
        r#"{"formula":"strcmp_cpuid_str(X) & (a | 0) ^ 0","syntax":"perf","inputs":{"a":0.5},"cpuid":{"X":true}}"#,
        r#"{"formula":"aggr_nr(a)","syntax":"perf","inputs":{}}"#,
        r#"{"formula":"log(a)","syntax":"perf","inputs":{"a":1}}"#,
        r#"{"formula":"!a","syntax":"perf","inputs":{"a":2}}"#,
    ];
    let output = run_on(batch.join("\n").as_bytes(), &["eval", "--batch"]);
    let answers = lines(&stdout(&output));
    let values: Vec<Option<f64>> = answers.iter().map(|answer| answer["value"].as_f64()).collect();
    assert_eq!(values, [Some(0.25), Some(7.0), None, Some(11.0), Some(1.0), None, None, Some(2.0)]);
    let warnings: Vec<usize> =
        answers.iter().map(|answer| answer["warnings"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(warnings, [0, 0, 0, 0, 0, 0, 0, 1]);
    let kinds: Vec<_> =
        [2, 5, 6].map(|at| answers[at]["error"]["kind"].as_str().unwrap().to_string()).into();
    assert_eq!(kinds, ["division-by-zero", "missing-input", "syntax"]);
    let alone = run(&[
        "eval",
        "--syntax",
        "perf",
        "100 * cpu@A\\,cmask\\=1@ / b",
        "cpu/A,cmask=1/=3",
        "b=4",
    ]);
    assert!(stdout(&alone).starts_with("75\n"), "{}", stdout(&alone));
}

#[test]
fn metrics_are_counted_with_their_units_and_agree_with_their_events() {
    let output = run(&[
        "stat",
        "--metrics",
        FILE,
        "-M",
        "summary",
        "-e",
        "task-clock,page-faults,duration_time",
        "--json",
        "--",
        "sh",
        "-c",
        "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done",
    ]);
    let rows = lines(&stdout(&output));
    let value = |event: &str| row_of(&rows, event)["value"].as_f64().unwrap();
    let (clock, faults, time) = (value("task-clock"), value("page-faults"), value("duration_time"));
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * b.abs(), "{a}, not {b}");
    near(value("cpus_used"), clock / time);
    near(value("fault_rate"), faults * 1e9 / clock);
    let metric = &row_of(&rows, "cpus_used")["metric"];
    assert_eq!((&metric["crossed"], &metric["groups"][0]), (&Value::Bool(true), &"summary".into()));
    assert_eq!(row_of(&rows, "fault_rate")["unit"], "faults per second");
    let csv = stdout(&run(&["stat", "--metrics", FILE, "-M", "cpus_used", "--csv", "--", "true"]));
    let (head, line) = csv.trim().split_once('\n').unwrap();
    assert!(head.contains(",groups,threshold,crossed,"), "{head}");
    assert!(
        line.starts_with("cpus_used,") && line.contains(",summary,cpus_used > 0,true,"),
        "{line}"
    );
}

#[test]
fn intervals_have_metrics_too() {
    let output = run(&[
        "stat",
        "--metrics",
        FILE,
        "-M",
        "cpus_used",
        "-I",
        "50",
        "--json",
        "--",
        "sleep",
        "0.2",
    ]);
    let rows = lines(&stdout(&output));
    let intervals: Vec<&Value> = rows.iter().filter(|row| row["interval_s"].is_number()).collect();
    assert!(intervals.len() >= 2, "{rows:?}");
    // The command sleeps: in most intervals nothing runs.
    let cpus = |row: &&Value| row["value"].as_f64();
    assert!(cpus(&intervals[0]).is_some_and(|cpus| cpus > 0.0 && cpus < 1.5), "{rows:?}");
    let idle = intervals.iter().filter(|row| cpus(row).is_none());
    assert!(idle.clone().all(|row| row["status"] == "not-counted"), "{rows:?}");
}

#[test]
fn top_down_metrics_are_a_tree_that_says_where_to_look() {
    let output = run(&["stat", "--metrics", FILE, "--topdown=2", "--", "true"]);
    let text = stderr(&output);
    let tree: Vec<&str> = text.lines().filter(|line| line.contains('%')).collect();
    let names: Vec<&str> = tree
        .iter()
        .map(|line| line.rsplit_once("  ").map_or(*line, |(_, name)| name).trim())
        .collect();
    assert_eq!(tree.len(), 3, "{text}");
    assert!(tree[0].contains("75.0%") && tree[0].contains("<- worth a look"), "{text}");
    assert!(names[1].ends_with("work_half") && names[2].ends_with("rest"), "{text}");
    assert!(tree[1].contains("37.5%") && tree[2].contains("25.0%"), "{text}");
    let first = stderr(&run(&["stat", "--metrics", FILE, "--topdown", "--", "true"]));
    let next = format!("counterpoint stat --metrics {FILE} --topdown=2 -- true");
    assert!(first.contains(&format!("Look next at the parts of work: {next}")), "{first}");
    let deepest = "the deepest level of the top-down metrics of this machine is 2";
    assert!(!text.contains(deepest), "{text}");
    let deeper = stderr(&run(&["stat", "--metrics", FILE, "--topdown=5", "--", "true"]));
    assert!(deeper.contains(deepest), "{deeper}");
    assert!(first.contains("counterpoint profile -e task-clock -- true"), "{first}");
}

#[test]
fn metrics_are_listed_and_shown_with_what_they_need() {
    let listed = lines(&stdout(&run(&["list", "--metrics", "-f", FILE, "--json", "page"])));
    let rate = listed.iter().find(|metric| metric["name"] == "fault_rate").unwrap();
    assert_eq!(
        (&rate["status"], &rate["unit"]),
        (&"available".into(), &"faults per second".into())
    );
    let nothing = run(&["list", "--metrics", "-f", FILE, "fault_rat_"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(stderr(&nothing).contains("did you mean `fault_rate`?"), "{}", stderr(&nothing));
    let text = stdout(&run(&["show", "-f", FILE, "work"]));
    for part in [
        "formula     1 - rest",
        "unit        %, the value times 100",
        "groups      TopdownL1",
        "worth a look work > 0.5",
        "parts       work_half",
        "sample      task-clock: counterpoint profile -e task-clock",
        "needs       task-clock: type 1 config 0x1",
        "count it    counterpoint stat -f fixtures/definitions/metrics/first.metrics -M work -- COMMAND",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let json = lines(&stdout(&run(&["show", "-f", FILE, "--json", "work"])));
    assert_eq!(json[0]["expanded"], "1 - 0.25 * `task-clock` / `task-clock`");
    assert_eq!(json[0]["needs"][0]["event"], "task-clock");
}

#[test]
fn metrics_are_planned_for_a_processor_without_the_machine() {
    let file = "fixtures/definitions/metrics/first.metrics";
    let text = stdout(&run(&["plan", "--pmu", "spr", "--metrics", file, "-M", "fault_rate"]));
    assert_eq!(text, "no counter needed: page-faults and task-clock\n");
}

#[test]
fn a_name_that_is_no_metric_gets_the_names_near_it() {
    let output = run(&["stat", "--metrics", FILE, "-M", "fault_rte", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("no metric and no group of metrics is called `fault_rte` here"),
        "{text}"
    );
    assert!(text.contains("did you mean `fault_rate`?"), "{text}");
    let group = run(&["stat", "-g", "NOGROUP", "--", "true"]);
    assert!(stderr(&group).contains("--metrics DIR reads likwid's groups"), "{}", stderr(&group));
}

#[test]
fn groups_of_likwid_are_counted_by_name() {
    let group = "fixtures/definitions/metrics/groups/skylakeX/FAULTS.txt";
    let output = run(&["stat", "--metrics", group, "-g", "FAULTS", "--json", "--", "true"]);
    let rows = lines(&stdout(&output));
    assert!(
        row_of(&rows, "FAULTS:Runtime [s]")["value"].as_f64().is_some_and(|s| s > 0.0 && s < 60.0)
    );
    assert_eq!(row_of(&rows, "FAULTS:Runtime [s]")["unit"], "s");
    let text = stderr(&output);
    assert!(text.contains("uses the counter PMC7, which has no event in EVENTSET"), "{text}");
}

#[test]
fn a_checkout_is_checked_event_by_event() {
    let path = "fixtures/definitions/metrics/groups";
    let output = run(&["check", "--metrics", path]);
    assert_eq!(output.status.code(), Some(1), "{} {}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("error[unknown-input]"), "{text}");
    let events: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("skylakeX  "))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let row = |name: &str| {
        events.iter().find(|row| row[1] == name).unwrap_or_else(|| panic!("{name}: {text}"))
    };
    assert_eq!(row("CPU_CLK_UNHALTED_CORE")[2..4], ["yes", "1"]);
    assert_eq!(row("duration_time")[2], "yes");
    let share = events.iter().find(|row| row[1] == "skx").unwrap();
    assert_eq!(share[2..], ["3", "1", "33%"], "{text}");
}

#[test]
fn an_earlier_report_is_looked_at_by_other_metrics() {
    let report =
        std::env::temp_dir().join(format!("counterpoint-saved-{}.json", std::process::id()));
    let path = report.to_str().unwrap();
    run(&["stat", "--json", "-o", path, "-e", "task-clock,page-faults", "--", "true"]);
    let saved = lines(&std::fs::read_to_string(&report).unwrap());
    let output =
        run(&["stat", "--from", path, "--metrics", FILE, "-M", "fault_rate,cpus_used", "--json"]);
    std::fs::remove_file(&report).unwrap();
    let rows = lines(&stdout(&output));
    let value = |rows: &[Value], event: &str| row_of(rows, event)["value"].as_f64().unwrap();
    let rate = value(&saved, "page-faults") * 1e9 / value(&saved, "task-clock");
    assert!((value(&rows, "fault_rate") - rate).abs() <= 1e-9 * rate);
    assert!(value(&rows, "cpus_used") > 0.0);
}

#[test]
fn counts_that_do_not_answer_a_metric_are_an_error_that_says_what_is_missing() {
    let report = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved.json");
    let path = report.to_str().unwrap();
    let row = |count: i64| {
        let names = r#""event": "page-faults", "canonical": "page-faults", "status": "counted""#;
        format!("{{\"schema\": 1, {names}, \"value\": {count}, \"raw\": 7}}\n")
    };
    let from = |text: &str| {
        std::fs::write(&report, text).unwrap();
        let output = run(&["stat", "--from", path, "--metrics", FILE, "-M", "fault_rate"]);
        (output.status.code(), stderr(&output))
    };
    let (code, text) = from(&row(7));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("none of these metrics has a value over these counts"), "{text}");
    let (code, text) = from(&row(-7));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("line 1: the count of page-faults is negative"), "{text}");
}

#[test]
fn a_list_says_that_a_machine_without_a_pmu_has_no_value_for_a_metric_of_cores() {
    let list = |machine: &str| {
        let rows = stdout(&run(&["list", "--metrics", "ipc", "--json", "--machine", machine]));
        lines(&rows).remove(0)
    };
    let (known, unknown) =
        (list("fixtures/machines/amd-zen4"), list("fixtures/machines/vm-no-pmu"));
    assert_eq!(known["status"], "available");
    assert_eq!(unknown["status"], "unsupported");
    assert!(unknown["reason"].as_str().unwrap().ends_with("no core PMU is visible on the machine"));
}

#[test]
fn a_check_finds_cycles_and_names_that_nothing_has() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong.json");
    let text = r##"[
        {"MetricName": "literal", "MetricExpr": "#nosuch * duration_time"},
        {"MetricName": "fine", "MetricExpr": "duration_time * 2"},
        {"MetricName": "top", "MetricExpr": "a + 1"},
        {"MetricName": "a", "MetricExpr": "b + 1"},
        {"MetricName": "b", "MetricExpr": "a + 1"}
    ]"##;
    std::fs::write(&file, text).unwrap();
    let output = run(&["check", "--metrics", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let chain = "a is defined in terms of itself: a, which needs b, which needs a";
    assert!(text.contains(&format!("error[cycle]: {chain}")), "{text}");
    assert!(text.contains("it needs a, which has no value: it is defined in terms of"), "{text}");
    assert!(text.contains("no machine value has this name"), "{text}");
    assert!(text.lines().any(|line| line.ends_with("5         1    20%")), "{text}");
}

#[test]
fn a_metric_of_a_file_is_shown_for_the_processor_that_is_asked_about() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("skx.json");
    let text = r#"[
        {"MetricName": "tma_frontend_bound", "MetricExpr": "IDQ_UOPS_NOT_DELIVERED.CORE / 4",
         "MetricGroup": "TopdownL1;tma_L1_group"},
        {"MetricName": "tma_fetch_latency", "MetricExpr": "1 - tma_frontend_bound",
         "MetricGroup": "TopdownL2;tma_L2_group;tma_frontend_bound_group"}
    ]"#;
    std::fs::write(&file, text).unwrap();
    let text =
        stdout(&run(&["show", "--pmu", "skx", "-f", file.to_str().unwrap(), "tma_fetch_latency"]));
    assert!(text.contains("part of     tma_frontend_bound\n"), "{text}");
    assert!(text.contains("is skx::IDQ_UOPS_NOT_DELIVERED:CORE: type 4 config 0x19c"), "{text}");
}

#[test]
fn a_metric_of_another_processor_is_found_by_its_group_and_despite_a_typo() {
    let shown = run(&["show", "--pmu", "spr", "topdownl1"]);
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    let text = stdout(&shown);
    assert!(text.starts_with("topdownl1  a group of 4 metrics\n  tma_backend_bound "), "{text}");
    assert!(text.ends_with("count it    counterpoint stat -M topdownl1 -- COMMAND\n"), "{text}");
    let json = stdout(&run(&["show", "--pmu", "spr", "TopdownL1", "--json"]));
    assert_eq!(json.lines().count(), 4);
    for (typo, name) in [("memory_bandwith", "memory_bandwidth"), ("tma_retirin", "tma_retiring")] {
        let unknown = run(&["show", "--pmu", "spr", typo]);
        assert_eq!(unknown.status.code(), Some(1));
        let help = format!("did you mean `{name}`");
        assert!(stderr(&unknown).contains(&help), "{}", stderr(&unknown));
    }
}

#[test]
fn a_processor_with_several_kinds_of_cores_says_which_one_answers() {
    let note = "has several kinds of cores: this is mtl_rwc; there is mtl_cmt";
    for args in [&["plan", "cycles", "--pmu"][..], &["list", "--metrics", "ipc", "--pmu"]] {
        let of = |name: &str| stderr(&run(&[args, &[name]].concat()));
        assert!(of("mtl").contains(note), "{}", of("mtl"));
        assert_eq!((of("mtl_rwc"), of("redwoodcove")), (String::new(), String::new()));
    }
}
