//! `stat --compare`, `--compare-with` and `stat diff`.

use crate::{counterpoint, has_tools, objects, rows, run, stderr, stdout};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Touches about 250 pages of memory, and about 5 (2 % of all that it touches) more.
const FEWER: &str = "dd if=/dev/zero of=/dev/null count=1 status=none bs=1000K";
const MORE: &str = "dd if=/dev/zero of=/dev/null count=1 status=none bs=1028K";

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn of_event<'a>(lines: &'a [Value], event: &str) -> &'a Value {
    lines.iter().find(|line| line["event"] == event).unwrap_or_else(|| panic!("no {event}"))
}

#[test]
fn two_percent_more_page_faults_are_found() {
    if !has_tools(&["dd"]) {
        return;
    }
    let output =
        run(&["stat", "-r", "40", "-e", "page-faults", "--json", "--compare", FEWER, MORE]);
    let (lines, summary) = rows(&output);
    assert_eq!(lines.len(), 2, "the elapsed time and the event: {}", stdout(&output));
    let faults = of_event(&lines, "page-faults");
    assert_eq!(faults["verdict"], "more", "{faults}");
    let bound = |key: &str| faults[key].as_f64().unwrap();
    assert!(bound("ratio_low") > 1.0, "{faults}");
    assert!(1.01 < bound("ratio") && bound("ratio") < 1.035, "{faults}");
    assert_eq!(faults["base"]["values"].as_array().unwrap().len(), 40);
    let sentences = summary["summary"]["sentences"].to_string();
    assert!(sentences.contains("more page-faults"), "{sentences}");
    assert_eq!(summary["summary"]["design"], "rounds");
}

#[test]
fn runs_go_on_until_the_named_event_is_known() {
    let output = run(&[
        "stat",
        "-e",
        "page-faults",
        "--precision",
        "5%",
        "--json",
        "--compare",
        "true",
        "true",
    ]);
    let (lines, summary) = rows(&output);
    let runs = summary["summary"]["sides"][0]["runs"].as_u64().unwrap();
    assert!((10..200).contains(&runs), "{runs} runs");
    let ratio = of_event(&lines, "page-faults");
    let margin = ratio["ratio_high"].as_f64().unwrap() - ratio["ratio"].as_f64().unwrap();
    assert!(margin <= 0.05, "{ratio}");
}

#[test]
fn a_comparison_ends_in_time_and_says_what_it_did_not_reach() {
    let output = run(&[
        "stat",
        "--precision",
        "0.0001",
        "--max-time",
        "1",
        "-e",
        "task-clock",
        "--compare",
        "true",
        "true",
    ]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(text.contains("Time was up after 1 s: the ratio of task-clock "), "{text}");
    assert!(text.contains("--max-time"), "{text}");
}

/// What one side never has is known well when the other side is: the comparison does not wait for a ratio.
#[test]
fn a_comparison_with_a_side_that_has_none_ends_early() {
    let writes = "sh -c 'exec head -c $(( $$ % 97 + 4000 )) /dev/zero'";
    let args = ["stat", "--max-time", "60", "-e", "io/wchar/", "--compare", "true", writes];
    let begin = std::time::Instant::now();
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stdout(&output).contains("Time was up"), "{}", stdout(&output));
    assert!(begin.elapsed().as_secs() < 50);
}

#[test]
fn the_text_has_both_sides_and_a_verdict() {
    if !has_tools(&["dd"]) {
        return;
    }
    let output = run(&["stat", "-r", "10", "-e", "page-faults", "--compare", "true", FEWER]);
    let text = stdout(&output);
    assert!(text.contains(&format!(" A: true (10 runs)\n B: {FEWER} (10 runs)\n")), "{text}");
    let line = text.lines().find(|line| line.starts_with(" page-faults")).unwrap();
    assert!(line.ends_with(" more") && line.contains(" … "), "{line}");
    assert!(text.contains(" more page-faults"), "{text}");
}

/// The values of side `letter` in a comparison, from a report that holds the same values.
fn report(name: &str, values: &[f64]) -> PathBuf {
    let path = scratch(name);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let row = json!({
        "schema": 1, "event": "page-faults", "canonical": "page-faults", "value": mean,
        "status": "counted", "unit": null, "raw": 1, "runs": values.len(), "mean": mean,
        "stddev": 1.0, "standard_error": 1.0, "min": 1, "median": 1, "max": 1, "values": values,
    });
    let summary = json!({ "schema": 1, "summary": { "command": ["./solve"], "elapsed_s": 1.0 } });
    fs::write(&path, format!("{row}\n{summary}\n")).unwrap();
    path
}

#[test]
fn saved_reports_are_compared() {
    let a = report("a.json", &[100.0, 102.0, 99.0, 101.0, 98.0, 100.0]);
    let b = report("b.json", &[110.0, 112.0, 109.0, 111.0, 108.0, 110.0]);
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let (lines, summary) = rows(&run(&["stat", "diff", "--json", a, b]));
    let faults = of_event(&lines, "page-faults");
    assert_eq!(faults["verdict"], "more");
    assert_eq!(faults["ratio"], 1.1);
    // Welch: both variances are 2, so that the error of the difference is sqrt(2/3) with 10 degrees of freedom.
    let margin = 2.228_138_85 * (2.0_f64 / 3.0).sqrt();
    assert!(
        (faults["difference_low"].as_f64().unwrap() - (10.0 - margin)).abs() < 1e-6,
        "{faults}"
    );
    assert_eq!(summary["summary"]["design"], "samples");
    // The reports have one elapsed time each.
    assert_eq!(of_event(&lines, "elapsed time")["verdict"], "not-compared");

    let text = stdout(&run(&["stat", "diff", a, b]));
    assert!(text.contains(&format!(" A: ./solve, from {a} (6 runs)")), "{text}");
    assert!(text.contains("B has 10.0 % ± 1.9 % more page-faults."), "{text}");
    let csv = stdout(&run(&["stat", "diff", "--csv", a, b]));
    let columns: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let line = csv.lines().find(|line| line.starts_with("page-faults,")).unwrap();
    let ratio = columns.iter().position(|column| *column == "ratio").unwrap();
    assert_eq!(line.split(',').nth(ratio), Some("1.1"));
    let markdown = stdout(&run(&["stat", "diff", "--format", "markdown", a, b]));
    assert!(
        markdown.contains("| page-faults | 100.000 ±  1.4 % | 110.000 ±  1.3 % | 1.1000 |"),
        "{markdown}"
    );
}

#[test]
fn a_report_of_stat_is_a_side() {
    let path = scratch("base.json");
    let path = path.to_str().unwrap();
    let events = ["stat", "-r", "6", "-e", "page-faults,task-clock"];
    assert!(run(&[&events[..], &["--json", "-o", path, "--", "true"]].concat()).status.success());
    let output = run(&[&events[..], &["--json", "--compare-with", path, "--", "true"]].concat());
    let (lines, summary) = rows(&output);
    for event in ["elapsed time", "page-faults", "task-clock"] {
        let line = of_event(&lines, event);
        for side in ["base", "other"] {
            assert_eq!(line[side]["runs"], 6, "{event} of {side}: {line}");
        }
        assert!(line["difference"].is_f64() && line["p"].is_f64(), "{line}");
    }
    assert!(of_event(&lines, "page-faults")["ratio"].as_f64().unwrap() > 0.5);
    let title = summary["summary"]["sides"][0]["title"].as_str().unwrap();
    assert_eq!(title, format!("true, from {path}"));
    // A comparison of more than two sides has a line for each but the first.
    let (lines, _) = rows(&run(&["stat", "diff", "--json", path, path, path]));
    assert_eq!(lines.iter().filter(|line| line["event"] == "page-faults").count(), 2);
    assert!(lines.iter().all(|line| line["verdict"] == "no-difference"));
}

#[test]
fn commands_are_quiet_prepared_and_warm() {
    let log = scratch("log");
    let _ = fs::remove_file(&log);
    let line = |word: &str| format!("echo {word} | tee -a {}", log.display());
    let (prepare, a, b) = (line("prepared"), line("a"), line("b"));
    let args = ["stat", "-r", "3", "--warmup", "2", "-e", "page-faults", "--prepare", &prepare];
    let output = run(&[&args[..], &["--show-output", "--compare", &a, &b]].concat());
    assert!(stdout(&output).lines().any(|line| line == "a"), "{}", stdout(&output));
    assert!(stderr(&output).contains("is run by sh, which is counted with it"));
    let log = fs::read_to_string(log).unwrap();
    let words: Vec<&str> = log.lines().collect();
    assert_eq!(words.len(), 2 * 2 * (2 + 3), "{words:?}");
    assert!(words.iter().step_by(2).all(|word| *word == "prepared"), "{words:?}");
    // Each round has each command once.
    for round in words.chunks(4) {
        assert_ne!(round[1], round[3], "{words:?}");
    }
    let quiet = run(&["stat", "-r", "2", "-e", "page-faults", "--compare", "echo a", "echo b"]);
    assert!(!stdout(&quiet).lines().any(|line| line == "a"), "{}", stdout(&quiet));
}

#[test]
fn what_cannot_be_compared_says_what_to_type() {
    let refused = |args: &[&str], words: &[&str]| {
        let output = run(args);
        let text = stderr(&output);
        assert!(!output.status.success(), "{args:?}");
        words.iter().for_each(|word| assert!(text.contains(word), "{args:?}: {word} in {text}"));
    };
    refused(&["stat", "--compare", "true"], &["nothing to compare", "--compare-with FILE"]);
    refused(&["stat", "--compare", "true", "echo 'x"], &["quotation mark is not closed"]);
    refused(&["stat", "--compare", "true", ""], &["empty command"]);
    refused(
        &["stat", "-r", "2", "--compare", "true", "false"],
        &["`false` failed: exit status 1", "--ignore-failure"],
    );
    refused(
        &["stat", "--compare", "true", "no-such-command"],
        &["no-such-command: command not found"],
    );
    refused(&["stat", "-I", "100", "--compare", "true", "true"], &["cannot be used with"]);
    refused(
        &["stat", "--format", "perf", "--compare", "true", "true"],
        &["no format `perf`", "--json"],
    );
    refused(&["stat", "--format", "markdown", "true"], &["comparisons only"]);
    refused(&["stat", "--precision", "0", "--compare", "true", "true"], &["greater than 0"]);
    refused(&["stat", "--precision", "2", "true"], &["--compare"]);
    refused(&["stat", "--warmup", "2", "-a", "--timeout", "10"], &["no command", "-- COMMAND"]);
    refused(&["stat", "-N", "--compare", "true", "true | true"], &["needs a shell", "-N has none"]);
    refused(&["stat", "--reference", "true"], &["nothing to count: no command"]);
    refused(&["stat", "--compare-with", "x", "--precision", "1", "-r", "3", "true"], &["-r"]);
    refused(&["stat", "--runs", "3", "--compare", "true", "true"], &["hyperfine", "use -r N"]);
    refused(&["stat", "diff", "one.json"], &["2 values required"]);
    refused(
        &["stat", "diff", "no-such-file", "other"],
        &["no-such-file", "stat -r 20 --json -o FILE"],
    );
    let not_json = scratch("not.json");
    fs::write(&not_json, "{\"schema\":1,\n").unwrap();
    let not_json = not_json.to_str().unwrap();
    refused(&["stat", "diff", not_json, not_json], &["line 1: not JSON from column "]);
    for (line, words) in [
        (r#"{"schema":2,"event":"a"}"#, "line 1: a schema that this version does not support"),
        (r#"{"event":"a"}"#, "line 1: not a line of a report"),
        (r#"[1, 2]"#, "line 1: not a line of a report"),
        (r#"{"schema":1,"event":[]}"#, "line 1: not a line of a report of stat"),
    ] {
        fs::write(not_json, line).unwrap();
        refused(&["stat", "diff", not_json, not_json], &[words]);
    }
    let intervals = scratch("intervals.json");
    let intervals = intervals.to_str().unwrap();
    run(&["stat", "-I", "10", "-e", "task-clock", "--json", "-o", intervals, "sleep", "0.05"]);
    refused(&["stat", "diff", intervals, intervals], &["intervals"]);
}

#[test]
fn commands_that_fail_are_compared_if_requested() {
    let args = ["stat", "-r", "3", "-e", "page-faults", "--json", "--ignore-failure"];
    let output = run(&[&args[..], &["--compare", "true", "false"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(objects(&output).len(), 3);
}

#[test]
fn a_single_run_says_that_it_shows_no_noise() {
    let path = scratch("once.json");
    let path = path.to_str().unwrap();
    run(&["stat", "-e", "page-faults", "--json", "-o", path, "true"]);
    let text = stdout(&run(&["stat", "diff", path, path]));
    assert!(text.contains("A single run shows nothing about noise"), "{text}");
    assert!(!text.contains("No difference"), "{text}");
}

/// An event that is named twice is one event, with the values of one report.
#[test]
fn an_event_that_is_named_twice_is_one() {
    let path = scratch("twice.json");
    let path = path.to_str().unwrap();
    let args = ["stat", "-r", "6", "-e", "page-faults,page-faults", "--json"];
    run(&[&args[..], &["-o", path, "true"]].concat());
    for output in [
        run(&["stat", "diff", "--json", path, path]),
        run(&[&args[..], &["--compare", "true", "true"]].concat()),
    ] {
        let (lines, _) = rows(&output);
        let faults: Vec<_> = lines.iter().filter(|line| line["event"] == "page-faults").collect();
        assert_eq!(faults.len(), 1, "{lines:?}");
        assert_eq!(faults[0]["base"]["runs"], 6, "{}", faults[0]);
    }
    // A further report in the file adds runs.
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.repeat(2)).unwrap();
    let (lines, _) = rows(&run(&["stat", "diff", "--json", path, path]));
    assert_eq!(of_event(&lines, "page-faults")["base"]["runs"], 12);
}

#[test]
fn a_report_is_read_from_standard_input() {
    let path = report("stdin.json", &[100.0, 102.0, 99.0]);
    let mut command = counterpoint(&["stat", "diff", "--json", "-", path.to_str().unwrap()]);
    let output = command.stdin(fs::File::open(&path).unwrap()).output().unwrap();
    let (lines, _) = rows(&output);
    assert_eq!(of_event(&lines, "page-faults")["ratio"], 1.0);
}

/// The rounds before a failure are compared.
#[test]
fn complete_rounds_are_kept() {
    let file = scratch("left");
    fs::write(&file, "xxxx").unwrap();
    let text = format!("test -s {0} && truncate -s -1 {0}", file.display());
    let args = ["stat", "-r", "9", "--warmup", "0", "-e", "page-faults", "--json"];
    let output = run(&[&args[..], &["--compare", "true", &text]].concat());
    let (lines, summary) = rows(&output);
    assert_eq!(of_event(&lines, "page-faults")["other"]["runs"], 4);
    let sentences = summary["summary"]["sentences"].to_string();
    assert!(sentences.contains("Round 5 is left out: `test -s "), "{sentences}");
    assert!(sentences.contains("failed: exit status 1"), "{sentences}");
    assert_eq!(output.status.code(), Some(2));
}

/// Every run differs by the same, which two runs may do by chance.
#[test]
fn few_runs_without_noise_decide_nothing() {
    let (a, b) = (report("few-a.json", &[100.0; 2]), report("few-b.json", &[103.0; 2]));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let (lines, _) = rows(&run(&["stat", "diff", "--json", a, b]));
    let faults = of_event(&lines, "page-faults");
    assert_eq!(faults["verdict"], "uncertain", "{faults}");
    assert!(faults["ratio"].is_null() && faults["difference_high"].is_null(), "{faults}");
    assert_eq!(faults["difference"], 3.0);
    let text = stdout(&run(&["stat", "diff", a, b]));
    assert!(text.contains("B may differ in page-faults; more runs will tell."), "{text}");
    let text = stdout(&run(&["stat", "diff", a, a]));
    assert!(text.contains("was found in page-faults (the same in every run)."), "{text}");
}

/// Options may stand on both sides of the commands.
#[test]
fn options_may_follow_the_commands() {
    let args = ["stat", "--compare", "true", "sh -c :", "-r", "3", "-e", "page-faults", "--json"];
    let (lines, summary) = rows(&run(&args));
    assert_eq!(of_event(&lines, "page-faults")["other"]["runs"], 3);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(summary["summary"]["sides"].as_array().unwrap().len(), 2, "{summary}");
}

#[test]
fn the_times_of_commands_are_compared_without_events() {
    let (lines, _) = rows(&run(&["stat", "-r", "3", "--json", "--compare", "true", "true"]));
    for event in ["elapsed time", "task-clock", "user_time", "system_time"] {
        of_event(&lines, event);
    }
    let args = ["stat", "-r", "3", "-e", "page-faults", "--json", "--compare", "true", "true"];
    assert!(rows(&run(&args)).0.iter().all(|line| line["event"] != "user_time"));
}

#[test]
fn a_median_and_a_minimum_stand_below_the_mean() {
    let a = report("median-a.json", &[100.0, 102.0, 99.0, 131.0, 98.0]);
    let b = report("median-b.json", &[110.0, 112.0, 109.0, 141.0, 108.0]);
    let text = stdout(&run(&["stat", "diff", a.to_str().unwrap(), b.to_str().unwrap()]));
    let (_, below) = text.split_once(" page-faults").unwrap();
    let line = below.lines().nth(1).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let expected = ["median", "(min)", "100.000", "(98.000)", "110.000", "(108.000)"];
    assert_eq!(words, expected, "{text}");
}

/// Reports whose elapsed times are these.
fn timed(name: &str, times: &[f64]) -> PathBuf {
    let path = report(name, &vec![1.0; times.len()]);
    let elapsed: f64 = times.iter().sum::<f64>() / times.len() as f64;
    let runs = json!({
        "runs": times.len(), "mean": elapsed, "stddev": 1.0, "standard_error": 1.0, "min": 1.0,
        "median": 1.0, "max": 1.0, "values": times,
    });
    let summary = json!({ "command": ["./solve"], "elapsed_s": elapsed, "elapsed_runs_s": runs });
    let text = fs::read_to_string(&path).unwrap();
    let (row, _) = text.split_once('\n').unwrap();
    let last = json!({ "schema": 1, "summary": summary });
    fs::write(&path, format!("{row}\n{last}\n")).unwrap();
    path
}

#[test]
fn three_commands_are_ranked() {
    let around = |mean: f64| [0.99, 1.01, 1.0, 1.02, 0.98, 1.0].map(|part| part * mean);
    let files = [
        timed("rank-a", &around(2.0)),
        timed("rank-b", &around(1.0)),
        timed("rank-c", &around(2.01)),
    ];
    let paths: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let text = stdout(&run(&[&["stat", "diff"], &paths[..]].concat()));
    let (_, ranking) =
        text.split_once("\n B is the fastest.\n").unwrap_or_else(|| panic!("{text}"));
    let lines: Vec<&str> = ranking.lines().collect();
    assert!(lines[0].starts_with(" A takes 2.000 times as long (1.9"), "{text}");
    assert!(lines[0].ends_with(") as B."), "{text}");
    assert!(lines[1].starts_with(" C takes 2.010 times as long"), "{text}");
    assert!(lines[1].ends_with("as B, and cannot be told apart from A."), "{text}");
    let (_, summary) = rows(&run(&[&["stat", "diff", "--json"], &paths[..]].concat()));
    assert!(summary.to_string().contains("B is the fastest."), "{summary}");
    let text = stdout(&run(&["stat", "diff", paths[0], paths[1]]));
    assert!(!text.contains("fastest"), "two sides need no ranking: {text}");
}

#[test]
fn half_of_the_runs_are_a_group_and_no_outliers() {
    let values = [100.0, 301.0, 101.0, 300.0, 99.0, 100.0, 302.0, 100.0, 101.0, 301.0];
    let a = report("groups-a.json", &values);
    let b = report("groups-b.json", &[100.0, 101.0, 99.0, 100.0, 300.0, 100.0, 101.0, 99.0]);
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let text = stdout(&run(&["stat", "diff", a, b]));
    let groups = "The runs of A are of two groups, and the mean is between them: in page-faults, 6 around 100.167 and 4 around 301.000.";
    assert!(text.contains(groups), "{text}");
    assert!(!text.contains("Outliers in the runs of A"), "{text}");
    assert!(
        text.contains("Outliers in the runs of B, which are part of the means: page-faults in 5."),
        "{text}"
    );
    assert!(!text.contains("The runs of B"), "{text}");
}

#[test]
fn markdown_leaves_out_what_cannot_be_counted() {
    let row = |name: &str, value: &str| {
        format!(r#"{{"schema":1,"event":"{name}","canonical":"{name}","value":{value},"unit":null"#)
    };
    let counted = row("page-faults", "10.0") + r#","status":"counted","raw":10}"#;
    let missing = row("cycles", "null")
        + r#","status":"not-supported","reason":"this machine has no hardware PMU"}"#;
    let last = r#"{"schema":1,"summary":{"command":["a"],"elapsed_s":1.0}}"#;
    let file = saved("missing.json", &format!("{counted}\n{missing}\n{last}\n"));
    let file = file.to_str().unwrap();
    let text = stdout(&run(&["stat", "diff", "--format", "markdown", file, file]));
    assert!(!text.contains("| cycles |"), "{text}");
    assert!(text.ends_with("\nNot counted: cycles: this machine has no hardware PMU.\n"), "{text}");
}

/// A file is not emptied for a command that does not start.
#[test]
fn the_file_of_an_absent_command_is_left_alone() {
    let file = scratch("kept");
    fs::write(&file, "kept").unwrap();
    let path = file.to_str().unwrap();
    for option in ["-o", "--html"] {
        let output = run(&["stat", option, path, "no-such-command"]);
        assert_eq!(output.status.code(), Some(127), "{}", stderr(&output));
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept", "{option}");
    }
    let output = run(&["stat", "-o", path, "--html", path, "true"]);
    assert!(
        stderr(&output).contains("two results would be written to this file"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
    let output = run(&["stat", "--html", "-", "true"]);
    assert!(stderr(&output).contains("--html page.html"), "{}", stderr(&output));
    assert!(!Path::new("-").exists());
}

/// The program `diff` is counted if anything stands before it.
#[test]
fn a_program_named_diff_can_be_counted() {
    if !has_tools(&["diff"]) {
        return;
    }
    for args in [
        ["stat", "-e", "page-faults", "diff", "README.md", "README.md"].as_slice(),
        &["stat", "--", "diff", "README.md", "README.md"],
    ] {
        let text = stderr(&run(args));
        assert!(text.contains("stats for 'diff README.md README.md'"), "{text}");
    }
}

/// A file takes the table, and the person who waits reads the verdict.
#[test]
fn the_verdict_is_said_beside_a_file() {
    let path = scratch("table.md");
    let args = ["stat", "-r", "12", "-e", "page-faults", "--format", "markdown", "-o"];
    let output =
        run(&[&args[..], &[path.to_str().unwrap(), "--compare", "true", "sh -c :"]].concat());
    assert!(fs::read_to_string(path).unwrap().starts_with("- A: `true`, 12 runs\n"));
    assert!(stderr(&output).contains("more page-faults"), "{}", stderr(&output));
}

/// A report of one run of a command.
fn report_of(command: &str, pid: u32, value: f64, unit: &str) -> String {
    format!(
        r#"{{"schema":1,"pid":{pid},"event":"task-clock","canonical":"task-clock","value":{value},"status":"counted","unit":"{unit}","raw":7,"coverage":1.0}}
{{"schema":1,"summary":{{"pid":{pid},"command":["{command}"],"runs":1,"elapsed_s":1.0}}}}
"#
    )
}

fn saved(name: &str, text: &str) -> PathBuf {
    let file = scratch(name);
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn reports_of_two_commands_are_not_runs_of_one() {
    let two = saved("two", &(report_of("a", 1, 5.0, "ns") + &report_of("b", 2, 7.0, "ns")));
    let same = saved("same", &(report_of("a", 1, 5.0, "ns") + &report_of("a", 2, 7.0, "ns")));
    let (two, same) = (two.to_str().unwrap(), same.to_str().unwrap());
    let output = run(&["stat", "diff", same, two]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("line 4: this report is of `b`, and the one before it of `a`"), "{text}");
    assert!(run(&["stat", "diff", same, same]).status.success());
    // Metrics are of one run.
    let output = run(&["stat", "--from", same, "-M", "cpus_utilized"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 3: another report begins"), "{}", stderr(&output));
}

#[test]
fn units_are_heeded() {
    let value = |name: &str, unit: &str, value: f64| {
        saved(name, &report_of("a", 1, value, unit)).to_str().unwrap().to_string()
    };
    let [ns, ms, joules] = [("ns", 2.5e6), ("ms", 2.5), ("Joules", 2.5)]
        .map(|(unit, of)| value(&format!("unit-{unit}"), unit, of));
    let rows = |other: &str| -> Vec<Value> {
        let text = stdout(&run(&["stat", "diff", "--json", &ns, other]));
        let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
        rows.filter(|row: &Value| row["event"] == "task-clock").collect()
    };
    let same = rows(&ms);
    assert_eq!((same.len(), &same[0]["unit"]), (1, &"ns".into()), "{same:?}");
    let text = stdout(&run(&["stat", "diff", &ns, &ms]));
    let row = text.lines().find(|line| line.contains("task-clock")).unwrap();
    assert_eq!(row.matches("2.50 msec").count(), 2, "{text}");
    assert_eq!(rows(&joules).len(), 2, "numbers of two units are in two rows");
}

/// Programs read these also where they are started on a terminal.
#[test]
fn lines_for_programs_are_never_broken() {
    let args = ["stat", "--compare", "true", "true", "-r", "2", "-e", "page-faults", "--json"];
    let text = crate::terminal::shown(60, &args, &[], |command, terminal| command.stdout(terminal));
    let lines = text.lines().filter(|line| line.starts_with('{'));
    assert!(lines.clone().count() >= 3, "{text}");
    for line in lines {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}
