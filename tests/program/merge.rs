//! `counterpoint merge`: reports of several runs or ranks as one.

use crate::terminal::shown;
use crate::{counterpoint, run, stderr, stdout};
use ::counterpoint::Reporter;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A directory of reports that goes away with the test.
pub(crate) struct Reports(pub(crate) PathBuf);

impl Reports {
    pub(crate) fn new(name: &str, texts: &[&str]) -> (Reports, Vec<String>) {
        let folder =
            std::env::temp_dir().join(format!("counterpoint-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |(index, text): (usize, &&str)| {
            let file = folder.join(format!("{index}.jsonl"));
            std::fs::write(&file, text).unwrap();
            file.display().to_string()
        };
        let files = texts.iter().enumerate().map(write).collect();
        (Reports(folder), files)
    }
}

impl Drop for Reports {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn merge(name: &str, json: bool, texts: &[&str]) -> (i32, String, String) {
    let (_reports, files) = Reports::new(name, texts);
    let mut args = vec!["merge"];
    args.extend(json.then_some("--json"));
    args.extend(files.iter().map(String::as_str));
    let output = run(&args);
    (output.status.code().unwrap(), stdout(&output), stderr(&output))
}

pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const RANK_3: &str = r#"
{"schema":1,"region":"solve","calls":2,"rank":3,"event":"page-faults","canonical":"page-faults","value":10,"status":"counted","unit":null,"raw":10,"coverage":1.0}
{"schema":1,"region":"solve","calls":2,"rank":3,"event":"PER","canonical":"PER","value":0.5,"status":"counted","unit":null,"coverage":1.0}
{"schema":1,"region":"solve","calls":2,"rank":3,"event":"cycles","canonical":"cycles","value":100.0,"status":"estimated","unit":null,"raw":25,"coverage":0.25}
{"schema":1,"region":"solve","calls":1,"rank":3,"thread":77,"event":"page-faults","canonical":"page-faults","value":10,"status":"counted","unit":null,"raw":10,"coverage":1.0}
{"schema":1,"region":"io","calls":1,"rank":3,"event":"page-faults","canonical":"page-faults","value":4,"status":"counted","unit":null,"raw":4,"coverage":1.0}
"#;
const RANK_5: &str = r#"
{"schema":1,"region":"solve","calls":4,"rank":5,"event":"page-faults","canonical":"page-faults","value":30,"status":"counted","unit":null,"raw":30,"coverage":1.0}
{"schema":1,"region":"solve","calls":4,"rank":5,"event":"PER","canonical":"PER","value":1.5,"status":"counted","unit":null,"coverage":1.0}
{"schema":1,"region":"solve","calls":4,"rank":5,"event":"cycles","canonical":"cycles","value":200,"status":"counted","unit":null,"raw":200,"coverage":1.0}
{"schema":1,"region":"io","calls":1,"rank":5,"event":"page-faults","canonical":"page-faults","value":null,"status":"not-counted","unit":null,"reason":"nothing ran while it was counted"}
"#;

#[test]
fn no_line_is_wider_than_the_terminal() {
    let large = RANK_3.replace(r#""value":10,"#, r#""value":1234567890123,"#);
    let (_reports, files) = Reports::new("columns", &[&large, RANK_5]);
    let args: Vec<&str> = ["merge"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let table = |columns| {
        let text = shown(columns, &args, &[], |command, terminal| command.stdout(terminal));
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns.into(), "{widest} of {columns}:\n{text}");
        text
    };
    let heads = |text: &str| -> Vec<String> {
        let heads = text.lines().find(|line| line.contains("imbalance")).unwrap();
        heads.split_whitespace().map(String::from).collect()
    };
    let all = ["total", "min", "rank", "mean", "max", "rank", "imbalance", "event"];
    assert_eq!(heads(&table(200)), all);
    assert_eq!(heads(&table(90)), ["total", "max", "rank", "imbalance", "event"]);
    assert_eq!(heads(&table(50)), ["total", "imbalance", "event"]);
    // What is not shown on a terminal is in a file.
    assert_eq!(heads(&stdout(&run(&args))), all);
}

#[test]
fn ranks_are_added_up_and_told_apart() {
    let (code, out, _) = merge("ranks", true, &[RANK_3, RANK_5]);
    let lines = lines(&out);
    assert_eq!((code, lines.len()), (0, 5), "four rows and the summary: {out}");
    let solve = &lines[0];
    assert_eq!((&solve["region"], &solve["event"]), (&json!("solve"), &json!("page-faults")));
    assert_eq!(
        (&solve["value"], &solve["status"], &solve["calls"]),
        (&json!(40), &json!("counted"), &json!(6))
    );
    assert_eq!((&solve["min"], &solve["min_rank"]), (&json!(10), &json!(3)));
    assert_eq!(
        (&solve["max"], &solve["max_rank"], &solve["mean"]),
        (&json!(30), &json!(5), &json!(20.0))
    );
    assert_eq!(solve["per_rank"][1], json!({"rank": 5, "value": 30, "status": "counted"}));

    // The values of a formula have a mean and no sum.
    let formula = &lines[1];
    assert_eq!(
        (&formula["value"], &formula["status"], &formula["mean"]),
        (&Value::Null, &json!("not-counted"), &json!(1.0))
    );
    assert!(formula["reason"].as_str().unwrap().contains("formula"));

    let cycles = &lines[2];
    assert_eq!(
        (&cycles["value"], &cycles["status"], &cycles["coverage"]),
        (&json!(300.0), &json!("estimated"), &json!(0.25))
    );

    // A rank without a number leaves no total.
    let io = &lines[3];
    assert_eq!(
        (&io["value"], &io["status"], &io["mean"]),
        (&Value::Null, &json!("not-counted"), &json!(4.0))
    );
    assert_eq!(io["reason"], "rank 5: nothing ran while it was counted");
    assert_eq!(lines[4]["summary"]["reports"], 2);

    let (_, table, _) = merge("table", false, &[RANK_3, RANK_5]);
    assert!(table.starts_with("2 reports\n"), "{table}");
    let row = table.lines().find(|line| line.contains("page-faults in solve (6 calls)")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[..4], ["40", "10", "3", "20.000"], "{table}");
    assert!(table.contains("<not counted>") && table.contains("rank 5: nothing ran"), "{table}");
}

/// A report of page faults by a process that has a rank, or none.
fn report_of(rank: Option<u32>, pid: u32, value: u32) -> String {
    let rank = rank.map_or(String::new(), |rank| format!(r#""rank":{rank},"#));
    let process = format!(r#"{rank}"host":"node1","pid":{pid}"#);
    format!(
        r#"{{"schema":1,{process},"event":"page-faults","canonical":"page-faults","value":{value},"status":"counted","unit":null,"raw":{value},"coverage":1.0}}
{{"schema":1,"summary":{{{process},"command":["solve"],"runs":1}}}}
"#
    )
}

#[test]
fn the_rank_is_that_of_the_report_and_not_the_place_of_the_file() {
    let [ten, two] =
        [(10, 5), (2, 7)].map(|(rank, value)| report_of(Some(rank), 100 + rank, value));
    let (code, out, error) = merge("sorted", true, &[&ten, &two]);
    assert_eq!((code, error.as_str()), (0, ""));
    let lines = lines(&out);
    assert_eq!((&lines[0]["min_rank"], &lines[0]["max_rank"]), (&json!(10), &json!(2)), "{out}");
    let ranks: Vec<&Value> =
        lines[0]["per_rank"].as_array().unwrap().iter().map(|value| &value["rank"]).collect();
    assert_eq!(ranks, [2, 10], "sorted by rank");
    let process = &lines[1]["summary"]["processes"][0];
    assert_eq!(
        (&process["rank"], &process["host"], &process["pid"]),
        (&json!(10), &json!("node1"), &json!(110))
    );
}

#[test]
fn a_report_without_a_rank_has_the_name_of_its_file() {
    let texts = [report_of(None, 1, 5), report_of(None, 2, 7)];
    let (_reports, files) = Reports::new("unranked", &[&texts[0], &texts[1]]);
    let output = run(&["merge", "--json", &files[0], &files[1]]);
    let row = &lines(&stdout(&output))[0];
    assert_eq!((&row["min_file"], &row["max_file"]), (&json!(files[0]), &json!(files[1])), "{row}");
    assert!(row.get("min_rank").is_none() && row["per_rank"][0].get("rank").is_none(), "{row}");
    assert_eq!(row["per_rank"][1]["file"], json!(files[1]));
    let table = stdout(&run(&["merge", &files[0], &files[1]]));
    assert!(table.contains("rank or file") && table.contains(&files[1]), "{table}");
    let lost =
        texts[1].replace("\"value\":7", "\"value\":null").replace("\"counted\"", "\"not-counted\"");
    let (_, out, _) = merge("unranked-lost", true, &[&texts[0], &lost]);
    let reason = lines(&out)[0]["reason"].as_str().unwrap().to_string();
    assert!(reason.ends_with("1.jsonl: no value"), "{reason}");
}

#[test]
fn processes_in_one_file_are_told_apart() {
    // As `--append` writes them.
    let text = report_of(None, 1, 5) + &report_of(None, 2, 7);
    let (_, out, error) = merge("appended", true, &[&text]);
    assert_eq!(
        (&lines(&out)[0]["value"], error.as_str()),
        (&json!(12), ""),
        "none replaces another"
    );
    let row = &lines(&out)[0];
    assert_eq!((&row["min_pid"], &row["max_pid"]), (&json!(1), &json!(2)), "{row}");
    let second = &row["per_rank"][1];
    assert_eq!((&second["host"], &second["pid"]), (&json!("node1"), &json!(2)), "{row}");
    let (_, table, _) = merge("appended-table", false, &[&text]);
    assert!(table.starts_with("1 report of 2 processes\n"), "{table}");
    assert!(table.contains("(process 2)"), "{table}");

    // Two containers with one host name, or a process id that is used again.
    for rank in [None, Some(3)] {
        let text = report_of(rank, 1, 5) + &report_of(rank, 1, 7);
        let (_, out, error) = merge("same-name", true, &[&text]);
        assert_eq!(lines(&out)[0]["value"], json!(12), "none replaces another: {out}");
        assert_eq!(error.contains("two processes in "), rank.is_some(), "{error}");
    }

    let text = report_of(Some(3), 1, 5) + &report_of(Some(3), 2, 7);
    let (_, out, error) = merge("appended-rank", true, &[&text]);
    assert!(error.contains("two processes in ") && error.contains("are of rank 3"), "{error}");
    assert_eq!(lines(&out)[1]["summary"]["repeated_ranks"], json!([3]), "programs are told too");
}

#[test]
fn reports_of_stat_and_profile_record_their_process() {
    let ranked = |variable: &str, args: &[&str]| {
        let mut command = counterpoint(args);
        for variable in Reporter::RANK_VARIABLES {
            command.env_remove(variable);
        }
        command.env("SLURM_PROCID", "0").env(variable, "7").output().unwrap()
    };
    let stat = ["stat", "--json", "-e", "page-faults", "--", "true"];
    let host = ::counterpoint::perf::process::host_name();
    for variable in Reporter::RANK_VARIABLES {
        let lines = lines(&stdout(&ranked(variable, &stat)));
        for line in [&lines[0], &lines[1]["summary"]] {
            assert_eq!(
                (&line["rank"], &line["host"]),
                (&json!(7), &json!(host)),
                "{variable}: {line}"
            );
            assert!(line["pid"].as_u64().is_some_and(|pid| pid > 0), "{line}");
        }
    }
    let profile = ["profile", "--format", "json", "-e", "page-faults", "-c", "1", "--", "true"];
    let lines = lines(&stdout(&ranked("PMI_RANK", &profile)));
    assert_eq!((&lines[0]["rank"], &lines[0]["host"]), (&json!(7), &json!(host)));
    assert!(lines[0]["pid"].is_u64());
}

#[test]
fn intervals_of_a_run_are_added_and_places_kept_apart() {
    let row = |at: f64, cpu: u32, value: u32| {
        format!(
            r#"{{"schema":1,"event":"x","canonical":"x","value":{value},"status":"counted","unit":null,"raw":{value},"coverage":1.0,"cpu":{cpu},"interval_s":{at}}}"#
        )
    };
    let idle = r#"{"schema":1,"event":"x","canonical":"x","value":null,"status":"not-counted","unit":null,"cpu":0,"interval_s":3.0}"#;
    let rows = [row(1.0, 0, 1), row(1.0, 1, 10), row(2.0, 0, 2), row(2.0, 1, 20)];
    let text = [&rows[..], &[idle.to_string()]].concat().join("\n");
    let (_, out, _) = merge("intervals", true, &[&text, &row(1.0, 1, 5)]);
    let lines = lines(&out);
    let values: Vec<_> =
        lines[..2].iter().map(|l| (&l["cpu"], &l["value"], &l["processes"])).collect();
    assert_eq!(values, [(&json!(0), &json!(3), &json!(1)), (&json!(1), &json!(35), &json!(2))]);
}

#[test]
fn ranks_in_one_file_are_as_good_as_in_several_and_a_later_report_replaces() {
    let (_, out, _) = merge("one-file", true, &[&[RANK_3, RANK_5, RANK_3].concat()]);
    let (_, several, _) = merge("several-files", true, &[RANK_3, RANK_5]);
    let rows = |text: &str| {
        let mut lines = lines(text);
        lines.pop();
        lines
    };
    assert_eq!(rows(&out), rows(&several));
    assert_eq!(rows(&out).len(), 4);
}

#[test]
fn what_may_be_added_up_twice_is_told() {
    let (_, out, error) = merge("again", true, &[RANK_3, RANK_5, RANK_3]);
    assert!(
        error.contains("0.jsonl and ") && error.contains("2.jsonl are both of rank 3"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    assert_eq!((&lines(&out)[0]["value"], &lines(&out)[0]["processes"]), (&json!(50), &json!(3)));
    let (_, _, error) = merge("several", true, &[RANK_3, &[RANK_5, RANK_3].concat(), RANK_5]);
    assert_eq!(error.lines().count(), 2, "{error}");

    let (_reports, files) = Reports::new("same", &[RANK_3]);
    let output = run(&["merge", &files[0], &files[0]]);
    assert!(stderr(&output).contains("are the same file, and its values are added up twice"));
    assert_eq!(output.status.code(), Some(0));
}

/// A total is the sum of all, or there is none.
#[test]
fn there_is_no_total_without_the_value_of_each() {
    let total = |name: &str, texts: &[&str]| {
        let (code, out, error) = merge(name, true, texts);
        assert_eq!(code, 0, "{error}");
        let row = lines(&out).remove(0);
        (row["value"].clone(), row["reason"].as_str().unwrap_or_default().to_string(), out)
    };
    let [zero, one] =
        [(0, 5), (1, 7)].map(|(rank, value)| report_of(Some(rank), 100 + rank, value));
    assert_eq!(total("whole", &[&zero, &one]).0, json!(12));

    // Another event was counted in rank 1.
    let other = one.replace("page-faults", "faults");
    let (value, reason, _) = total("absent", &[&zero, &other]);
    assert_eq!(
        (value, reason.as_str()),
        (Value::Null, "rank 1: its report does not have this event")
    );
    // The numbers of two units are not added up.
    let unit = one.replace("\"unit\":null", "\"unit\":\"pages\"");
    assert_eq!(total("unit", &[&zero, &unit]).0, Value::Null);

    // The disk was full, or the process was killed.
    let (first, _) = one.split_once('\n').unwrap();
    let (value, reason, out) = total("torn", &[&zero, first]);
    assert_eq!((value, reason.as_str()), (Value::Null, "a report ends before its summary: rank 1"));
    let processes = lines(&out)[1]["summary"]["processes"].clone();
    assert_eq!(
        (&processes[0]["incomplete"], &processes[1]["incomplete"]),
        (&Value::Null, &json!(true))
    );
    let (_, table, _) = merge("torn-table", false, &[&zero, first]);
    assert!(table.contains("a report ends before its summary: rank 1"), "{table}");
}

#[test]
fn what_is_odd_about_runs_is_told() {
    let [zero, one] =
        [(0, 5), (1, 7)].map(|(rank, value)| report_of(Some(rank), 100 + rank, value));
    let odd = one.replace("\"runs\":1", "\"runs\":4,\"interrupted\":true,\"failed_runs\":3");
    let (_, out, _) = merge("odd", true, &[&zero, &odd]);
    let processes = lines(&out)[1]["summary"]["processes"].clone();
    assert_eq!(
        (&processes[1]["interrupted"], &processes[1]["failed_runs"]),
        (&json!(true), &json!(3))
    );
    assert!(processes[0].get("interrupted").is_none(), "{processes}");
    let (_, table, _) = merge("odd-table", false, &[&zero, &odd]);
    assert!(table.contains("a run was interrupted: rank 1"), "{table}");
    assert!(table.contains("the command failed in 3 runs: rank 1"), "{table}");
    let (_reports, files) = Reports::new("odd-csv", &[&zero, &odd]);
    let error = stderr(&run(&["merge", "--csv", &files[0], &files[1]]));
    assert!(error.contains("a run was interrupted: rank 1"), "{error}");
}

/// A report by a process on a host, with the state of its machine.
fn report_on(host: &str, rank: u32, environment: &Value) -> String {
    let report = report_of(Some(rank), 100 + rank, 1).replace("node1", host);
    report.replace("\"runs\":1", &format!("\"runs\":1,\"environment\":{environment}"))
}

#[test]
fn what_differs_between_the_machines_is_told_once() {
    let state = |kernel: &str, governor: &str, load: f64| json!({"cpus": 8, "kernel": kernel, "governor": governor, "load": load});
    let mut reports: Vec<String> = (0..6)
        .map(|rank| report_on(&format!("node{rank}"), rank, &state("6.1", "performance", 0.5)))
        .collect();
    reports.push(report_on("node6", 6, &state("6.8", "performance", 1.0)));
    reports.push(report_on("node7", 7, &state("6.8", "performance", 7.25)));
    let texts: Vec<&str> = reports.iter().map(String::as_str).collect();
    let (code, table, _) = merge("machines", false, &texts);
    assert_eq!(code, 0);
    let differ = "the machines differ: the kernel is 6.1 on 6 hosts and 6.8 on node6 and node7: that can explain any difference";
    assert_eq!(table.matches(differ).count(), 1, "{table}");
    let load =
        "the load is 0.50 on node0 and 7.25 on node7: that can explain a difference of times";
    assert!(table.contains(load), "{table}");
    assert!(!table.contains("governor"), "{table}");
    let (_, out, error) = merge("machines-json", true, &texts);
    assert_eq!(error, "");
    let all = lines(&out);
    let differences = &all.last().unwrap()["summary"]["differences"];
    let expected = json!([
        {"fact": "kernel", "explains": "everything", "values": [
            {"value": "6.1", "processes": [0, 1, 2, 3, 4, 5]},
            {"value": "6.8", "processes": [6, 7]},
        ]},
        {"fact": "load", "explains": "times", "values": [
            {"value": "0.50", "processes": [0]},
            {"value": "7.25", "processes": [7]},
        ]},
    ]);
    assert_eq!(*differences, expected);
    let (_reports, files) = Reports::new("machines-csv", &texts);
    let mut args = vec!["merge", "--csv"];
    args.extend(files.iter().map(String::as_str));
    assert!(stderr(&run(&args)).contains(differ), "beside CSV, on standard error");
}

/// Then the processes are named; what a report does not tell is no difference.
#[test]
fn a_machine_that_changed_between_two_runs_is_told() {
    let one = report_on("node1", 0, &json!({"governor": "powersave", "smt": "on"}));
    let other = report_on("node1", 1, &json!({"governor": "performance"}));
    let silent = report_of(Some(2), 102, 1);
    let (_, table, _) = merge("changed", false, &[&one, &other, &silent]);
    let differ = "the machines differ: the governor is performance in rank 1 and powersave in rank 0: that can explain a difference of times and rates, and not of counts such as instructions";
    assert!(table.contains(differ) && table.matches("differ:").count() == 1, "{table}");
    let (_, table, _) =
        merge("unchanged", false, &[&one, &one.replace("\"rank\":0", "\"rank\":3"), &silent]);
    assert!(!table.contains("differ"), "{table}");
}

#[test]
fn estimates_are_marked() {
    let (_, table, _) = merge("estimates", false, &[RANK_3, RANK_5]);
    let row = table.lines().find(|line| line.contains("cycles in solve")).unwrap();
    assert!(row.ends_with("(measured 25.00% of the time)"), "{table}");
    let (_, out, _) = merge("estimates-json", true, &[RANK_3, RANK_5]);
    let values = lines(&out)[2]["per_rank"].clone();
    assert_eq!((&values[0]["coverage"], &values[1]["coverage"]), (&json!(0.25), &Value::Null));
    // A status is believed without a share, too.
    let bare = RANK_3.replace("\"raw\":25,\"coverage\":0.25", "\"raw\":25");
    let (_, out, _) = merge("estimates-bare", true, &[&bare]);
    assert_eq!(lines(&out)[2]["status"], "estimated", "{out}");
}

#[test]
fn what_was_not_counted_has_no_value() {
    let text =
        report_of(Some(1), 1, 7).replace("\"status\":\"counted\"", "\"status\":\"not-counted\"");
    let (_reports, files) = Reports::new("contradiction", &[&text]);
    for args in
        [&["merge", &files[0]][..], &["export", &files[0]], &["stat", "diff", &files[0], &files[0]]]
    {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains("line 1: "), "{args:?}: {}", stderr(&output));
        assert!(!stdout(&output).contains("\"value\""), "{args:?}: {}", stdout(&output));
    }
}

#[test]
fn reports_of_stat_can_be_merged() {
    let reports: Vec<String> = (0..2)
        .map(|_| {
            stdout(&run(&[
                "stat",
                "--json",
                "-o",
                "/dev/stdout",
                "-e",
                "task-clock,page-faults",
                "--",
                "true",
            ]))
        })
        .collect();
    let texts: Vec<&str> = reports.iter().map(String::as_str).collect();
    let (code, out, error) = merge("stat", true, &texts);
    assert_eq!(code, 0, "{error}");
    let lines = lines(&out);
    assert_eq!(lines.len(), 4, "{out}");
    assert_eq!((&lines[2]["event"], &lines[2]["value"]), (&json!("elapsed time"), &Value::Null));
    let sum: u64 = reports
        .iter()
        .flat_map(|report| report.lines())
        .filter_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            (line["event"] == "page-faults").then(|| line["value"].as_u64())?
        })
        .sum();
    if sum == 0 {
        println!("skipped: page-faults cannot be counted here");
        return;
    }
    assert_eq!(lines[1]["value"], json!(sum));
}

#[test]
fn what_is_no_report_is_refused_with_its_line() {
    for (text, said) in [
        ("", "it does not contain a report"),
        ("not json\n[]", "line 1: not JSON from column 2 on, and 1 more line"),
        ("{\"schema\":2}", "line 1: a schema that this version does not support"),
        ("{\"schema\":1}", "line 1: not a line of a report"),
        ("[]", "line 1: not a line of a report"),
        (
            "{\"schema\":1,\"event\":\"x\",\"value\":\"7\",\"status\":\"counted\"}",
            "line 1: not a line of a report",
        ),
        // It would be added to another rank's.
        (
            "{\"schema\":1,\"rank\":-1,\"event\":\"x\",\"value\":7,\"status\":\"counted\"}",
            "line 1: not a line of a report",
        ),
    ] {
        let (code, out, error) = merge("wrong", true, &[text]);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(error.contains(said), "{text}: {error}");
    }
    assert_eq!(run(&["merge", "/nonexistent"]).status.code(), Some(2));
    assert_eq!(run(&["merge"]).status.code(), Some(2));
}
