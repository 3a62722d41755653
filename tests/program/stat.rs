//! Counting a command.

use crate::{counterpoint, has_tools, root, rows, run, stderr, stdout};
use std::process::Command;

/// A program that touches `argv[1]` fresh pages, built with the machine's C compiler.
fn toucher() -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("touch_pages.c"), folder.join("touch_pages"));
    let text = r#"
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv) {
    long pages = atol(argv[1]), size = sysconf(_SC_PAGESIZE);
    if (pages == 0) return 0;
    char *memory = mmap(0, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    madvise(memory, pages * size, MADV_NOHUGEPAGE);
    for (long page = 0; page < pages; page++) memory[page * size] = 1;
    return 0;
}
"#;
    // Built once, and put in place whole, as several tests ask for it at the same time.
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        std::fs::write(&source, text).unwrap();
        let status =
            Command::new("gcc").arg("-O1").arg("-o").arg(&program).arg(&source).status().unwrap();
        assert!(status.success());
    });
    program
}

fn value(row: &serde_json::Value) -> f64 {
    row["value"].as_f64().unwrap_or_else(|| panic!("no value: {row}"))
}

#[test]
fn pages_touched_are_page_faults_counted() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let program = toucher();
    let faults = |pages: u64| {
        let pages = pages.to_string();
        let args = ["stat", "-e", "page-faults", "--json", "--", program.to_str().unwrap(), &pages];
        let output = run(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        value(&rows(&output).0[0])
    };
    // The page faults of the same program without touching anything vary by a few pages from run to run.
    let baselines: Vec<f64> = (0..5).map(|_| faults(0)).collect();
    let lowest = baselines.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = baselines.iter().copied().fold(0.0, f64::max);
    for pages in [100, 1000, 5000] {
        let more = faults(pages);
        let slack = highest - lowest + 4.0;
        assert!(more >= lowest + pages as f64 - slack, "{pages}: {more} beside {baselines:?}");
        assert!(more <= highest + pages as f64 + slack, "{pages}: {more} beside {baselines:?}");
    }
}

#[test]
fn a_derived_event_is_the_ratio_of_the_printed_counts() {
    let events = "FAULTS_PER_MS,page-faults,task-clock";
    let args = [
        "stat",
        "-f",
        "fixtures/definitions/first.csv",
        "-e",
        events,
        "--json",
        "--",
        "ls",
        "-R",
        "crates",
    ];
    let output = run(&args);
    let (rows, summary) = rows(&output);
    let names: Vec<&str> = rows.iter().map(|row| row["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["FAULTS_PER_MS", "page-faults", "task-clock"]);
    let ratio = value(&rows[1]) / (value(&rows[2]) / 1e6);
    assert!((value(&rows[0]) - ratio).abs() <= ratio * 1e-12, "{} and {ratio}", value(&rows[0]));
    assert_eq!(summary["summary"]["exit_status"], 0);
}

#[test]
fn all_eight_types_compute_from_the_counts() {
    let output = run(&[
        "stat",
        "-f",
        "fixtures/definitions/eight_types.csv",
        "-e",
        "task-clock,page-faults,minor-faults,T_NOT,T_ADD,T_SUB,T_CMPD,T_POSTFIX,T_INFIX,T_PS,T_ADD_PS,T_NESTED",
        "--json",
        "--",
        "ls",
        "-R",
        "crates",
    ]);
    let (rows, _) = rows(&output);
    let row = |name: &str| rows.iter().find(|row| row["event"] == name).unwrap();
    let of = |name: &str| value(row(name));
    let (clock, faults, minor) = (of("task-clock"), of("page-faults"), of("minor-faults"));
    assert_eq!(of("T_NOT"), faults);
    assert_eq!(of("T_ADD"), faults + minor);
    assert_eq!(of("T_SUB"), faults - minor);
    assert_eq!(of("T_CMPD"), faults);
    assert_eq!(of("T_POSTFIX"), faults * 2.0 + minor);
    assert_eq!(of("T_INFIX"), (faults - minor) * 10.0 + 1.0);
    assert_eq!(of("T_NESTED"), 2.0 * (faults + minor));
    match counterpoint::perf::Host::local().max_mhz() {
        Some(mhz) => {
            let per_second = faults * mhz * 1e6 / clock;
            assert!((of("T_PS") / per_second - 1.0).abs() < 1e-9);
            let both = (faults + minor) * mhz * 1e6 / clock;
            assert!((of("T_ADD_PS") / both - 1.0).abs() < 1e-9);
        }
        None => {
            println!("skipped: this machine does not tell its clock rate, so PS has no value");
            assert_eq!(row("T_PS")["status"], "not-counted");
        }
    }
}

#[test]
fn the_text_has_value_name_and_comment_in_columns() {
    let output = run(&["stat", "-e", "task-clock,page-faults", "--", "true"]);
    let text = stderr(&output);
    assert!(stdout(&output).is_empty());
    let line = |name: &str| {
        text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{text}"))
    };
    assert!(
        line("task-clock").contains("msec task-clock")
            && line("task-clock").contains("CPUs utilized")
    );
    assert!(line("page-faults").contains("/sec"));
    // Values end in the same column.
    let end = |line: &str| {
        let value = line.split_whitespace().next().unwrap();
        line.find(value).unwrap() + value.len()
    };
    assert_eq!(end(line("task-clock")), end(line("page-faults")));
    for part in ["seconds time elapsed", "seconds user", "seconds sys"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_exit_status_is_the_commands_own() {
    let status = |args: &[&str]| run(args).status.code();
    assert_eq!(status(&["stat", "-e", "task-clock", "--", "true"]), Some(0));
    assert_eq!(status(&["stat", "-e", "task-clock", "--", "sh", "-c", "exit 7"]), Some(7));
    assert_eq!(status(&["stat", "-e", "task-clock", "--", "sh", "-c", "kill -9 $$"]), Some(137));
    assert_eq!(status(&["stat", "-e", "task-clock", "no-such-command-anywhere"]), Some(127));
    assert_eq!(status(&["stat", "-e", "task-clock", "--", "/etc/passwd"]), Some(126));
}

#[test]
fn children_and_threads_are_counted_unless_told_otherwise() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let faults = |more: &[&str]| {
        let mut args = vec!["stat", "-e", "page-faults", "--json"];
        args.extend(more);
        let program = toucher();
        let script = format!("{} 3000", program.display());
        args.extend(["--", "sh", "-c", script.as_str(), ""]);
        // A shell may replace itself by its last command; the colon keeps it from doing so.
        let script = format!("{script}; :");
        let at = args.len() - 2;
        args[at] = &script;
        value(&rows(&run(&args)).0[0])
    };
    let (all, own) = (faults(&[]), faults(&["--no-inherit"]));
    assert!(all > own + 2900.0, "{all} with children, {own} without");
}

#[test]
fn repeats_give_mean_and_error_and_run_that_often() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("repeats.txt");
    let _ = std::fs::remove_file(&file);
    let script = format!("echo x >> {}", file.display());
    let output = run(&[
        "stat",
        "-r",
        "4",
        "-e",
        "page-faults,task-clock",
        "--json",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "x\n".repeat(4));
    let (rows, summary) = rows(&output);
    assert_eq!(rows[0]["runs"], 4);
    assert_eq!(rows[0]["mean"], rows[0]["value"]);
    assert_eq!(summary["summary"]["runs"], 4);
    let summary = &summary["summary"];
    let times = ["elapsed_runs_s", "user_runs_s", "sys_runs_s"].map(|key| &summary[key]);
    for runs in [&rows[0], &rows[1]].into_iter().chain(times) {
        let number = |key: &str| runs[key].as_f64().unwrap_or_else(|| panic!("{key}: {runs}"));
        let values: Vec<f64> =
            runs["values"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        assert_eq!((values.len(), &runs["runs"]), (4, &4.into()));
        let mean = values.iter().sum::<f64>() / 4.0;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / 3.0).sqrt() / 2.0;
        let near = |one: f64, two: f64| (one - two).abs() <= 1e-6 * two.abs().max(1e-3);
        assert!(near(number("mean"), mean), "{runs}");
        assert!(near(number("standard_error"), error), "{runs}");
        assert!(near(number("stddev"), error * 2.0), "{runs}");
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!((number("min"), number("max")), (sorted[0], sorted[3]), "{runs}");
        assert!(near(number("median"), (sorted[1] + sorted[2]) / 2.0), "{runs}");
    }
    assert!(rows[0]["min"].is_u64() && rows[0]["values"][0].is_u64(), "exact counts stay exact");

    let text = stderr(&run(&["stat", "-r", "3", "-e", "task-clock", "--", "true"]));
    assert!(text.contains("(3 runs)") && text.contains("( ± "), "{text}");
    assert!(text.contains("± is the standard error of the mean of 3 runs"), "{text}");
    let one = stderr(&run(&["stat", "-e", "task-clock", "--", "true"]));
    assert!(!one.contains('±'), "{one}");
    let csv = stdout(&run(&["stat", "-r", "3", "-e", "task-clock", "--csv", "--", "true"]));
    let fields: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    for key in ["standard_error", "min", "median", "max"] {
        let column = fields[0].iter().position(|name| *name == key).unwrap();
        assert!(fields[1][column].parse::<f64>().is_ok(), "{key}: {csv}");
    }
    let help = stdout(&run(&["stat", "--help"]));
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("± its standard error"), "{help}");
}

#[test]
fn runs_in_which_the_command_fails_are_said() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures.txt");
    let stat = |options: &[&str], script: &str| {
        let _ = std::fs::remove_file(&file);
        run(&[&["stat", "-e", "task-clock"], options, &["--", "sh", "-c", script]].concat())
    };
    let path = file.display();
    let second = format!("echo x >> {path}; test $(wc -l < {path}) -ne 2 || exit 9");
    let each = format!("echo x >> {path}; exit $(wc -l < {path})");
    for (options, script, said, failed, code) in [
        (&["-r", "3"][..], "exit 4", "the command failed in all 3 runs: exit status 4", 3, 4),
        (&["-r", "3"], &second, "the command failed in 1 of 3 runs: exit status 9", 1, 9),
        (&["-r", "3"], &each, "the command failed in all 3 runs: first exit status 1", 3, 1),
        (&["-r", "2"], "kill -9 $$", "the command failed in all 2 runs: signal 9", 2, 137),
        (&[], "exit 4", "the command failed: exit status 4", 1, 4),
    ] {
        let output = stat(options, script);
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(code));
        let output = stat(&[options, &["--json"]].concat(), script);
        assert_eq!(rows(&output).1["summary"]["failed_runs"], failed);
        assert_eq!(stderr(&output), format!("counterpoint: {said}\n"));
    }
    let well = stat(&["-r", "2", "--json"], "exit 0");
    assert_eq!(rows(&well).1["summary"]["failed_runs"], 0);
    assert_eq!(stderr(&well), "");
}

#[test]
fn a_delay_leaves_out_the_beginning() {
    let busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 1.5";
    let clock = |more: &[&str]| {
        let args =
            [&["stat", "-e", "task-clock", "--json"], more, &["--", "sh", "-c", busy]].concat();
        value(&rows(&run(&args)).0[0])
    };
    let (whole, late) = (clock(&[]), clock(&["-D", "1200"]));
    assert!(late < whole / 2.0, "{late} of {whole}");
}

#[test]
fn a_timeout_ends_the_command() {
    let begun = std::time::Instant::now();
    let output = run(&["stat", "--timeout", "200", "-e", "task-clock", "--", "sleep", "60"]);
    assert!(begun.elapsed().as_secs() < 30);
    assert!(stderr(&output).contains("task-clock"));
    assert_eq!(output.status.code(), Some(128 + 15));
}

#[test]
fn intervals_add_up_to_the_whole() {
    let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    let output = run(&[
        "stat",
        "-I",
        "50",
        "-e",
        "task-clock,page-faults",
        "--json",
        "--",
        "sh",
        "-c",
        busy,
    ]);
    let (rows, summary) = rows(&output);
    // In an interval in which the command did not run nothing was counted.
    let ran =
        |row: &&serde_json::Value| row["event"] == "task-clock" && row["status"] != "not-counted";
    let clocks: Vec<f64> = rows.iter().filter(ran).map(value).collect();
    assert!(clocks.len() >= 2, "{clocks:?}");
    assert!(rows.iter().all(|row| row["interval_s"].as_f64().unwrap() > 0.0));
    let times = &summary["summary"];
    let cpu = times["user_s"].as_f64().unwrap() + times["sys_s"].as_f64().unwrap();
    let sum = clocks.iter().sum::<f64>() / 1e9;
    assert!((sum - cpu).abs() < 0.1 * cpu + 0.02, "intervals {sum} s, the process {cpu} s");
}

#[test]
fn the_result_goes_into_a_file() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("result.txt");
    let path = file.to_str().unwrap();
    let output = run(&["stat", "-o", path, "-e", "page-faults", "--", "echo", "hello"]);
    assert_eq!(stdout(&output), "hello\n");
    assert_eq!(stderr(&output), "");
    assert!(std::fs::read_to_string(&file).unwrap().contains("page-faults"));
}

#[test]
fn groups_and_modifiers_are_counted_as_written() {
    let events =
        "{task-clock:u,page-faults:u},page-faults:k,perf::PAGE-FAULTS,PERF_COUNT_SW_PAGE_FAULTS";
    let output = run(&["stat", "-e", events, "--json", "--", "ls"]);
    let (rows, _) = rows(&output);
    let canonical: Vec<&str> = rows.iter().map(|row| row["canonical"].as_str().unwrap()).collect();
    assert_eq!(&canonical[..3], ["task-clock:u", "page-faults:u", "page-faults:k"]);
    // Both of libpfm's names are the same event, opened once.
    assert_eq!(canonical[3], "page-faults");
    assert_eq!(rows[3]["raw"], rows[4]["raw"]);
    assert!(value(&rows[1]) <= value(&rows[3]));
}

#[test]
fn the_command_keeps_its_input_and_output() {
    use std::io::Write;
    let mut child = counterpoint(&["stat", "-e", "task-clock", "--", "cat"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"through\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stdout(&output), "through\n");
    assert!(root().exists() && stderr(&output).contains("task-clock"));
}

#[test]
fn no_delay_counts_from_the_beginning() {
    let (rows, _) = rows(&run(&["stat", "-D", "0", "-e", "page-faults", "--json", "--", "true"]));
    assert!(value(&rows[0]) > 10.0, "{rows:?}");
}

#[test]
fn repeats_keep_their_rows_apart() {
    let Some(_alone) = crate::may_count_cpus() else { return };
    let (rows, _) =
        rows(&run(&["stat", "-a", "-A", "-r", "2", "-e", "cpu-clock", "--json", "--", "true"]));
    assert!(rows.iter().all(|row| row["cpu"].is_u64() && row["runs"] == 2), "{rows:?}");
}

#[test]
fn the_levels_of_a_term_outlast_a_modifier() {
    let file = "fixtures/definitions/eight_types.csv";
    let events = "T_LEVELS:u,page-faults:u";
    let (rows, _) = rows(&run(&["stat", "-f", file, "-e", events, "--json", "--", "true"]));
    assert_eq!(value(&rows[0]), 0.0, "all in user space, less those in user space: {rows:?}");
    assert!(value(&rows[1]) > 0.0);
}

#[test]
fn a_script_without_its_interpreter_is_not_a_missing_command() {
    let folder = std::env::temp_dir().join(format!("counterpoint-script-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("solve");
    for (first, named) in
        [("#!/no/such/shell -e\n", "`/no/such/shell`"), ("#!/bin/sh\r\n", "`/bin/sh\\r`")]
    {
        std::fs::write(&script, first).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&script, mode).unwrap();
        let output = run(&["stat", "-e", "task-clock", "--", script.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(126), "{}", stderr(&output));
        let wanted = format!("its interpreter {named} does not exist");
        assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let output = run(&["stat", "-e", "task-clock", "--", "no-such-command"]);
    assert_eq!(output.status.code(), Some(127), "{}", stderr(&output));
}

#[test]
fn an_event_has_one_meaning_however_its_name_is_written() {
    let comments = |events: &str| {
        let output = run(&["stat", "-e", events, "--", "true"]);
        let text = stderr(&output);
        text.lines().filter_map(|line| line.split_once('#')).count()
    };
    for events in [
        "task-clock,page-faults",
        "perf::task-clock,perf::page-faults",
        "PERF::task-clock,PERF::page-faults",
        "PERF::TASK-CLOCK,perf_event:::perf::PAGE-FAULTS",
    ] {
        assert_eq!(comments(events), 2, "{events}");
    }
}
