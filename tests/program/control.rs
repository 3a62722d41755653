//! `stat --control` and `profile --control`: events are enabled and disabled while they are counted or sampled.

use crate::{counterpoint, run, stderr, stdout};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const WORK: &str = "while :; do /bin/true; done";

/// Starts `stat` with its standard input as the commands, and its standard output for the answers.
fn controlled(args: &[&str]) -> Child {
    let files = ["stat", "--control", "fd:0,1", "-o", "/dev/stderr"];
    let mut command = counterpoint(&[&files[..], args].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Writes a command, and waits until it was obeyed.
fn order(child: &mut Child, command: &str) {
    writeln!(child.stdin.as_mut().unwrap(), "{command}").unwrap();
    let mut answer = [0; 4];
    child.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"ack\n");
}

/// Waits for its end, and returns what it wrote to stderr.
fn end(mut child: Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    text
}

fn counts(text: &str) -> Vec<f64> {
    let rows = text.lines().filter(|line| line.starts_with('{') && !line.contains("summary"));
    let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    rows.map(|line| row(line)["value"].as_f64().unwrap_or(-1.0)).collect()
}

#[test]
fn counting_begins_and_ends_when_events_are_enabled_and_disabled() {
    let events = ["-D", "-1", "-j", "-e", "page-faults"];
    let mut never = controlled(&[&events[..], &["--", "sh", "-c", WORK]].concat());
    order(&mut never, "ping");
    order(&mut never, "disable");
    order(&mut never, "stop");
    let text = end(never);
    assert_eq!(counts(&text), [-1.0], "not counted: {text}");

    let mut counted = controlled(&[&events[..], &["--", "sh", "-c", WORK]].concat());
    for command in ["enable", "enable", "disable", "disable", "stop"] {
        order(&mut counted, command);
        std::thread::sleep(Duration::from_millis(60));
    }
    let text = end(counted);
    assert!(counts(&text)[0] > 0.0, "{text}");
}

#[test]
fn a_target_without_a_command_is_counted_until_it_is_told_to_stop() {
    let pid = std::process::id().to_string();
    let mut child = controlled(&["-D", "-1", "-j", "-e", "page-faults:u", "-p", &pid]);
    order(&mut child, "enable");
    std::hint::black_box(vec![1_u8; 8 << 20]);
    order(&mut child, "stop");
    let text = end(child);
    assert!(counts(&text)[0] > 100.0, "{text}");
}

/// The command starts no processes: the kernel may leave events enabled in one that is created while they are disabled.
#[test]
fn intervals_begin_when_events_are_enabled_and_end_when_they_are_disabled() {
    let interval = ["-D", "-1", "-j", "-I", "100000", "-e", "task-clock"];
    let work = "while :; do :; done";
    let mut child = controlled(&[&interval[..], &["--", "sh", "-c", work]].concat());
    for command in ["enable", "disable", "enable", "stop"] {
        order(&mut child, command);
        std::thread::sleep(Duration::from_millis(60));
    }
    let text = end(child);
    let counts = counts(&text);
    assert_eq!(counts.len(), 3, "counted, disabled, and counted until the end: {text}");
    assert!(counts[0] > 0.0 && counts[1] == -1.0 && counts[2] > 0.0, "{text}");
}

#[test]
fn what_is_not_a_command_is_named_and_harms_nothing() {
    let mut child = controlled(&["-e", "page-faults,task-clock", "--", "sh", "-c", WORK]);
    let stdin = child.stdin.as_mut().unwrap();
    stdin.write_all(b"snapshot\nenable page-faults\n\0\xff\n").unwrap();
    stdin.write_all(&[b'x'; 5000]).unwrap();
    stdin.write_all(b"\n").unwrap();
    order(&mut child, "evlist");
    order(&mut child, "stop");
    let text = end(child);
    for expected in [
        "`snapshot` is not a command; the commands are enable, disable, evlist, ping, stop",
        "`enable page-faults` has arguments",
        "counterpoint: page-faults, task-clock",
        "Performance counter stats",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn the_end_of_the_commands_is_not_the_end_of_counting() {
    let mut child = controlled(&["-D", "-1", "-j", "-e", "task-clock", "--", "sleep", "0.2"]);
    // Without the end of the line, too, the last line is a command.
    child.stdin.take().unwrap().write_all(b"enable").unwrap();
    let mut answer = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    assert_eq!(answer, "ack\n");
    let text = end(child);
    assert_eq!(counts(&text).len(), 1, "{text}");
}

#[test]
fn commands_come_through_fifos() {
    let folder = std::env::temp_dir().join(format!("counterpoint-control-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [commands, answers] = ["commands", "answers"].map(|name| folder.join(name));
    let made = Command::new("mkfifo").args([&commands, &answers]).status().unwrap();
    assert!(made.success());
    let control = format!("fifo:{},{}", commands.display(), answers.display());
    let args = ["stat", "--control", &control, "-D", "-1", "-e", "task-clock", "--", "sleep", "9"];
    let child = counterpoint(&args).stderr(Stdio::piped()).spawn().unwrap();
    // Opening waits for the other end.
    std::fs::write(&commands, "enable\n").unwrap();
    let mut answers = BufReader::new(std::fs::File::open(&answers).unwrap());
    std::fs::write(&commands, "stop\n").unwrap();
    for _ in 0..2 {
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "ack\n");
    }
    let text = end(child);
    assert!(text.contains("task-clock"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn files_that_cannot_be_controlled_with_are_refused() {
    for (args, expected) in [
        (&["-D", "-1"][..], "add --control fifo:CTL"),
        (&["--control", "fd:77"], "write fifo:CTL[,ACK]"),
        (&["--control", "fifo:/dev/null"], "not a FIFO"),
        (&["--control", "/dev/null"], "write fifo:CTL[,ACK]"),
        (&["-D", "-2"], "-2 is not in"),
    ] {
        let output = run(&[&["stat", "-e", "task-clock"], args, &["true"]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert!(stdout(&output).is_empty());
    }
}

/// Starts `profile` in the same way.
fn sampled(args: &[&str]) -> Child {
    let files = ["profile", "--control", "fd:0,1", "-o", "/dev/stderr", "--format", "json"];
    let mut command = counterpoint(&[&files[..], args].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn samples(text: &str) -> (u64, String) {
    let line = text.lines().find(|line| line.starts_with('{')).unwrap_or_else(|| panic!("{text}"));
    let read: serde_json::Value = serde_json::from_str(line).unwrap();
    let module = read["regions"][0]["module"].as_str().unwrap_or_default();
    (read["samples"].as_u64().unwrap(), module.to_string())
}

/// The shell has mapped its files before the events are enabled.
#[test]
fn sampling_begins_and_ends_when_events_are_enabled_and_disabled() {
    let busy = ["-D", "-1", "--", "sh", "-c", "while :; do :; done"];
    let mut never = sampled(&busy);
    order(&mut never, "ping");
    order(&mut never, "stop");
    let text = end(never);
    assert!(text.contains("it ended before sampling began"), "{text}");

    let mut child = sampled(&busy);
    for command in ["enable", "enable", "disable"] {
        order(&mut child, command);
        std::thread::sleep(Duration::from_millis(100));
    }
    std::thread::sleep(Duration::from_millis(400));
    order(&mut child, "evlist");
    order(&mut child, "stop");
    let text = end(child);
    let (samples, module) = samples(&text);
    assert!((20..450).contains(&samples), "of some 200 ms at 1000 Hz: {samples}");
    assert!(module.starts_with('/') || module.starts_with('['), "{text}");
    assert!(text.contains("counterpoint: task-clock"), "{text}");
}
