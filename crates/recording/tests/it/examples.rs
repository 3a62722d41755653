//! The examples, run one after the other: a program that records itself, and one that reads what it wrote.

use counterpoint::perf::Host;
use counterpoint::{Machine, doctor};
use std::path::{Path, PathBuf};
use std::process::Command;

fn example(name: &str, file: &Path) -> String {
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let program = path.join("examples").join(name);
    if !program.exists() {
        // `cargo test` has built them, unless it was asked for this test alone.
        let mut cargo = Command::new(env!("CARGO"));
        let built = cargo.args(["build", "-q", "-p", "counterpoint-recording", "--example", name]);
        assert!(built.status().unwrap().success());
    }
    let output = Command::new(program).arg(file).output().unwrap();
    assert!(output.status.success(), "{name}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[allow(clippy::print_stdout, reason = "a test says what it skips")]
fn a_program_records_itself_and_another_names_its_functions() {
    let findings = doctor::examine(&Machine::new(Host::local()));
    let software = findings.iter().find(|finding| finding.subject == "software events").unwrap();
    if software.status == doctor::Status::Blocked {
        return println!("skipped: {}", software.text);
    }
    if !Path::new(env!("CARGO")).exists() {
        return println!("skipped: cargo, which builds the examples, is not on this machine");
    }
    let file = std::env::temp_dir().join(format!("record-self-{}.perf", std::process::id()));
    let recorded = example("record_self", &file);
    let read = example("functions", &file);
    std::fs::remove_file(&file).unwrap();
    let samples: u64 = recorded.split(' ').next().unwrap().parse().unwrap();
    assert!(samples > 0, "{recorded}");
    assert!(read.starts_with(&format!("{samples} samples of task-clock:u\n")), "{read}");
    // In an unoptimized program, the parts of its loop are functions; which of them is hottest is chance.
    let hottest: Vec<&str> = read.lines().skip(1).take(3).collect();
    let is_of_loop = |line: &&str| line.contains("record_self::work") || line.contains("fold");
    assert!(hottest.iter().any(is_of_loop), "{read}");
}
