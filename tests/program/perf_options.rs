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
        (&["--smi-cost", "true"][..], "msr/smi/"),
        (&["--cputype", "core", "true"], "cpu_core/cycles/"),
        (&["--no-scale", "true"], "use --json or --csv"),
    ] {
        let output = run(&[&["stat"][..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = stderr(&output);
        assert!(text.contains("is an option of perf that stat does not have"), "{text}");
        assert!(text.contains(instead), "{text}");
    }
    // Other commands, and other words, have the usual answer.
    assert!(stderr(&run(&["list", "--td-level"])).contains("`--td-level` is not an option of"));
    assert!(stderr(&run(&["stat", "--jsn", "true"])).contains("`-j, --json`"));
    // Behind the command, options are its own.
    assert!(run(&["stat", "-e", "task-clock", "true", "--td-level"]).status.success());
}

/// The objects of perf's JSON lines on stderr.
fn objects(text: &str) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn json_lines_of_perf_have_its_keys_in_its_order() {
    let events = ["-e", "page-faults,task-clock"];
    for (more, command) in [
        (&[][..], &["true"][..]),
        (&["-r", "3"], &["true"]),
        (&["-I", "100"], &["sh", "-c", "sleep 0.05; /bin/true; sleep 0.1"]),
        (&["-a", "-A"], &["true"]),
        (&["-a", "--per-socket"], &["true"]),
        (&["-a", "--per-node"], &["true"]),
        (&["-a", "--for-each-cgroup", "/"], &["true"]),
    ] {
        let _alone = crate::may_count_cpus();
        let args = [&events[..], more, &["--"], command].concat();
        let output = run(&[&["stat", "--format", "perf-json"], &args[..]].concat());
        assert!(stdout(&output).is_empty(), "{}", stdout(&output));
        let ours = objects(&stderr(&output));
        if ours.is_empty() {
            println!("skipped: {}", stderr(&output));
            continue;
        }
        let [fault, clock] = [&ours[0], &ours[ours.len() / 2]];
        assert_eq!((&fault["event"], &fault["unit"]), (&"page-faults".into(), &"".into()));
        assert_eq!(fault.contains_key("interval"), more.contains(&"-I"));
        assert!(clock.contains_key("counter-value"), "{clock:?}");
        for row in ours.iter().filter(|row| row["event"] == "task-clock" && !more.contains(&"-a")) {
            let ms: f64 = row["counter-value"].as_str().unwrap().parse().unwrap_or(0.0);
            let ns = row["event-runtime"].as_f64().unwrap();
            assert!((ms - ns / 1e6).abs() < 0.2 && row["unit"] == "msec", "{row:?}");
        }
        let Some(text) = of_perf(&[&["stat", "-j"], &args[..]].concat()) else { continue };
        let perf = objects(&text);
        let Some(theirs) = perf.first() else { continue };
        // Those of an event without a metric have no meaning in perf 6.1, and the number of CPUs of a part is not printed.
        let left_out = |key: &&String| *key != "aggregate-number" && !key.starts_with("metric");
        let keys = |row: &serde_json::Map<String, serde_json::Value>| -> Vec<String> {
            row.keys().filter(left_out).cloned().collect()
        };
        let (mut own, mut others) = (keys(fault), keys(theirs));
        own.sort();
        others.sort();
        assert_eq!(own, others, "{more:?}");
        for (key, value) in theirs.iter().filter(|(key, _)| own.contains(key)) {
            assert_eq!(value.is_string(), fault[key].is_string(), "{key}: {theirs:?} {fault:?}");
        }
        if !more.contains(&"-a") {
            assert_eq!(fault["metric-unit"].is_string(), theirs["metric-unit"].is_string());
        }
    }
}

#[test]
fn the_sum_follows_the_intervals_on_request() {
    let args = ["stat", "-I", "50", "--summary", "-j", "-e", "page-faults", "--"];
    let (rows, _) = rows(&run(&[&args[..], &["sh", "-c", "sleep 0.12; /bin/true"]].concat()));
    let value = |row: &serde_json::Value| row["value"].as_f64().unwrap_or(0.0);
    let (whole, intervals) = rows.split_last().unwrap();
    assert!(intervals.len() >= 2 && intervals.iter().all(|row| row["interval_s"].is_f64()));
    assert!(whole.get("interval_s").is_none(), "{whole}");
    assert_eq!(intervals.iter().map(value).sum::<f64>(), value(whole));
    let refused = run(&["stat", "--summary", "true"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_time_of_each_run_is_in_the_table() {
    let text = stderr(&run(&["stat", "-r", "3", "--table", "-e", "page-faults", "true"]));
    let table = text.split("Elapsed time of each run").nth(1).unwrap();
    let rows: Vec<(f64, f64)> = table
        .lines()
        .filter_map(|line| {
            let (seconds, rest) = line.trim().split_once(" (")?;
            Some((seconds.parse().ok()?, rest.split_once(')')?.0.parse().ok()?))
        })
        .collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows.iter().map(|(_, difference)| difference).sum::<f64>().abs() < 1e-6, "{rows:?}");
    assert!(!stderr(&run(&["stat", "-r", "2", "-e", "page-faults", "true"])).contains("each run"));
    let refused = run(&["stat", "--table", "true"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn only_metrics_are_printed_on_request() {
    let metric = ["stat", "-e", "page-faults", "-M", "page_fault_rate", "-j"];
    let (both, _) = rows(&run(&[&metric[..], &["true"]].concat()));
    let (only, _) = rows(&run(&[&metric[..], &["--metric-only", "true"]].concat()));
    assert_eq!((both.len(), only.len()), (2, 1));
    assert_eq!(only[0]["event"], "page_fault_rate");
    let none = run(&["stat", "--metric-only", "-e", "page-faults", "true"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("-M ipc"), "{}", stderr(&none));
}
