//! `--sort`, and the names of threads, of `counterpoint profile` and `counterpoint report`.

use crate::profile::json;
use crate::schema::check;
use crate::series::data;
use crate::symbols::folder;
use crate::{has_tools, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Three threads with names: of five turns, three are of `first`, one of `second`, and one of the main thread, which calls another function.
const THREADS: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/prctl.h>
volatile unsigned long sink;
#define SPIN(name, factor) __attribute__((noinline)) void name(long n) { \
    unsigned long sum = 0; \
    for (long i = 0; i < n; i++) { sum = sum * factor + i; __asm__ volatile("" :: "r"(sum)); } \
    sink += sum; }
SPIN(spin, 31)
SPIN(other, 33)
static void *work(void *second) {
    prctl(PR_SET_NAME, second ? "second" : "first");
    for (int i = 0; i < (second ? 100 : 300); i++) spin(1000000);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, (void *)1);
    for (int i = 0; i < 100; i++) other(1000000);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
"#;

/// The program; `None` without a compiler.
fn threads(name: &str) -> Option<String> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = folder(&format!("sort-{name}"));
    let (source, program) = (folder.join("threads.c"), folder.join("threads"));
    std::fs::write(&source, THREADS).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O1", "-pthread", "-o"]).args([&program, &source]);
    assert!(gcc.status().unwrap().success(), "{gcc:?}");
    Some(program.display().to_string())
}

/// A recording of the program, and what `report --format json` with these options says about it.
fn recording(program: &str) -> String {
    let path = Path::new(program).with_file_name("run.perf").display().to_string();
    let options = ["profile", "-e", "task-clock:u", "--format", "perf", "-o", &path, "--", program];
    let output = run(&options);
    assert!(output.status.success(), "{}", stderr(&output));
    path
}

fn checked(args: &[&str]) -> Value {
    let output = run(args);
    assert!(output.status.success(), "{}", stderr(&output));
    check("profile", &stdout(&output), &stderr(&output));
    json(&output)
}

/// The counts of the rows by these keys.
fn counts(profile: &Value, keys: &[&str]) -> BTreeMap<String, u64> {
    let rows = profile["sorted"].as_array().unwrap();
    let name = |row: &Value| {
        let texts = keys.iter().map(|key| match &row[key] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        texts.collect::<Vec<_>>().join(" ")
    };
    let all: BTreeMap<String, u64> =
        rows.iter().map(|row| (name(row), row["count"].as_u64().unwrap())).collect();
    assert_eq!(all.len(), rows.len(), "each row once: {profile}");
    assert_eq!(all.values().sum::<u64>(), profile["samples"].as_u64().unwrap(), "{profile}");
    all
}

/// Asserts that a row has this part of the samples, within five of the errors that it shows.
fn assert_part(profile: &Value, comm: &str, part: f64) {
    let rows = profile["sorted"].as_array().unwrap();
    let is_it = |row: &&Value| row["comm"] == comm;
    let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("{comm}: {rows:?}"));
    let (percent, error) = (row["percent"].as_f64().unwrap(), row["error"].as_f64().unwrap());
    assert!((percent - 100.0 * part).abs() < 5.0 * error, "{row}");
}

#[test]
fn samples_are_sorted_by_several_keys_in_recordings_and_live() {
    let Some(program) = threads("keys") else { return };
    let path = recording(&program);
    let report = ["report", &path, "--format", "json", "--sort"];
    let live = ["profile", "-e", "task-clock:u", "--format", "json", "--sort"];
    let recorded = |keys: &str| checked(&[&report[..], &[keys]].concat());
    let sampled = |keys: &str| checked(&[&live[..], &[keys, "--", &program]].concat());
    for profile in [recorded("comm,function"), sampled("comm,sym")] {
        let rows = counts(&profile, &["comm", "function"]);
        let has = |row: &str| rows.contains_key(row);
        assert!(has("first spin") && has("second spin") && has("threads other"), "{rows:?}");
        assert!(!has("first other") && !has("threads spin"), "{rows:?}");
        for (comm, part) in [("first", 0.6), ("second", 0.2), ("threads", 0.2)] {
            assert_part(&profile, comm, part);
        }
    }
    let by_line = counts(&recorded("srcline,dso"), &["line", "module"]);
    assert!(by_line.keys().any(|key| key.ends_with("threads.c:10 threads")), "{by_line:?}");
    for profile in [recorded("pid,tid"), sampled("pid,tid")] {
        assert_eq!(counts(&profile, &["pid", "tid"]).len(), 3, "{profile}");
        assert!(profile["sorted"][0]["pid"].is_u64(), "{profile}");
    }
    for profile in [recorded("cpu"), sampled("cpu")] {
        let cpus = counts(&profile, &["cpu"]);
        let are_numbers = cpus.keys().all(|cpu| cpu.parse::<u32>().is_ok());
        assert!(are_numbers && !cpus.is_empty(), "{cpus:?}");
    }
    let spin = checked(&[&report[..], &["comm", "--symbol", "spin"]].concat());
    assert_eq!(counts(&spin, &["comm"]).len(), 2, "{spin}");
}

#[test]
fn the_table_has_a_column_for_each_key_and_the_counts_of_perf() {
    let Some(program) = threads("table") else { return };
    let path = recording(&program);
    let table = stdout(&run(&["report", &path, "--sort", "comm,function"]));
    let row = |first: &str| {
        let is_it = |line: &&str| line.contains('±') && line.contains(first);
        table.lines().find(is_it).unwrap_or_else(|| panic!("{table}")).to_string()
    };
    assert!(row("first").ends_with("spin") && row(" threads ").ends_with("other"), "{table}");
    assert!(table.contains("samples  name of the thread  function"), "{table}");
    if has_tools(&["perf"]) {
        let mut perf = Command::new("perf");
        let output = perf.args(["report", "--stdio", "--sort", "comm,sym", "-i", &path]).output();
        let text = stdout(&output.unwrap());
        for comm in ["first", "second", "threads"] {
            let is_it = |line: &&str| line.split_whitespace().nth(1) == Some(comm);
            let line = text.lines().find(is_it).unwrap_or_else(|| panic!("{text}"));
            let percent = line.split_whitespace().next().unwrap();
            assert!(table.contains(&format!("{percent}  ±")), "{percent}: {table}");
        }
    }
    for (options, why) in [
        (["--sort", "comm,comm"], "--sort has `comm` twice"),
        (["--sort", "comm,nothing"], "possible values: function, line, module"),
    ] {
        let output = run(&[&["report", &path], &options[..]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn threads_are_named_in_the_table_the_json_and_the_page() {
    let Some(program) = threads("names") else { return };
    let path = recording(&program);
    let page = Path::new(&program).with_file_name("page.html");
    let html = ["report", &path, "--format", "json", "--html", page.to_str().unwrap()];
    for profile in [
        checked(&["profile", "-e", "task-clock:u", "--format", "json", "--", &program]),
        checked(&html),
    ] {
        let threads = profile["threads"].as_array().unwrap();
        let names: Vec<&str> = threads.iter().map(|of| of["comm"].as_str().unwrap()).collect();
        assert_eq!((names.len(), names[0]), (3, "first"), "{threads:?}");
        assert!(names.contains(&"second") && names.contains(&"threads"), "{names:?}");
        let samples: u64 = threads.iter().map(|of| of["samples"].as_u64().unwrap()).sum();
        assert_eq!(samples, profile["samples"].as_u64().unwrap());
        assert!(threads.iter().all(|of| of["pid"] == threads[0]["pid"]), "{threads:?}");
    }
    let table = stdout(&run(&["report", &path]));
    let row = table.lines().find(|line| line.contains("  first ")).unwrap();
    assert!(row.contains('±') && row.contains('/'), "{table}");
    let alone = stdout(&run(&["report", &path, "--comm", "first"]));
    assert!(!alone.contains("  thread\n"), "one thread needs no list: {alone}");

    let page = data(&std::fs::read_to_string(page).unwrap());
    assert!(page["title"].as_str().unwrap().ends_with("run.perf"), "{}", page["title"]);
    let sections = page["sections"].as_array().unwrap();
    let profile = sections.iter().find(|of| of["kind"] == "profile").unwrap();
    let threads = profile["threads"].as_array().unwrap();
    let names: Vec<&str> = threads.iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert!(names.len() == 3 && names.iter().any(|name| name.starts_with("first ")), "{names:?}");
    assert!(profile["interval"].as_f64().unwrap() < 0.1, "{}", profile["interval"]);
}
