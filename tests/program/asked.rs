//! The ways to ask for parts of a recording: functions and events by name, and files by other ways than a path.

use crate::profile::json;
use crate::profile_stacks::{calls, has_compiler};
use crate::{counterpoint, run, stderr, stdout};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const BOTH: &str = "task-clock:u,page-faults:u";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A recording with stacks of the program whose calls are known.
fn recorded(name: &str, events: &str) -> Option<PathBuf> {
    if !has_compiler() {
        return None;
    }
    let path = file(name);
    let options = ["profile", "-g", "-e", events, "--format", "perf", "-o"];
    let program = calls("fp");
    let command = [path.to_str().unwrap(), "--", program.to_str().unwrap(), "0.3"];
    let output = run(&[&options[..], &command].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    Some(path)
}

#[test]
fn functions_are_found_where_they_were_inlined_and_names_like_theirs_are_offered() {
    let Some(path) = recorded("asked.perf", BOTH) else { return };
    let path = path.to_str().unwrap();
    let report = |options: &[&str]| {
        let output = run(&[&["report", "-e", "task-clock", path], options].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        output
    };
    let inlined = json(&report(&["-S", "inlined", "--format", "json"]));
    assert_eq!(inlined["functions"][0]["function"], "leaf", "{inlined}");
    let samples = inlined["samples"].as_u64().unwrap();
    assert!(samples > 100, "{inlined}");
    // The page has these samples, each in the stacks of this function.
    let page = file("asked.html");
    report(&["-S", "inlined", "--html", page.to_str().unwrap()]);
    let page = crate::series::data(&std::fs::read_to_string(page).unwrap());
    let section = &page["sections"][0];
    let column = |name: &str| -> Vec<u64> {
        section[name].as_array().unwrap().iter().map(|of| of.as_u64().unwrap()).collect()
    };
    let (counts, places, calls) = (column("counts"), column("place_calls"), column("calls"));
    assert_eq!(counts.chunks(4).map(|of| of[3]).sum::<u64>(), samples);
    for count in counts.chunks(4) {
        let function = calls[places[count[2] as usize] as usize] as usize;
        assert_eq!(section["functions"][function]["name"], "inlined");
    }
    let full = stdout(&report(&["--full-names", "--callers", "leaf"]));
    assert!(full.contains("\n callers of leaf\n\n"), "{full}");
    assert_eq!(inlined["functions"][0]["count"], samples);
    let told = stderr(&report(&["-S", "inlind"]));
    assert!(told.contains("no sample is in a function inlind: did you mean `inlined`?"), "{told}");
    let table = stdout(&report(&["--callers", "recursoin"]));
    let sentence = "no stack contains a function recursoin: did you mean `recursion`?";
    assert!(table.contains(sentence), "{table}");
    let annotate = run(&["annotate", "inlined", path]);
    assert_eq!(annotate.status.code(), Some(2));
    let told = stderr(&annotate);
    assert!(told.contains("it is inlined into `leaf`: annotate that"), "{told}");
}

#[test]
fn events_of_a_recording_are_chosen_by_name() {
    let Some(path) = recorded("events.perf", BOTH) else { return };
    let path = path.to_str().unwrap();
    for asked in ["page-faults", "page-faults:u"] {
        let output = run(&["report", "-e", asked, "--format", "json", path]);
        assert_eq!(json(&output)["event"], "page-faults:u", "one line: {}", stdout(&output));
    }
    let refused = run(&["report", "-e", "cycles", path]);
    assert_eq!(refused.status.code(), Some(2));
    let sentence = "it has no event `cycles`, but `task-clock:u`, `page-faults:u`";
    assert!(stderr(&refused).contains(sentence), "{}", stderr(&refused));
    // The names are at the end of the file.
    let bytes = std::fs::read(path).unwrap();
    let cut = file("events-cut.perf");
    std::fs::write(&cut, &bytes[..bytes.len() * 3 / 4]).unwrap();
    let output = run(&["report", "-e", "task-clock", "--format", "json", cut.to_str().unwrap()]);
    assert!(stderr(&output).contains("the rest is missing"), "{}", stderr(&output));
    assert_eq!(json(&output)["event"], "task-clock:u");
}

#[test]
fn a_recording_is_read_from_a_pipe_and_says_where_it_is_from() {
    let Some(path) = recorded("origin.perf", BOTH) else { return };
    let shown = |input: Stdio, name: &str, options: &[&str]| {
        let arguments = [&["report", "-e", "task-clock", name], options].concat();
        let output = counterpoint(&arguments).stdin(input).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let of_file = shown(Stdio::null(), path.to_str().unwrap(), &["--format", "json"]);
    let mut cat = Command::new("cat").arg(&path).stdout(Stdio::piped()).spawn().unwrap();
    let pipe = cat.stdout.take().unwrap().into();
    assert_eq!(shown(pipe, "-", &["--format", "json"]), of_file);
    cat.wait().unwrap();
    assert_eq!(shown(File::open(&path).unwrap().into(), "-", &["--format", "json"]), of_file);
    let shown: serde_json::Value = serde_json::from_str(&of_file).unwrap();
    let host = stdout(&Command::new("uname").arg("-n").output().unwrap());
    assert_eq!((&shown["host"], &shown["pid"]), (&host.trim().into(), &serde_json::Value::Null));
    let page = file("origin.html");
    run(&["report", path.to_str().unwrap(), "--html", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).unwrap();
    let machine = format!("\"name\":\"Machine\",\"text\":\"{}", host.trim());
    for fact in [machine.as_str(), "\"name\":\"Recorded by\""] {
        assert!(page.contains(fact), "{fact}");
    }
    let folder = run(&["report", file("").to_str().unwrap()]);
    assert!(stderr(&folder).contains("record without --threads"), "{}", stderr(&folder));
}

/// A record of a name is made one of five lost samples.
#[test]
fn lost_samples_are_told_beside_every_format() {
    let Some(path) = recorded("lost.perf", "task-clock:u") else { return };
    let mut bytes = std::fs::read(&path).unwrap();
    let word = |at: usize| u64::from_ne_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    let (start, end) = (word(40), word(40) + word(48));
    let size =
        |bytes: &[u8], at: usize| usize::from(u16::from_ne_bytes([bytes[at + 6], bytes[at + 7]]));
    let (comm, lost) = (3, 2);
    let mut at = start;
    while at < end && bytes[at] != comm {
        at += size(&bytes, at);
    }
    bytes[at] = lost;
    bytes[at + 16..at + 24].copy_from_slice(&5_u64.to_ne_bytes());
    std::fs::write(&path, &bytes).unwrap();
    for format in ["folded", "svg", "pprof"] {
        let output = file(&format!("lost.{format}"));
        let options = ["--format", format, "-o", output.to_str().unwrap()];
        let report = ["report", path.to_str().unwrap()];
        let output = run(&[&report[..], &options].concat());
        let told = stderr(&output);
        assert!(told.contains("5 samples of task-clock:u lost: the reader could"), "{told}");
    }
    let table = stdout(&run(&["report", path.to_str().unwrap()]));
    assert!(table.contains("5 samples lost: the reader"), "{table}");
}
