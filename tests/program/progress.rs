//! The progress line of `profile`.

use crate::counterpoint;
use nix::pty::openpty;
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

/// Runs the program on a terminal of its own, and returns what it wrote there.
fn on_terminal(args: &[&str]) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut child = counterpoint(args).stdout(end()).stderr(end()).spawn().unwrap();
    drop(terminal.slave);
    let mut bytes = Vec::new();
    // When the last process has closed the other end, the kernel returns an error.
    let _ = File::from(terminal.master).read_to_end(&mut bytes);
    child.wait().unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_progress_line_is_shown_while_there_is_nothing_else_and_then_erased() {
    let mut sleeper = Command::new("sleep").arg("30").spawn().unwrap();
    let pid = sleeper.id().to_string();
    let args = ["profile", "-e", "task-clock", "-p", &pid, "--timeout", "1200"];
    let text = on_terminal(&args);
    let piped = counterpoint(&args).output().unwrap();
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    let (progress, report) = text.split_once("\r\n").unwrap();
    assert!(report.contains("task-clock"), "{text:?}");
    let lines: Vec<&str> = progress.split('\r').collect();
    let longest = lines.iter().filter(|line| line.contains(" s, ")).map(|line| line.len()).max();
    let [.., erased, ""] = lines[..] else { panic!("{text:?}") };
    assert!(erased.trim().is_empty() && Some(erased.len()) >= longest, "{text:?}");
    assert!(longest.is_some(), "{text:?}");
    assert!(!String::from_utf8(piped.stderr).unwrap().contains(" s, "), "none without a terminal");
}

#[test]
fn no_progress_line_meets_the_output_of_a_command() {
    let script = "sleep 0.7; echo hello; sleep 0.7; echo again";
    let text = on_terminal(&["profile", "-e", "task-clock", "--", "sh", "-c", script]);
    assert!(text.starts_with("hello\r\nagain\r\n"), "{text:?}");
}
