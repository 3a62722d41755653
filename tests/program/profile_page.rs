//! `counterpoint profile --html`.

use crate::profile::{json, profile as split, split as program};
use crate::profile_stacks::{calls, has_compiler, profile, stacks};
use crate::series::data;
use crate::{has_tools, run, stderr, stdout};
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

/// A column of numbers of a profile's section.
fn column(section: &Value, name: &str) -> Vec<i64> {
    section[name].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()).collect()
}

/// The counts of a profile's section: interval, thread, place and samples.
fn counts(section: &Value) -> Vec<[i64; 4]> {
    let mut interval = 0;
    let counts = column(section, "counts");
    let count = |of: &[i64]| {
        interval += of[0];
        [interval, of[1], of[2], of[3]]
    };
    counts.chunks(4).map(count).collect()
}

/// The name of a function, in full.
fn full_name(section: &Value, function: i64) -> String {
    let function = &section["functions"][function as usize];
    let name = function["full"].as_str().or(function["name"].as_str());
    name.unwrap().to_string()
}

/// The samples of a profile's stacks, from `main` on.
fn own(section: &Value) -> BTreeMap<String, u64> {
    let [calls, callers, places] =
        ["calls", "callers", "place_calls"].map(|name| column(section, name));
    let mut all = BTreeMap::new();
    for [_, _, place, samples] in counts(section) {
        let mut names = Vec::new();
        let mut call = places[place as usize];
        while call >= 0 {
            names.insert(0, full_name(section, calls[call as usize]));
            assert!(callers[call as usize] < call, "a caller comes first");
            call = callers[call as usize];
        }
        let main = names.iter().position(|name| name == "main").unwrap_or(0);
        *all.entry(names[main..].join(";")).or_default() += samples as u64;
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
    let [section] = sections(&page, "profile")[..] else { panic!("{page}") };
    assert_eq!(section["total"], profile["samples"]);
    assert_eq!(section["independent"], 1.0);
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for (stack, count) in stacks(&profile) {
        *expected.entry(stack).or_default() += count;
    }
    assert_eq!(own(section), expected);
    let inlined = |name: &str| {
        let functions = section["functions"].as_array().unwrap();
        functions.iter().find(|of| of["name"] == name).map(|of| of["inlined"] == true)
    };
    assert_eq!((inlined("inlined"), inlined("main")), (Some(true), Some(false)));
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
    let section = sections(&page, "profile")[0];
    let threads = section["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 2, "{section}");
    assert!(threads.iter().all(|of| of["name"].as_str().unwrap().starts_with("split-pie ")));
    let (length, end) = (section["interval"].as_f64().unwrap(), section["end"].as_f64().unwrap());
    let counts = counts(section);
    let intervals = (end / length).round() as i64;
    assert!(intervals <= 600 && counts.iter().all(|of| (0..intervals).contains(&of[0])), "{end}");
    assert!([0, 1].iter().all(|thread| counts.iter().any(|of| of[1] == *thread)), "both ran");
    let all: i64 = counts.iter().map(|of| of[3]).sum();
    assert_eq!(Some(all), profile["samples"].as_i64());

    let code = fs::read_to_string(program("pie").with_file_name("split.c")).unwrap();
    let code: Vec<&str> = code.lines().collect();
    let place_lines = column(section, "place_lines");
    let mut samples: BTreeMap<(String, u64), i64> = BTreeMap::new();
    for [_, _, place, count] in counts {
        let Some(line) = section["lines"].get(place_lines[place as usize] as usize) else {
            continue;
        };
        let function = full_name(section, line[2].as_i64().unwrap());
        *samples.entry((function, line[1].as_u64().unwrap())).or_default() += count;
    }
    let lines = profile["lines"].as_array().unwrap();
    let of_line = |of: &Value| {
        let function = of["function"].as_str().unwrap().to_string();
        ((function, of["line"].as_u64().unwrap()), of["count"].as_i64().unwrap())
    };
    assert_eq!(samples, lines.iter().map(of_line).collect());
    let sources = section["sources"].as_array().unwrap();
    assert_eq!(full_name(section, sources[0]["function"].as_i64().unwrap()), "thrice");
    for row in sources.iter().flat_map(|of| of["rows"].as_array().unwrap()) {
        assert_eq!(row[1], code[row[0].as_u64().unwrap() as usize - 1], "{row}");
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
        sections(&short, "profile").iter().map(|of| of["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Profile of task-clock:u", "Profile of cpu-clock:u"]);
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

#[test]
fn folded_stacks_of_several_processes_have_the_thread_as_their_outermost_frame() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let folded = |more: &[&str]| {
        let options = ["-e", "task-clock:u", "-g", "--format", "folded"];
        stdout(&split(&options, "pie", &[&["0.2", "0"], more].concat()))
    };
    let of_two = folded(&["fork"]);
    let samples =
        of_two.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
    assert!(samples.sum::<u64>() > 50, "{of_two}");
    assert!(of_two.lines().all(|line| line.starts_with("split-pie;")), "{of_two}");
    let of_one = folded(&[]);
    assert!(!of_one.contains("split-pie;"), "{of_one}");
}
