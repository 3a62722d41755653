//! `--format firefox` of `counterpoint profile` and `report`, over a program whose threads and calls are known.

use crate::profile::{json, unpacked};
use crate::profile_stacks::{calls, has_compiler, profile, stacks};
use crate::{has_tools, run, stderr};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// Two threads of different names, of which each computes in a function with an inlined one.
const THREADS: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
volatile unsigned long sink;
static inline __attribute__((always_inline)) void inlined(long n) {
    for (long i = 0; i < n; i++) sink = sink * 31 + i;
}
__attribute__((noinline, noclone)) void compute(void) { inlined(60000000); sink++; }
static void *work(void *unused) {
    pthread_setname_np(pthread_self(), "worker");
    compute();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    compute();
    pthread_join(thread, 0);
    return 0;
}
"#;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn threads() -> PathBuf {
    static BUILT: Once = Once::new();
    let (source, program) = (file("two-threads.c"), file("two-threads"));
    BUILT.call_once(|| {
        fs::write(&source, THREADS).unwrap();
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-g", "-fno-omit-frame-pointer", "-pthread", "-o"]);
        assert!(gcc.arg(&program).arg(&source).status().unwrap().success());
    });
    program
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A column of a table, which is as long as the table says.
fn column<'t>(table: &'t Value, name: &str) -> &'t [Value] {
    let column = table[name].as_array().unwrap_or_else(|| panic!("no column {name}: {table}"));
    assert_eq!(table["length"], column.len(), "{name}");
    column
}

/// The numbers of a column that refers to a table of this length; `None` where it refers to nothing.
fn rows(table: &Value, name: &str, length: usize) -> Vec<Option<usize>> {
    let row = |value: &Value| {
        let row = value.as_u64()? as usize;
        assert!(row < length, "{name}: {row} of {length}");
        Some(row)
    };
    column(table, name).iter().map(row).collect()
}

/// A frame as it is shown: its function, file, line, depth of inlining and module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    function: String,
    file: Option<String>,
    line: Option<u64>,
    depth: u64,
    module: Option<String>,
}

/// The weights of a thread's stacks, the outermost frame first; every reference is followed, and every time compared.
fn weights(profile: &Value, thread: &Value) -> BTreeMap<Vec<Frame>, f64> {
    let strings = thread["stringArray"].as_array().unwrap();
    let string = |row: usize| strings[row].as_str().unwrap().to_string();
    let length = |table: &str| thread[table]["length"].as_u64().unwrap() as usize;
    let (frames, functions) = (&thread["frameTable"], &thread["funcTable"]);
    let libraries = profile["libs"].as_array().unwrap();
    let resources = rows(&thread["resourceTable"], "lib", libraries.len());
    let natives = &thread["nativeSymbols"];
    assert!(rows(natives, "libIndex", libraries.len()).iter().all(Option::is_some));
    assert!(rows(natives, "name", strings.len()).iter().all(Option::is_some));
    let native = rows(frames, "nativeSymbol", length("nativeSymbols"));
    let categories = profile["meta"]["categories"].as_array().unwrap().len();
    assert!(rows(frames, "category", categories).iter().all(Option::is_some));
    let of_frames = rows(frames, "func", length("funcTable"));
    let (names, files) =
        (rows(functions, "name", strings.len()), rows(functions, "fileName", strings.len()));
    let in_resources = rows(functions, "resource", length("resourceTable"));
    let frame = |row: usize| {
        let function = of_frames[row].unwrap();
        let depth = column(frames, "inlineDepth")[row].as_u64().unwrap();
        assert!(depth == 0 || native[row].is_some(), "an inlined frame is in a function");
        if let Some(native) = native[row] {
            let [address, start, size] = [
                &column(frames, "address")[row],
                &column(natives, "address")[native],
                &column(natives, "functionSize")[native],
            ]
            .map(|value| value.as_u64().unwrap());
            assert!((start..start + size).contains(&address), "{address:#x} {start:#x} {size}");
        }
        let library = in_resources[function].and_then(|resource| resources[resource]);
        Frame {
            function: string(names[function].unwrap()),
            file: files[function].map(string),
            line: column(frames, "line")[row].as_u64(),
            depth,
            module: library.map(|of| libraries[of]["name"].as_str().unwrap().to_string()),
        }
    };
    let stack_table = &thread["stackTable"];
    let prefixes = rows(stack_table, "prefix", length("stackTable"));
    let of_stacks = rows(stack_table, "frame", length("frameTable"));
    let samples = &thread["samples"];
    let times: Vec<f64> =
        column(samples, "time").iter().map(|time| time.as_f64().unwrap()).collect();
    assert!(times.is_sorted() && times.first().is_none_or(|first| *first >= 0.0), "{times:?}");
    let mut weights = BTreeMap::new();
    let of_samples = rows(samples, "stack", length("stackTable"));
    for (stack, weight) in of_samples.into_iter().zip(column(samples, "weight")) {
        let mut stack = stack.expect("every sample has a stack");
        let mut shown = vec![frame(of_stacks[stack].unwrap())];
        while let Some(prefix) = prefixes[stack] {
            assert!(prefix < stack, "a caller comes first");
            stack = prefix;
            shown.push(frame(of_stacks[stack].unwrap()));
        }
        shown.reverse();
        *weights.entry(shown).or_default() += weight.as_f64().unwrap();
    }
    weights
}

fn total(profile: &Value) -> f64 {
    let threads = profile["threads"].as_array().unwrap();
    threads.iter().flat_map(|thread| weights(profile, thread).into_values()).sum()
}

#[test]
fn threads_have_their_names_and_functions_their_lines() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let (program, path) = (threads(), file("threads.json.gz"));
    let options = ["profile", "-e", "task-clock:u", "-g", "--format", "firefox", "-o"];
    let command = [path.to_str().unwrap(), "--", program.to_str().unwrap()];
    let output = run(&[&options[..], &command].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let packed = fs::read(&path).unwrap();
    let profile: Value = serde_json::from_slice(&unpacked(&packed)).unwrap();
    let facts = profile["meta"]["extra"][0]["entries"].as_array().unwrap();
    let fact = |label: &str| {
        let fact = facts.iter().find(|fact| fact["label"] == label).unwrap();
        fact["value"].as_str().unwrap()
    };
    assert_eq!((fact("Event"), fact("Unit")), ("task-clock:u", "samples"));
    assert_eq!(fact("Samples").parse(), Ok(total(&profile)));
    let threads = profile["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 2);
    for (name, is_main) in [("two-threads", true), ("worker", false)] {
        let thread = threads.iter().find(|of| of["name"] == name);
        let thread = thread.unwrap_or_else(|| panic!("{name}"));
        assert_eq!(thread["isMainThread"], is_main);
        assert_eq!(
            (&thread["processName"], &thread["pid"]),
            (&"two-threads".into(), &threads[0]["pid"])
        );
        assert_eq!(thread["samples"]["weightType"], "samples");
        let weights = weights(&profile, thread);
        let in_inlined = |stack: &&Vec<Frame>| {
            let [.., outer, inner] = &stack[..] else { return false };
            let is_here = |of: &Frame, function: &str, depth: u64| {
                let file = of.file.as_deref().is_some_and(|file| file.ends_with("two-threads.c"));
                let module = of.module.as_deref() == Some("two-threads");
                of.function == function && of.depth == depth && file && module
            };
            is_here(outer, "compute", 0)
                && outer.line == Some(8)
                && is_here(inner, "inlined", 1)
                && inner.line == Some(6)
        };
        let inlined: f64 =
            weights.iter().filter(|(stack, _)| in_inlined(stack)).map(|of| of.1).sum();
        assert!(inlined > 0.9 * weights.values().sum::<f64>(), "{name}: {weights:?}");
    }
}

#[test]
fn a_recording_has_the_stacks_of_json() {
    if !has_compiler() {
        return;
    }
    let (recording, path) = (file("firefox.perf"), file("firefox.json"));
    let recorded = ["-g", "--format", "perf", "-o", recording.to_str().unwrap()];
    let output = profile(&recorded, &calls("fp"), "0.3");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = |more: &[&str]| run(&[&["report", recording.to_str().unwrap()], more].concat());
    let written = report(&["--format", "firefox", "-o", path.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    let (profile, expected) = (read(&path), json(&report(&["--format", "json"])));
    assert_eq!(Some(total(&profile)), expected["samples"].as_f64());
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    for thread in profile["threads"].as_array().unwrap() {
        for (stack, weight) in weights(&profile, thread) {
            let names: Vec<&str> = stack.iter().map(|frame| frame.function.as_str()).collect();
            let main = names.iter().position(|name| *name == "main").unwrap_or(0);
            *found.entry(names[main..].join(";")).or_default() += weight;
        }
    }
    let mut all: BTreeMap<String, f64> = BTreeMap::new();
    for (stack, count) in stacks(&expected) {
        *all.entry(stack).or_default() += count as f64;
    }
    assert_eq!(found, all);
}

/// The time off the CPU is in milliseconds.
#[test]
fn waits_are_weighted_by_their_time() {
    let path = file("firefox-waits.json");
    let options = ["--off-cpu", "--format", "firefox", "-o", path.to_str().unwrap()];
    let output = run(&[&["profile"], &options[..], &["--", "sleep", "0.2"]].concat());
    if output.status.code() == Some(2) {
        return println!("skipped: {}", stderr(&output));
    }
    let profile = read(&path);
    assert!(
        profile["threads"]
            .as_array()
            .unwrap()
            .iter()
            .all(|thread| { thread["samples"]["weightType"] == "tracing-ms" })
    );
    assert!((200.0..2000.0).contains(&total(&profile)), "{}", total(&profile));
}

#[test]
fn what_a_file_has_no_place_for_is_refused() {
    let path = file("refused.json");
    let refused = |options: &[&str], words: &str| {
        let format = ["profile", "--format", "firefox", "-o", path.to_str().unwrap()];
        let output = run(&[&format[..], options, &["--", "true"]].concat());
        let text = stderr(&output);
        assert!(output.status.code() == Some(2) && text.contains(words), "{options:?}: {text}");
    };
    refused(&["--region", "rest"], "--region is not for --format firefox");
    refused(&["--random"], "--random is not for --format firefox");
    refused(&["-e", "task-clock,page-faults"], "this format holds only one event");
    refused(&["--append"], "a file of this format holds one result");
    assert!(!path.exists());
}
