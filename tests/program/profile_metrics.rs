//! `profile -M` and `report -M`: of a program with functions of known rates, and of recordings of `:S` groups beside what perf says of them.

use crate::recordings::{event, pair, path, record, report};
use crate::{access, has_tools, run, stderr, stdout};
use counterpoint_recording::file::{Contents, Event, Facts, Writer, comm, mmap};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// Calls two functions in turn, of which one writes to 4096 new pages each time and the other to none, and prints how many milliseconds of CPU time each takes.
const TOUCH: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#define PAGE 4096
#define PAGES 4096
#define FUNCTION __attribute__((noinline, noclone))
static volatile unsigned long sink;
FUNCTION void works(long rounds) {
    for (long i = 0; i < rounds; i++) sink += i;
}
FUNCTION void touches(char *memory) {
    for (long page = 0; page < PAGES; page++) {
        memory[page * PAGE] = 1;
        works(4000);
    }
}
FUNCTION void rests(long rounds) {
    for (long i = 0; i < rounds; i++) sink += i;
}
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * time.tv_sec + 1e-6 * time.tv_nsec;
}
int main(int count, char **words) {
    double touching = 0, resting = 0;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    for (long i = 0; i < 25; i++) {
        char *memory = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        double begin = now();
        touches(memory);
        double middle = now();
        rests(PAGES * 4000);
        resting += now() - middle;
        touching += middle - begin;
        munmap(memory, PAGES * PAGE);
    }
    printf("%.3f %.3f\n", touching, resting);
    return 0;
}
"#;

const METRICS: &str = "metric faults_per_ms
 formula `page-faults` / (`task-clock` / 1000000)
 unit /ms
 about Page faults in a millisecond of CPU time.

metric faults
 formula `page-faults`
 about Page faults.

metric time
 formula `task-clock`
";

/// The program, and the file of metrics.
fn touch() -> [String; 2] {
    static BUILT: Once = Once::new();
    let (source, program, metrics) = (path("touch.c"), path("touch"), path("touch.metrics"));
    BUILT.call_once(|| {
        std::fs::write(&source, TOUCH).unwrap();
        std::fs::write(&metrics, METRICS).unwrap();
        let mut gcc = Command::new("gcc");
        // With optimization, a function that calls no other one has no frame.
        gcc.args(["-O0", "-g", "-o"]);
        assert!(gcc.arg(&program).arg(&source).status().unwrap().success());
    });
    [program, metrics].map(|path| path.to_str().unwrap().to_string())
}

fn numbers(of: &Value) -> Vec<f64> {
    of["counts"].as_array().unwrap().iter().map(|count| count.as_f64().unwrap()).collect()
}

/// The row of a function in a list of them.
fn function<'v>(group: &'v Value, list: &str, name: &str) -> &'v Value {
    let mut rows = group[list].as_array().unwrap().iter();
    rows.find(|row| row["function"] == name).unwrap_or_else(|| panic!("no {name}: {group}"))
}

#[test]
fn functions_have_the_rates_that_the_program_measures_itself() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let [program, metrics] = touch();
    let result = path("touch.json");
    let options = ["-F", "4000", "-g", "--format", "json", "-o", result.to_str().unwrap()];
    let args = [&["profile", "-M", "faults_per_ms,faults", "-f", &metrics], &options[..]].concat();
    let output = run(&[&args[..], &["--", &program]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (touching, _) = stdout(&output)
        .trim()
        .split_once(' ')
        .map(|(a, b)| (a.to_string(), b.to_string()))
        .unwrap();
    let expected = 25.0 * 4096.0 / touching.parse::<f64>().unwrap();
    let line: Value = serde_json::from_str(&std::fs::read_to_string(result).unwrap()).unwrap();
    let group = &line["groups"][0];
    assert_eq!(group["events"], serde_json::json!(["task-clock", "page-faults"]));
    let rate = |name: &str| {
        let value = &function(group, "with_called", name)["values"][0];
        assert_eq!(value["mixed"], false, "{name}: {value}");
        (value["value"].as_f64().unwrap(), value["error"].as_f64().unwrap())
    };
    let (found, error) = rate("touches");
    // At both ends of a call, an interval has a part of what is beside it.
    let room = 4.0 * error + 0.05 * expected;
    assert!((found - expected).abs() < room, "{found} ± {error}, and not {expected}");
    assert!(error < 0.05 * expected, "{error} of {expected}");
    // A stray fault of the rests is one of many milliseconds.
    let (resting, error) = rate("rests");
    assert!(resting < 0.02 * expected, "{resting} ± {error}");
    // Every count is that of one function, one stack, and at most one line.
    let all = numbers(&group["all"]);
    // What is counted before the first sample belongs to none.
    assert!(all[1] > 0.95 * 25.0 * 4096.0, "{all:?}");
    for list in ["functions", "stacks"] {
        let rows = group[list].as_array().unwrap();
        let sums =
            rows.iter().map(numbers).fold([0.0; 2], |sums, of| [sums[0] + of[0], sums[1] + of[1]]);
        assert_eq!(sums.to_vec(), all, "{list}");
    }
    // A metric that is a sum is a part of the whole.
    let faults = |of: &Value| of["values"][1]["value"].as_f64();
    assert_eq!(faults(&group["all"]), Some(all[1]));
    for row in group["functions"].as_array().unwrap() {
        // Of one interval, no error is known.
        let expected = (row["samples"] != 1).then(|| numbers(row)[1]);
        assert_eq!(faults(row), expected, "{row}");
    }
    // What runs for less than an interval has the rates of what is around it, and that is said.
    assert_ne!(function(group, "functions", "works")["values"][0]["mixed"], false);
}

#[test]
fn tables_fit_the_terminal_and_pages_have_the_values() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let [program, metrics] = touch();
    let (file, page) = (path("touch.perf"), path("touch.html"));
    let [file, page] = [&file, &page].map(|path| path.to_str().unwrap());
    let record = ["record", "-q", "-M", "faults_per_ms", "-f", &metrics, "-g", "-o", file, "--"];
    let output = run(&[&record[..], &[&program]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown =
        report(Path::new(file), &["-M", "faults_per_ms", "--metrics", &metrics, "--html", page]);
    assert!(shown.contains("faults_per_ms is in /ms"), "{shown}");
    for heading in ["function", "function with what it called", "line", "stack"] {
        let is_it = |line: &str| line.trim().ends_with(&format!("faults_per_ms  {heading}"));
        assert!(shown.lines().any(is_it), "{heading}: {shown}");
    }
    let has_value = |line: &str| line.contains(" ± ") && line.ends_with("touches  touch");
    assert!(shown.lines().any(has_value), "{shown}");
    let annotate = ["annotate", "--metric", "faults_per_ms", "--metrics", &metrics, "works", file];
    let output = run(&annotate);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines = stdout(&output);
    let is_loop = |line: &str| line.contains(" ± ") && line.contains("sink += i");
    assert!(lines.contains(" works in ") && lines.lines().any(is_loop), "{lines}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(r#""metrics":["faults_per_ms (/ms)"]"#) && page.contains(" ± "));
    // perf reads the counts, too.
    if has_tools(&["perf"]) {
        let perf = Command::new("perf")
            .args(["script", "-F", "event,period", "-i", file])
            .output()
            .unwrap();
        let perf = stdout(&perf);
        assert!(perf.contains("page-faults:") && perf.contains("task-clock:"), "{}", perf.len());
    }
}

#[test]
fn counts_of_a_recording_of_perf_are_those_of_perf_script() {
    if !has_tools(&["gcc", "perf"]) {
        return;
    }
    let [program, metrics] = touch();
    let file = path("touch-perf.perf");
    let record =
        ["record", "-q", "-e", "{task-clock,page-faults}:S", "-o", file.to_str().unwrap(), "--"];
    let perf = Command::new("perf").args(record).arg(&program).output().unwrap();
    assert!(perf.status.success(), "{}", stderr(&perf));
    let json = report(&file, &["-M", "faults_per_ms", "--metrics", &metrics, "--format", "json"]);
    let line: Value = serde_json::from_str(&json).unwrap();
    let group = &line["groups"][0];
    let script = ["script", "-F", "event,period,ip,sym", "-i", file.to_str().unwrap()];
    let script = stdout(&Command::new("perf").args(script).output().unwrap());
    let mut expected: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for line in script.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [period, event, _, function] = words[..] else { panic!("{line}") };
        let counts = expected.entry(function.to_string()).or_default();
        counts[usize::from(event == "page-faults:")] += period.parse::<f64>().unwrap();
    }
    for name in ["works", "touches", "rests"] {
        let found = numbers(function(group, "functions", name));
        assert_eq!(found, expected[name], "{name}: {script}");
    }
    let sums = expected.values().fold([0.0; 2], |sums, of| [sums[0] + of[0], sums[1] + of[1]]);
    assert_eq!(numbers(&group["all"]), sums);
}

const IP: u64 = 1 << 0;
const TID: u64 = 1 << 1;
const TIME: u64 = 1 << 2;
const READ: u64 = 1 << 4;
const IDENTIFIER: u64 = 1 << 16;
const USER: u16 = 2;
/// The ids and the counts of a group.
const GROUP: u64 = 1 << 2 | 1 << 3;
const TRAILER: usize = 3 * 8;

/// The events `cycles` and `instructions` in a group, of which each thread has counts of its own.
fn events(flags: u64) -> [Event; 2] {
    let kinds = IDENTIFIER | IP | TID | TIME | READ;
    let of = |name, id, code, period| {
        event(name, id, &[(8, code), (16, period), (24, kinds), (32, GROUP), (40, 1 << 1 | flags)])
    };
    [of("cycles:u", 1, 0, 1000), of("cpu/instructions/u", 2, 1, 0)]
}

/// A recording of these samples: the thread, the module, and the cycles and instructions since the start.
fn counted(name: &str, flags: u64, samples: &[(u32, u64, u64, u64)]) -> PathBuf {
    let first = |mut record: Vec<u8>| {
        let start = record.len() - TRAILER;
        record[start..].copy_from_slice(&[pair(70, 70), 1, 1].map(u64::to_ne_bytes).concat());
        record
    };
    let mut records = vec![
        first(comm(70, 70, b"solve", TRAILER)),
        first(mmap(Contents::Code(70), 0x1000..0x2000, 0, b"/nowhere/fast", TRAILER)),
        first(mmap(Contents::Code(70), 0x2000..0x3000, 0, b"/nowhere/slow", TRAILER)),
    ];
    for (time, (tid, module, cycles, instructions)) in (100..).zip(samples) {
        let ip = 0x1010 + 0x1000 * module;
        let words = [1, ip, pair(70, *tid), time, 2, *cycles, 1, *instructions, 2];
        records.push(record(9, USER, &words));
    }
    let path = path(name);
    let mut writer = Writer::begin(File::create(&path).unwrap(), &events(flags)).unwrap();
    records.iter().for_each(|record| writer.records(record).unwrap());
    writer.finish(&Facts::default()).unwrap();
    path
}

fn ipc(file: &Path) -> Value {
    let json = report(file, &["-M", "ipc,cpi", "--format", "json"]);
    serde_json::from_str(&json).unwrap()
}

/// The row of the only function of a module.
fn module<'v>(group: &'v Value, name: &str) -> &'v Value {
    let mut rows = group["functions"].as_array().unwrap().iter();
    rows.find(|row| row["module"] == name).unwrap()
}

#[test]
fn instructions_per_cycle_are_those_that_one_computes_by_hand() {
    // Two threads: one is in the first module for eleven samples, and the other in the second; the counts of each go on by themselves.
    let mut samples = Vec::new();
    for number in 1..=11 {
        let more = if number % 2 == 0 { 100 } else { 0 };
        samples.push((70, 0, 1000 * number, 3000 * number + more));
        samples.push((71, 1, 1000 * number, 500 * number));
    }
    // A thread with the id of the first one begins with lower counts.
    samples.push((70, 0, 400, 800));
    let file = counted("ipc.perf", 0, &samples);
    let line = ipc(&file);
    let group = &line["groups"][0];
    assert_eq!(group["sampled"], "cycles:u");
    let [fast, slow] = ["fast", "slow"].map(|name| module(group, name));
    // All counts, also those before the first samples: 11,000 + 400 cycles, and 33,000 + 0 + 800 instructions.
    assert_eq!(numbers(fast), [11_400.0, 33_800.0]);
    assert_eq!(numbers(slow), [11_000.0, 5_500.0]);
    assert_eq!(numbers(&group["all"]), [22_400.0, 39_300.0]);
    let number = |of: &Value, metric: usize, key: &str| of["values"][metric][key].as_f64().unwrap();
    // Ten intervals lie between samples of the first thread: 3100 and 2900 instructions in turn, of 1000 cycles each.
    assert_eq!((number(fast, 0, "value"), number(fast, 0, "intervals")), (3.0, 10.0));
    // The mean of ten values that differ from 3 by 0.1 each: 0.1 / sqrt(9).
    assert!((number(fast, 0, "error") - 0.1 / 3.0).abs() < 1e-12, "{fast}");
    assert_eq!((number(slow, 0, "value"), number(slow, 0, "error")), (0.5, 0.0));
    assert_eq!(number(slow, 1, "value"), 2.0);
    assert!([fast, slow].iter().all(|of| of["values"][0]["mixed"] == false && of["held"] == 1.0));
    let table = report(&file, &["-M", "ipc"]);
    assert!(table.contains("3.000 ± 0.033") && table.contains("cycles:u"), "{table}");
}

#[test]
fn functions_that_alternate_have_no_value_that_could_be_wrong() {
    // In turn, so that no interval begins and ends in the same.
    let turns: Vec<_> =
        (1..=40).map(|number| (70, number % 2, 1000 * number, 1500 * number)).collect();
    let line = ipc(&counted("turns.perf", 0, &turns));
    let group = &line["groups"][0];
    for name in ["fast", "slow"] {
        assert!(module(group, name)["values"][0].is_null(), "{group}");
    }
    assert_eq!(group["all"]["values"][0]["value"], 1.5);
    // Two samples each in turn: some intervals are of one module, and nothing shows that it ran through them.
    let pairs: Vec<_> =
        (1..=40).map(|number| (70, number / 2 % 2, 1000 * number, 1500 * number)).collect();
    let line = ipc(&counted("pairs.perf", 0, &pairs));
    for name in ["fast", "slow"] {
        assert_eq!(module(&line["groups"][0], name)["values"][0]["mixed"], true, "{line}");
    }
    let table = report(&path("pairs.perf"), &["-M", "ipc"]);
    assert!(table.contains("~1.500") && table.contains("~ marks"), "{table}");
}

#[test]
fn the_first_counts_are_left_out_where_records_were_overwritten() {
    const WRITE_BACKWARD: u64 = 1 << 27;
    let samples: Vec<_> = (100..110).map(|number| (70, 0, 1000 * number, 2000 * number)).collect();
    let line = ipc(&counted("overwritten.perf", WRITE_BACKWARD, &samples));
    let group = &line["groups"][0];
    assert_eq!(numbers(&group["all"]), [9000.0, 18_000.0]);
    assert_eq!(group["all"]["samples"], 10);
    let notes = group["notes"].to_string();
    assert!(notes.contains("overwritten: 1"), "{notes}");
}

#[test]
fn what_cannot_be_counted_between_samples_is_said() {
    let metrics = path("refused.metrics");
    std::fs::write(&metrics, METRICS).unwrap();
    let metrics = metrics.to_str().unwrap();
    let plain = counted("refused.perf", 0, &[(70, 0, 1000, 1000)]);
    let plain = plain.to_str().unwrap();
    for (args, expected) in [
        (
            &["profile", "-M", "page_fault_rate", "--", "true"][..],
            "duration_time is read for the whole program",
        ),
        (
            &["profile", "-M", "nothing", "--", "true"],
            "no metric and no group of metrics is called `nothing`",
        ),
        (
            &[
                "profile",
                "-M",
                "faults",
                "-f",
                metrics,
                "-e",
                "page-faults,task-clock",
                "--",
                "true",
            ],
            "one event",
        ),
        (
            &["profile", "-M", "faults", "-f", metrics, "--format", "svg", "--", "true"],
            "--format table or json",
        ),
        (
            &["profile", "-M", "time", "-f", metrics, "--", "false"],
            "the samples of task-clock show all that is asked for",
        ),
        (&["profile", "--metrics", metrics, "--", "true"], "none is shown"),
        (&["report", "--metrics", metrics, plain], "none is shown"),
        (&["annotate", "--metrics", metrics, "solve", plain], "none is shown"),
        (&["annotate", "--metric", "ipc", "solve", plain], "no function `solve` has samples"),
        (
            &["annotate", "--metric", "ipc", "--format", "json", "solve", plain],
            "--metric is for the table",
        ),
        (
            &["report", "-M", "faults", "--metrics", metrics, plain],
            "no samples have the events of faults together (page-faults); the events are cycles:u, cpu/instructions/u",
        ),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("  help: "), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_metric_whose_events_are_not_here_is_left_out_with_the_reason() {
    if !access().core_pmus.is_empty() {
        return println!("skipped: this machine has a PMU");
    }
    let metrics = path("left-out.metrics");
    std::fs::write(&metrics, format!("{METRICS}\nmetric my_ipc\n formula instructions / cycles\n"))
        .unwrap();
    let metrics = metrics.to_str().unwrap();
    let output = run(&["profile", "-M", "my_ipc", "-f", metrics, "--", "true"]);
    let said = stderr(&output);
    assert!(said.contains("my_ipc: instructions: no core PMU"), "{said}");
    let output = run(&["profile", "-M", "my_ipc,faults", "-f", metrics, "--", "true"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("left out: my_ipc: instructions: no core PMU"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn values_over_levels_that_are_not_sampled_are_marked() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let [program, metrics] = touch();
    for (option, is_marked) in
        [(Some("--all-kernel"), true), (Some("--all-user"), true), (None, false)]
    {
        let result = path("levels.json");
        let mut args = vec!["profile", "-M", "faults_per_ms", "-f", &metrics, "-F", "2000"];
        args.extend(["--format", "json", "-o", result.to_str().unwrap()]);
        args.extend(option);
        args.extend(["--", &program]);
        let output = run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let line: Value = serde_json::from_str(&std::fs::read_to_string(&result).unwrap()).unwrap();
        let group = &line["groups"][0];
        assert_eq!(group["all"]["values"][0]["mixed"], is_marked, "{option:?}: {group}");
        let functions = group["functions"].as_array().unwrap();
        let marks = functions.iter().map(|row| &row["values"][0]["mixed"]);
        let unmarked = marks.filter(|mark| **mark == false).count();
        assert!(!is_marked || unmarked == 0, "{option:?}: {group}");
    }
}
