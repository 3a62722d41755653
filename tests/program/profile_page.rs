//! `counterpoint profile --html`.

use crate::profile::{json, profile as split, split as program};
use crate::profile_stacks::{calls, has_compiler, profile, stacks};
use crate::series::data;
use crate::{has_tools, run, stderr};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn sections<'a>(page: &'a Value, kind: &str) -> Vec<&'a Value> {
    let sections = page["sections"].as_array().unwrap();
    sections.iter().filter(|section| section["kind"] == kind).collect()
}

/// The samples of a flame graph's stacks, from `main` on, by what each frame has more than those above it.
fn own(flame: &Value) -> BTreeMap<String, u64> {
    let name = |index: &Value| {
        let function = &flame["functions"][index.as_u64().unwrap() as usize];
        function["name"].as_str().unwrap().to_string()
    };
    let mut frames: Vec<(u64, u64, u64, String)> = Vec::new();
    for frame in flame["frames"].as_array().unwrap() {
        let number = |at: usize| frame[at].as_u64().unwrap();
        frames.push((number(1), number(2), number(3), name(&frame[0])));
    }
    let is_above = |one: &(u64, u64, u64, String), other: &(u64, u64, u64, String)| {
        one.0 > other.0 && one.1 >= other.1 && one.1 + one.2 <= other.1 + other.2
    };
    let mut all = BTreeMap::new();
    for frame in &frames {
        let callees =
            frames.iter().filter(|other| other.0 == frame.0 + 1 && is_above(other, frame));
        let callees: u64 = callees.map(|callee| callee.2).sum();
        assert!(callees <= frame.2, "the frames above {frame:?} are wider than it");
        let mut below: Vec<_> = frames.iter().filter(|other| is_above(frame, other)).collect();
        below.sort_by_key(|other| other.0);
        assert_eq!(below.len() as u64, frame.0, "{frame:?} has a frame below it at each depth");
        let names: Vec<&str> = below.into_iter().chain([frame]).map(|of| of.3.as_str()).collect();
        let main = names.iter().position(|name| *name == "main").unwrap_or(0);
        if frame.2 > callees {
            *all.entry(names[main..].join(";")).or_default() += frame.2 - callees;
        }
    }
    all
}

#[test]
fn a_page_has_the_stacks_and_functions_of_the_json() {
    if !has_compiler() {
        return;
    }
    let file = scratch("stacks.html");
    let options = ["--call-graph", "fp", "--format", "json", "--html", file.to_str().unwrap()];
    let output = profile(&options, &calls("fp"), "0.3");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let profile = json(&output);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("https:") && !text.contains(" src=") && !text.contains("url("));
    let page = data(&text);
    let [flame] = sections(&page, "flame")[..] else { panic!("{page}") };
    assert_eq!(flame["total"], profile["samples"]);
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for (stack, count) in stacks(&profile) {
        *expected.entry(stack).or_default() += count;
    }
    assert_eq!(own(flame), expected);

    let functions = profile["functions"].as_array().unwrap();
    let tables = sections(&page, "table");
    let rows = tables[0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), functions.len());
    for (row, function) in rows.iter().zip(functions) {
        assert_eq!(row[0]["text"], function["function"]);
        assert_eq!(row[1]["text"].as_str(), function["module"].as_str().or(Some("")));
        for (cell, key) in [(2, "count"), (3, "percent"), (4, "error")] {
            assert_eq!(row[cell]["value"].as_f64(), function[key].as_f64(), "{key} of {function}");
        }
    }
    let bar = &sections(&page, "bars")[0]["rows"][0];
    let name = |of: &Value| {
        format!("{} ({})", of["function"].as_str().unwrap(), of["module"].as_str().unwrap())
    };
    assert_eq!(bar["name"], name(&functions[0]));
    assert_eq!((&bar["value"], &bar["error"]), (&functions[0]["percent"], &functions[0]["error"]));
    let children = profile["children"].as_array().unwrap();
    let rows = tables[1]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), children.len());
    for (row, of) in rows.iter().zip(children) {
        let mark = if of["inlined"] == true { " (inlined)" } else { "" };
        let name = format!("{}{mark}", of["function"].as_str().unwrap());
        assert_eq!(
            (row[0]["text"].as_str().unwrap(), row[5]["value"].as_f64()),
            (name.as_str(), of["count"].as_f64())
        );
    }
}

#[test]
fn a_page_has_each_thread_over_time_and_the_source_of_the_hottest_functions() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let file = scratch("threads.html");
    let options = ["-e", "task-clock:u", "--format", "json", "--html", file.to_str().unwrap()];
    // Two processes, each with one thread.
    let output = split(&options, "pie", &["0.3", "0", "fork"]);
    let profile = json(&output);
    let page = data(&fs::read_to_string(&file).unwrap());
    assert_eq!(sections(&page, "flame").len(), 0, "there are no stacks");
    let threads = sections(&page, "activity")[0];
    let lanes = threads["lanes"].as_array().unwrap();
    assert_eq!(lanes.len(), 2, "{threads}");
    let mut all = 0;
    for lane in lanes {
        assert!(lane["name"].as_str().unwrap().starts_with("split-pie "), "{lane}");
        let counts = lane["counts"].as_array().unwrap();
        let end = counts.len() as f64 * threads["interval"].as_f64().unwrap();
        assert!(counts.len() <= 600 && (threads["end"].as_f64().unwrap() - end).abs() < 1e-9);
        all += counts.iter().map(|count| count.as_u64().unwrap()).sum::<u64>();
    }
    assert_eq!(Some(all), profile["samples"].as_u64());

    let code = fs::read_to_string(program("pie").with_file_name("split.c")).unwrap();
    let code: Vec<&str> = code.lines().collect();
    let lines = profile["lines"].as_array().unwrap();
    let source = sections(&page, "source")[0]["functions"].as_array().unwrap();
    assert_eq!(source[0]["function"], "thrice");
    for function in source {
        let rows = function["rows"].as_array().unwrap();
        for row in rows {
            let [first, last] = ["first", "last"].map(|key| row[key].as_u64().unwrap() as usize);
            assert_eq!(row["code"], code[first - 1..last].join("\n"), "{row}");
            let is_of = |line: &&Value| {
                line["function"] == function["function"]
                    && (&line["line"], &line["last_line"]) == (&row["first"], &row["last"])
            };
            let line = lines.iter().find(is_of);
            assert_eq!(row["samples"].as_u64(), line.and_then(|line| line["count"].as_u64()));
        }
        assert!(rows.iter().any(|row| row["samples"].is_u64()), "{function}");
    }
    assert!(page["notes"].to_string().contains("no sample was lost"), "{}", page["notes"]);
}

#[test]
fn a_page_says_which_source_is_not_here_and_names_the_event_of_each_section() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let folder = scratch("no-source");
    fs::create_dir_all(&folder).unwrap();
    let (source, to) = (folder.join("spin.c"), folder.join("spin"));
    let code = "volatile unsigned long n;\nint main(void) {\n    for (long i = 0; i < 200000000; i++)\n        n += i;\n}\n";
    fs::write(&source, code).unwrap();
    let gcc = std::process::Command::new("gcc").arg("-g").arg("-o").arg(&to).arg(&source).status();
    assert!(gcc.unwrap().success());
    let page = folder.join("page.html");
    let notes = || {
        let events = ["profile", "-e", "task-clock:u,cpu-clock:u", "--html"];
        let output =
            run(&[&events[..], &[page.to_str().unwrap(), "--", to.to_str().unwrap()]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        data(&fs::read_to_string(&page).unwrap())
    };
    fs::write(&source, "int main;\n").unwrap();
    let short = notes();
    let text = short["notes"].to_string();
    assert!(
        text.contains("spin.c is not shown: it has fewer lines than the file that was"),
        "{text}"
    );
    let titles: Vec<&str> =
        sections(&short, "bars").iter().map(|bars| bars["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Functions of task-clock:u", "Functions of cpu-clock:u"]);
    fs::remove_file(&source).unwrap();
    let gone = notes()["notes"].to_string();
    assert!(gone.contains("spin.c is not on this machine"), "{gone}");
}

#[test]
fn a_page_needs_a_file_of_its_own() {
    let refused = run(&["profile", "-o", "x", "--html", "x", "--", "true"]);
    assert!(stderr(&refused).contains("-o and --html name the same file"), "{}", stderr(&refused));
    assert_eq!(refused.status.code(), Some(2));
    assert!(!Path::new("x").exists());
}
