//! Limits of the process, met for real.

use crate::{root, stderr, stdout};
use serde_json::Value;
use std::process::{Command, Output};

/// Counts `events` software events in groups of their own, where only so many files may be open.
fn stat_with(open_files: u32, events: usize) -> Output {
    let list = vec!["{task-clock}"; events].join(",");
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let script = format!(
        "ulimit -n {open_files} && exec '{program}' stat --json -o /dev/stdout -e '{list}' -- true"
    );
    Command::new("sh").arg("-c").arg(script).current_dir(root()).output().unwrap()
}

#[test]
fn too_few_open_files_are_told_with_the_number_needed() {
    let enough = stat_with(256, 40);
    let first = stdout(&enough).lines().next().map(str::to_string).unwrap_or_default();
    let first: Value =
        serde_json::from_str(&first).unwrap_or_else(|e| panic!("{e}: {}", stderr(&enough)));
    if first["status"] != "counted" {
        println!("skipped: task-clock cannot be counted here: {first}");
        return;
    }
    let output = stat_with(24, 40);
    let text = stdout(&output);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reasons: Vec<&str> = rows.iter().filter_map(|row| row["reason"].as_str()).collect();
    assert!(!reasons.is_empty(), "{text}");
    for reason in &reasons {
        assert_eq!(
            *reason,
            "the events need 40 open files, one for each event at each placement, and the limit is 24"
        );
    }
    assert!(stdout(&enough).lines().all(|line| !line.contains("reason")), "40 fit into 256");
}
