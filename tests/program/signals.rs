//! Ctrl-C ends the count, and what there is is printed.

use crate::root;
use nix::sys::signal::Signal;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const INTERRUPT: u32 = Signal::SIGINT as u32;
const CHILD: u32 = Signal::SIGCHLD as u32;

/// Starts the program as a shell in the foreground does, even if the tests themselves ignore interrupts, as `nohup` and background jobs do.
pub(crate) fn start(args: &[&str]) -> Child {
    let mut env = Command::new("env");
    env.args(["--default-signal=INT,HUP,TERM", env!("CARGO_BIN_EXE_counterpoint")]).args(args);
    spawn(&mut env)
}

/// Starts the program so that it ignores these signals, as the names of `trap` have them.
fn start_ignoring(signals: &str, args: &[&str]) -> Child {
    let script = format!("trap '' {signals}; exec \"$@\"");
    let program = env!("CARGO_BIN_EXE_counterpoint");
    spawn(Command::new("sh").args(["-c", &script, "sh", program]).args(args))
}

fn spawn(command: &mut Command) -> Child {
    command.current_dir(root()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns true if the interrupt is one of the signals of a line of `/proc/PID/status`.
fn has_interrupt(status: &str, line: &str) -> bool {
    has_signal(status, line, INTERRUPT)
}

fn has_signal(status: &str, line: &str, number: u32) -> bool {
    let signals = status.lines().find_map(|text| text.strip_prefix(line)).unwrap();
    u64::from_str_radix(signals.trim(), 16).unwrap() & 1 << (number - 1) != 0
}

pub(crate) fn interrupt(child: &Child) {
    send(child, "-INT");
}

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until it is so, on a machine that may be busy with other tests.
fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the child of `parent` runs `name`, so that the signal does not come too early.
fn wait_for_command(parent: &Child, name: &str) {
    wait_for(name, || {
        let path = format!("/proc/{0}/task/{0}/children", parent.id());
        let children = std::fs::read_to_string(path).unwrap_or_default();
        let runs = |pid: &str| {
            std::fs::read_to_string(format!("/proc/{pid}/comm"))
                .is_ok_and(|comm| comm.trim() == name)
        };
        children.split_whitespace().any(runs)
    });
}

fn end(mut child: Child) -> (Option<i32>, String) {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (child.wait().unwrap().code(), text)
}

#[test]
fn an_interrupted_command_is_still_reported() {
    let child = start(&["stat", "-e", "task-clock,page-faults", "--", "sleep", "30"]);
    wait_for_command(&child, "sleep");
    interrupt(&child);
    let (code, text) = end(child);
    assert!(text.contains("page-faults") && text.contains("seconds time elapsed"), "{text}");
    assert_eq!(code, Some(130));
}

/// Interrupts the run of this number of a series of five, and returns the exit status and what the program wrote.
fn interrupt_run(number: usize, options: &[&str]) -> (Option<i32>, String, String) {
    let name = format!("series-{number}-{}.txt", options.len());
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    let path = file.display();
    let script =
        format!("echo x >> {path}; if [ $(wc -l < {path}) -eq {number} ]; then exec sleep 30; fi");
    let args = ["stat", "-r", "5", "-e", "page-faults,task-clock"];
    let mut child = start(&[&args, options, &["--", "sh", "-c", &script]].concat());
    wait_for_command(&child, "sleep");
    interrupt(&child);
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let (code, text) = end(child);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), number, "no run follows");
    (code, out, text)
}

#[test]
fn an_interrupted_run_is_left_out_of_a_series() {
    let (code, out, _) = interrupt_run(3, &["--json"]);
    assert_eq!(code, Some(130));
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["runs"], 2, "{out}");
    let summary = &lines[2]["summary"];
    assert_eq!((&summary["runs"], &summary["requested_runs"]), (&2.into(), &5.into()), "{out}");
    assert_eq!(summary["interrupted"], true);
    assert_eq!(summary["exit_status"], 0, "that of the runs that are averaged");

    let (_, _, text) = interrupt_run(3, &[]);
    assert!(text.contains("(2 of 5 runs):"), "{text}");
    assert!(text.contains("interrupted in run 3 of 5, which is left out"), "{text}");
    let (_, _, note) = interrupt_run(3, &["--format", "csv"]);
    assert_eq!(note, "counterpoint: interrupted in run 3 of 5, which is left out\n");
}

#[test]
fn the_first_run_of_a_series_is_reported_even_if_it_was_interrupted() {
    let (code, _, text) = interrupt_run(1, &[]);
    assert_eq!(code, Some(130));
    assert!(text.contains("(1 of 5 runs):") && text.contains("task-clock"), "{text}");
    assert!(text.contains("the counts are those of this unfinished run"), "{text}");
}

#[test]
fn a_command_that_does_not_listen_does_not_hold_the_report_back() {
    let script = "trap '' INT; sleep 30 & wait; wait";
    let child = start(&["stat", "-e", "task-clock", "--", "sh", "-c", script]);
    wait_for_command(&child, "sh");
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    interrupt(&child);
    // A signal that is pending is not queued a second time.
    wait_for("the first interrupt is taken", || {
        let path = format!("/proc/{}/status", child.id());
        !has_interrupt(&std::fs::read_to_string(path).unwrap(), "ShdPnd:")
    });
    interrupt(&child);
    let (_, text) = end_without_pipe(child);
    assert!(begun.elapsed() < Duration::from_secs(20), "not held for as long as it sleeps");
    assert!(text.contains("task-clock"), "{text}");
}

/// As [`end`], but does not wait for grandchildren that hold the pipe.
fn end_without_pipe(mut child: Child) -> (Option<i32>, String) {
    let code = child.wait().unwrap().code();
    let mut bytes = vec![0; 65536];
    let got = child.stderr.take().unwrap().read(&mut bytes).unwrap();
    (code, String::from_utf8_lossy(&bytes[..got]).into_owned())
}

#[test]
fn an_attached_count_ends_with_its_process() {
    let mut sleeper = Command::new("sleep").arg("2").spawn().unwrap();
    let begun = Instant::now();
    let child = start(&["stat", "-e", "task-clock,page-faults", "-p", &sleeper.id().to_string()]);
    sleeper.wait().unwrap();
    let (code, text) = end(child);
    assert_eq!(code, Some(0), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(text.contains("process") && text.contains("task-clock"), "{text}");
}

#[test]
fn an_attached_count_ends_with_an_interrupt() {
    let mut sleeper = Command::new("sleep").arg("30").spawn().unwrap();
    let child = start(&["stat", "-e", "task-clock", "-p", &sleeper.id().to_string()]);
    wait_for("the program looks out for interrupts", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        has_interrupt(&status, "SigBlk:")
    });
    interrupt(&child);
    let (code, text) = end(child);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("seconds time elapsed"), "{text}");
}

#[test]
fn what_is_ignored_at_the_start_stays_ignored() {
    for (signals, signal) in [("INT", "-INT"), ("HUP", "-HUP"), ("INT HUP", "-HUP")] {
        let args = ["stat", "-e", "task-clock", "-r", "2", "--", "sleep", "0.6"];
        let child = start_ignoring(signals, &args);
        wait_for_command(&child, "sleep");
        for _ in 0..3 {
            send(&child, signal);
            std::thread::sleep(Duration::from_millis(50));
        }
        let (code, text) = end(child);
        assert_eq!(code, Some(0), "{signals}: {text}");
        assert!(text.contains("(2 runs)") && !text.contains("interrupted"), "{signals}: {text}");
    }
    let mut sleeper = Command::new("sleep").arg("1").spawn().unwrap();
    let pid = sleeper.id().to_string();
    let child = start_ignoring("INT", &["stat", "-e", "task-clock", "-p", &pid]);
    wait_for("the program looks out for signals", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        has_signal(&status, "SigBlk:", CHILD)
    });
    interrupt(&child);
    let begun = Instant::now();
    sleeper.wait().unwrap();
    let (code, text) = end(child);
    assert!(begun.elapsed() > Duration::from_millis(200), "it counts until its target ends");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn an_interrupted_command_may_clean_up_for_as_long_as_it_needs() {
    // Interrupted later than the grace of a second demand would reach, and cleaning up for longer than it.
    let script = "trap 'sleep 1.3; exit 7' INT; while :; do sleep 0.05; done";
    let child = start(&["stat", "-e", "task-clock", "--", "sh", "-c", script]);
    wait_for_command(&child, "sh");
    std::thread::sleep(Duration::from_millis(1200));
    interrupt(&child);
    let (code, text) = end(child);
    assert_eq!(code, Some(7), "{text}");
    assert!(text.contains("task-clock"), "{text}");
}

#[test]
fn children_are_heard_of_where_their_signal_was_ignored() {
    let program = env!("CARGO_BIN_EXE_counterpoint");
    // A shell passes an ignored signal on to what it runs.
    let line = format!("trap '' CHLD; exec {program} stat -e task-clock -- sh -c 'exit 5'");
    let output = Command::new("timeout").args(["20", "sh", "-c", &line]).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn a_command_that_does_not_terminate_is_left_by_stat_and_profile_alike() {
    let script = "exec >/dev/null 2>&1; trap '' TERM; sleep 8";
    for command in ["stat", "profile"] {
        let begun = Instant::now();
        let args = [command, "-e", "task-clock", "--timeout", "100", "--", "sh", "-c", script];
        let (code, text) = end(start(&args));
        assert_eq!(code, Some(124), "{command}: {text}");
        assert!(text.contains("still runs as process"), "{command}: {text}");
        assert!(begun.elapsed() < Duration::from_secs(8), "{command}");
    }
}
