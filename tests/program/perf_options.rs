//! The options of `perf stat` that are accepted, beside the system's perf where it is installed.

use crate::{has_tools, rows, run, stderr, stdout};
use std::process::Command;

/// The output of `perf` on stderr, if it is installed.
fn of_perf(args: &[&str]) -> Option<String> {
    if !has_tools(&["perf"]) {
        return None;
    }
    Some(stderr(&Command::new("perf").args(args).output().unwrap()))
}

fn fields(text: &str, separator: char) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(separator).map(str::to_string).collect()).collect()
}

/// The fields that do not differ from run to run.
fn fixed(line: &[String], numbers: &[usize]) -> Vec<String> {
    let name = |(at, field): (usize, &String)| {
        if numbers.contains(&at) {
            field.parse::<f64>().map_or(field.clone(), |_| "a number".to_string())
        } else {
            field.clone()
        }
    };
    line.iter().enumerate().map(name).collect()
}

#[test]
fn separated_fields_are_those_of_perf() {
    let args = ["stat", "-x", ";", "-e", "task-clock,page-faults,context-switches:u", "true"];
    let output = run(&args);
    assert!(stdout(&output).is_empty(), "{}", stdout(&output));
    let ours = fields(&stderr(&output), ';');
    assert_eq!(ours.len(), 3, "{ours:?}");
    assert_eq!(ours[0][1..3], ["msec", "task-clock"]);
    assert_eq!(ours[0].len(), 7, "{ours:?}");
    let (ms, ns) = (ours[0][0].parse::<f64>().unwrap(), ours[0][3].parse::<f64>().unwrap());
    assert!((ms - ns / 1e6).abs() < 0.2, "the clock and the time on a counter: {ours:?}");
    assert!(ours[1][0].parse::<u64>().unwrap() > 10, "{ours:?}");
    let Some(text) = of_perf(&args) else { return };
    let perf = fields(&text, ';');
    // The value, the time, and the rate with its unit depend on the run.
    for (ours, perf) in ours.iter().zip(&perf).take(2) {
        assert_eq!(fixed(&ours[..6], &[0, 3, 5]), fixed(&perf[..6], &[0, 3, 5]));
    }
}

#[test]
fn separated_fields_of_runs_have_the_error_and_the_time_of_one_run() {
    let args = ["stat", "-x,", "-r", "4", "-e", "task-clock", "true"];
    let line = fields(&stderr(&run(&args)), ',').remove(0);
    assert!(line[3].strip_suffix('%').unwrap().parse::<f64>().unwrap() >= 0.0, "{line:?}");
    let (ms, ns) = (line[0].parse::<f64>().unwrap(), line[4].parse::<f64>().unwrap());
    assert!((ms - ns / 1e6).abs() < 0.1 * ms + 0.1, "{line:?}");
    let Some(text) = of_perf(&args) else { return };
    let perf = fields(&text, ',').remove(0);
    assert_eq!(perf.len(), line.len(), "{perf:?} {line:?}");
}

#[test]
fn a_count_of_intervals_ends_what_has_no_command() {
    let pid = std::process::id().to_string();
    let args =
        ["stat", "-I", "20", "--interval-count", "3", "-e", "page-faults", "-x,", "-p", &pid];
    let lines = fields(&stderr(&run(&args)), ',');
    assert_eq!(lines.len(), 3, "{lines:?}");
    let ends: Vec<f64> = lines.iter().map(|line| line[0].trim().parse().unwrap()).collect();
    assert!(ends.is_sorted() && ends[0] >= 0.02, "{ends:?}");
    let with_command = ["stat", "-I", "20", "--interval-count", "2", "-e", "task-clock", "-j"];
    let output = run(&[&with_command[..], &["--", "sleep", "0.2"]].concat());
    let rows = stdout(&output).lines().filter(|line| line.contains("interval_s")).count();
    assert_eq!(rows, 2, "{}", stdout(&output));
    let refused = run(&["stat", "--interval-count", "2", "true"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--interval <MS>"), "{}", stderr(&refused));
}

#[test]
fn without_events_only_the_times_of_a_command_are_printed() {
    let output = run(&["stat", "--null", "--", "sh", "-c", "sleep 0.05; exit 3"]);
    assert_eq!(output.status.code(), Some(3));
    let text = stderr(&output);
    assert!(text.contains("seconds time elapsed") && !text.contains("task-clock"), "{text}");
    let summary = stdout(&run(&["stat", "-n", "-j", "-r", "2", "--", "sleep", "0.05"]));
    let summary: serde_json::Value = serde_json::from_str(summary.trim()).unwrap();
    assert!(summary["summary"]["elapsed_s"].as_f64().unwrap() >= 0.05, "{summary}");
    let refused = run(&["stat", "-n", "-e", "task-clock", "true"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn separated_fields_of_perf_have_no_rows_of_cores() {
    for args in [&["-x,", "--per-core"][..], &["--format", "perf", "--per-socket"]] {
        let output = run(&[&["stat", "-a", "-e", "cpu-clock"], args, &["--", "true"]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("use --csv or --json"), "{}", stderr(&output));
    }
}

#[test]
fn a_separator_that_would_be_part_of_a_field_is_refused() {
    for separator in ["", "1", "a", "\n"] {
        let output = run(&["stat", "-x", separator, "-e", "task-clock", "true"]);
        assert_eq!(output.status.code(), Some(2), "{separator:?}");
        assert!(stderr(&output).contains("cannot separate fields"), "{}", stderr(&output));
    }
    let tab = stderr(&run(&["stat", "-x", "\\t", "-e", "task-clock", "true"]));
    assert_eq!(tab.trim_end_matches('\n').split('\t').count(), 7, "{tab}");
}

#[test]
fn numbers_have_no_separators_of_thousands_on_request() {
    let faults = |args: &[&str]| {
        let work =
            "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true; done";
        let args = [&["stat", "-e", "page-faults"], args, &["--", "sh", "-c", work]].concat();
        let text = stderr(&run(&args));
        let line = text.lines().find(|line| line.contains("page-faults")).unwrap_or_default();
        line.split_whitespace().next().unwrap_or_default().to_string()
    };
    let plain = faults(&["--no-big-num"]);
    assert!(plain.parse::<u64>().is_ok_and(|faults| faults >= 1000), "{plain}");
    for separated in [faults(&[]), faults(&["-B"]), faults(&["--no-big-num", "--big-num"])] {
        assert!(separated.contains(','), "{separated}");
    }
}

#[test]
fn levels_are_those_of_all_events_that_name_none() {
    let canonical = |args: &[&str]| {
        let args = [&["stat", "-j", "-e", "page-faults,context-switches:k"], args, &["true"]];
        let (rows, _) = rows(&run(&args.concat()));
        [&rows[0], &rows[1]].map(|row| row["canonical"].as_str().unwrap_or_default().to_string())
    };
    assert_eq!(canonical(&["--all-user"]), ["page-faults:u", "context-switches:k"]);
    assert_eq!(canonical(&["--all-kernel"]), ["page-faults:k", "context-switches:k"]);
    let refused = run(&["stat", "--all-user", "--all-kernel", "true"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_result_goes_to_a_descriptor() {
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let script = format!("{program} stat --log-fd 5 -e page-faults true 5>&1 2>/dev/null");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(stdout(&output).contains("page-faults"), "{}", stdout(&output));
    let closed = run(&["stat", "--log-fd", "77", "-e", "page-faults", "true"]);
    assert_eq!(closed.status.code(), Some(2));
    assert!(stderr(&closed).contains("file descriptor 77"), "{}", stderr(&closed));
}

#[test]
fn a_pattern_counts_each_event_that_matches() {
    let (rows, _) = rows(&run(&["stat", "-j", "-e", "*-faults,task-cl[ou]ck", "true"]));
    let events: Vec<&str> = rows.iter().filter_map(|row| row["event"].as_str()).collect();
    assert!(events.contains(&"page-faults") && events.contains(&"major-faults"), "{events:?}");
    assert_eq!(events.last(), Some(&"task-clock"));
    let nothing = run(&["stat", "-e", "task-clock,zz*", "true"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(stderr(&nothing).contains("no event here matches `zz*`"), "{}", stderr(&nothing));
    let many = stderr(&run(&["stat", "-e", "*-*", "true"]));
    assert!(many.contains("counterpoint: `*-*` stands for "), "{many}");
}

#[test]
fn a_filter_follows_a_tracepoint() {
    for (args, expected) in [
        (&["-e", "page-faults", "--filter", "pid > 1"][..], "`page-faults` is not a tracepoint"),
        (&["--filter", "pid > 1", "-e", "page-faults"], "no event before the filter `pid > 1`"),
        (&["--filter", "pid > 1"], "--event <EVENT,…>"),
    ] {
        let output = run(&[&["stat"], args, &["true"]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let counts = |filter: &str| {
        let event = ["-e", "syscalls:sys_enter_write", "--filter", filter];
        let output =
            run(&[&["stat", "-j"], &event[..], &["--", "sh", "-c", "echo a; echo b"]].concat());
        let is_readable = !stderr(&output).contains("tracefs");
        is_readable.then(|| rows(&output).0[0]["value"].as_u64())
    };
    let Some(all) = counts("fd >= 0") else {
        println!("skipped: needs tracepoints that this user may read");
        return;
    };
    assert_eq!((all, counts("fd == 77")), (Some(2), Some(Some(0))));
}

#[test]
fn an_option_that_only_perf_has_is_refused_with_what_to_use_instead() {
    for (args, instead) in [
        (&["--bpf-counters", "true"][..], "leave it out"),
        (&["--td-level", "2", "--topdown", "true"], "--topdown=LEVEL"),
        (&["--table", "-r", "2", "true"], "use -r N --json"),
    ] {
        let output = run(&[&["stat"][..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = stderr(&output);
        assert!(text.contains("is an option of perf that stat does not have"), "{text}");
        assert!(text.contains(instead), "{text}");
    }
    // Other commands, and other words, have the usual answer.
    assert!(stderr(&run(&["list", "--td-level"])).contains("unexpected argument '--td-level'"));
    assert!(stderr(&run(&["stat", "--jsn", "true"])).contains("`-j, --json`"));
    // Behind the command, options are its own.
    assert!(run(&["stat", "-e", "task-clock", "true", "--td-level"]).status.success());
}
