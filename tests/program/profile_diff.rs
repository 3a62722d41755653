//! `counterpoint report diff`: two recordings of a program whose turns are known.

use crate::schema::check;
use crate::symbols::folder;
use crate::{has_tools, objects, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// As many turns of `first`, `second` and `third` as its arguments say.
const TURNS: &str = r#"
#include <stdlib.h>
volatile unsigned long sink;
__attribute__((noinline)) void first(long n) { for (long i = 0; i < n; i++) sink = sink * 31 + i; }
__attribute__((noinline)) void second(long n) { for (long i = 0; i < n; i++) sink = sink * 33 + i; }
__attribute__((noinline)) void third(long n) { for (long i = 0; i < n; i++) sink = sink * 35 + i; }
int main(int argc, char **argv) {
    first(atol(argv[1]) * 100000);
    second(atol(argv[2]) * 100000);
    third(atol(argv[3]) * 100000);
    return 0;
}
"#;

/// The program, in a folder of its own; `None` without a compiler.
fn turns(name: &str) -> Option<String> {
    compiled(name, "turns", TURNS)
}

fn compiled(of: &str, name: &str, text: &str) -> Option<String> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = folder(&format!("diff-{of}"));
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O1", "-o"]).args([&program, &source]);
    assert!(gcc.status().unwrap().success(), "{gcc:?}");
    Some(program.display().to_string())
}

fn recorded(program: &str, file: &str, event: &str, turns: [&str; 3]) -> String {
    let path = Path::new(program).with_file_name(file).display().to_string();
    let options = ["profile", "-e", event, "-F", "4000", "--format", "perf", "-o", &path];
    let output = run(&[&options[..], &["--", program], &turns[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    path
}

fn diff(base: &str, other: &str) -> Value {
    let output = run(&["report", "diff", "--format", "json", base, other]);
    assert!(output.status.success(), "{}", stderr(&output));
    check("profile-diff", &stdout(&output), &stderr(&output));
    objects(&output).remove(0)
}

fn function<'a>(diff: &'a Value, name: &str) -> &'a Value {
    let functions = diff["functions"].as_array().unwrap();
    functions.iter().find(|of| of["function"] == name).unwrap_or_else(|| panic!("{diff}"))
}

/// Samples of events that are no clock stand for many each: what is compared are the events.
#[test]
fn counts_of_events_are_whole_and_those_of_few_samples_stay() {
    let Some(program) = turns("events") else {
        println!("skipped: no C compiler");
        return;
    };
    let file = recorded(&program, "faults.perf", "page-faults", ["1", "1", "1"]);
    let output = run(&["report", "--format", "json", &file]);
    let report = objects(&output).remove(0);
    let with_itself = diff(&file, &file);
    let counts = |of: &Value, count: &dyn Fn(&Value) -> Value| {
        let functions = of["functions"].as_array().unwrap().iter();
        let name = |of: &Value| (of["function"].to_string(), of["module"].to_string());
        functions.map(|of| (name(of), count(of))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(report["unit"], "events", "{report}");
    let of_report = counts(&report, &|of| of["count"].clone());
    assert_eq!(counts(&with_itself, &|of| of["base"]["count"].clone()), of_report);
    assert_eq!(counts(&with_itself, &|of| of["other"]["count"].clone()), of_report);
    let functions = with_itself["functions"].as_array().unwrap();
    assert!(functions.iter().all(|of| of["change"] == 0.0), "{with_itself}");
}

/// A program that stops has fewer samples of its page faults, and as many faults.
#[test]
fn what_is_compared_are_events_and_not_samples() {
    let Some(program) = faults() else {
        println!("skipped: no C compiler");
        return;
    };
    let (plain, stops) = (format!("{program} 0"), format!("{program} 200"));
    let compared = |options: &[&str]| {
        let compare = ["profile", "--compare", &plain, &stops, "-e", "page-faults", "-r", "4"];
        let output = run(&[&compare[..], options, &["--format", "json"]].concat());
        objects(&output).remove(0)
    };
    let compared_at = |options: &[&str], unit: &str| {
        let compared = compared(options);
        assert_eq!(compared["unit"], unit, "{compared}");
        ["base", "other"].map(|side| function(&compared, "touch")[side]["amount"].as_f64().unwrap())
    };
    compared_at(&[], "events a run");
    // One of ten of 8000, at each side.
    let exact = compared_at(&["-c", "10"], "samples a run");
    assert!(exact.iter().all(|amount| (amount - 800.0).abs() < 9.0), "{exact:?}");
}

/// Touches 8000 new pages, and sleeps for so many µs after each fifty.
fn faults() -> Option<String> {
    const FAULTS: &str = r#"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) void touch(char *pages, int stop) {
    for (long i = 0; i < 8000; i++) {
        pages[i * 4096] = 1;
        if (stop && i % 50 == 49) usleep(stop);
    }
}
int main(int argc, char **argv) {
    char *pages = mmap(0, 8000 * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, 8000 * 4096L, MADV_NOHUGEPAGE);
    touch(pages, atoi(argv[1]));
    return 0;
}
"#;
    compiled("faults", "faults", FAULTS)
}

#[test]
fn functions_that_changed_are_found_with_their_verdicts() {
    let Some(program) = turns("changed") else { return };
    let before = recorded(&program, "before.perf", "task-clock:u", ["600", "600", "0"]);
    // The same program under another name.
    let renamed = Path::new(&program).with_file_name("turns-new");
    std::fs::copy(&program, &renamed).unwrap();
    let renamed = renamed.to_str().unwrap();
    let after = recorded(renamed, "after.perf", "task-clock:u", ["300", "600", "300"]);
    let found = diff(&before, &after);
    for (name, change, verdict) in
        [("first", -25.0, "less"), ("second", 0.0, ""), ("third", 25.0, "more")]
    {
        let of = function(&found, name);
        let bound = |key: &str| of[key].as_f64().unwrap();
        assert!(bound("change_low") <= bound("change"), "{of}");
        // As wide as five standard errors, and not two.
        let half = 2.5 * (bound("change_high") - bound("change_low")) / 2.0;
        assert!((bound("change") - change).abs() < half + 3.0, "{of}");
        assert!(verdict.is_empty() || of["verdict"] == verdict, "{of}");
    }
    let third = function(&found, "third");
    assert!(third["base"].is_null() && third["other"]["count"].as_u64().unwrap() > 20, "{third}");
    let sum: u64 = found["functions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|of| of["other"]["count"].as_u64())
        .sum();
    assert_eq!(found["files"][1]["samples"], sum);
    let changes: Vec<f64> = found["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["change"].as_f64().unwrap().abs())
        .collect();
    assert!(changes.is_sorted_by(|one, two| one >= two), "{changes:?}");

    let table = stdout(&run(&["report", "diff", &before, &after]));
    let row = |name: &str| {
        let is_it = |line: &&str| line.contains('…') && line.contains(&format!("  {name}  "));
        table.lines().find(is_it).unwrap_or_else(|| panic!("{table}")).to_string()
    };
    assert!(row("first").contains("  less ") && row("third").contains("  more "), "{table}");
    assert!(table.contains("The share of third (by "), "{table}");
    assert!(table.contains("is greater in B.") && table.contains("percentage points"), "{table}");
    assert!(table.contains("A ms  B ms") && table.contains("The sampled time is "), "{table}");
    is_a_page(&before, &after);
}

/// The page colours the calls that have more or less, and no other.
fn is_a_page(before: &str, after: &str) {
    let page = Path::new(after).with_extension("html").display().to_string();
    assert!(run(&["report", "diff", "--html", &page, before, after]).status.success());
    let page = crate::series::data(&std::fs::read_to_string(page).unwrap());
    let section = &page["sections"][0];
    assert_eq!(section["kind"], "difference", "{page}");
    let verdict = |name: &str| {
        let functions = section["functions"].as_array().unwrap();
        let function = functions.iter().position(|of| of["name"] == name).unwrap();
        let calls = section["calls"].as_array().unwrap();
        let call = calls.iter().position(|of| *of == function).unwrap();
        section["verdicts"][call].as_i64().unwrap()
    };
    assert_eq!(["first", "third"].map(verdict), [-1, 1], "{section}");
    let totals =
        section["counts"].as_array().unwrap().iter().zip(section["callers"].as_array().unwrap());
    let roots: u64 =
        totals.filter(|(_, caller)| **caller == -1).map(|(of, _)| of[1].as_u64().unwrap()).sum();
    assert_eq!(section["totals"][1], roots);
}

#[test]
fn files_that_are_equal_show_no_difference() {
    let Some(program) = turns("equal") else { return };
    let path = recorded(&program, "one.perf", "task-clock:u", ["300", "300", "300"]);
    let json = Path::new(&path).with_extension("json").display().to_string();
    let written = run(&["report", &path, "--format", "json", "-o", &json]);
    assert!(written.status.success(), "{}", stderr(&written));
    for other in [&path, &json] {
        let found = diff(&path, other);
        assert!(found["functions"].as_array().unwrap().len() >= 3, "{found}");
        for of in found["functions"].as_array().unwrap() {
            assert!(of["change"] == 0.0 && of["p"].as_f64().unwrap() > 0.999, "{of}");
            assert!(of["verdict"] == "no-difference" || of["verdict"].is_null(), "{of}");
        }
        let table = stdout(&run(&["report", "diff", &path, other]));
        assert!(table.contains("No function was found whose share differs"), "{table}");
        assert!(table.contains("no difference found"), "{table}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let Some(program) = turns("refused") else { return };
    let time = recorded(&program, "time.perf", "task-clock:u", ["100", "100", "0"]);
    let faults = recorded(&program, "faults.perf", "page-faults:u", ["1", "1", "0"]);
    let weighted = Path::new(&time).with_extension("json").display().to_string();
    let line = r#"{"event":"task-clock:u","unit":"weight","functions":[]}"#;
    std::fs::write(&weighted, line).unwrap();
    for (args, why) in [
        (&[time.as_str(), &faults][..], "no samples of a common event"),
        (&[&time, &weighted], "its samples are weighted"),
        (&["--comm", "x", &time, &weighted], "cannot be filtered"),
        (&["--comm", "x", &time, &time], "A has no samples"),
        (&[&time, "Cargo.toml"], "it is not a file of perf record"),
        (&[&time], "nothing to compare it with"),
    ] {
        let output = run(&[&["report", "diff"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(why), "{why}: {}", stderr(&output));
    }
    let huge = r#"{"event":"task-clock:u","unit":"samples","functions":[{"function":"f","module":null,"count":18446744073709551615},{"function":"g","module":null,"count":18446744073709551615}]}"#;
    std::fs::write(&weighted, huge).unwrap();
    let output = run(&["report", "diff", &weighted, &weighted]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("more samples than are possible"), "{}", stderr(&output));
}
