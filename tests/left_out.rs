//! A program that was built without some commands says which feature has them.

#![cfg(not(feature = "full"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

use std::process::Command;

/// The exit status and what is said on standard error.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint")).args(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_command_that_is_left_out_names_its_feature() {
    let line = r#"{"schema":1,"event":"faults","value":1,"status":"counted","unit":null}"#;
    let report = std::env::temp_dir().join(format!("left-out-{}.jsonl", std::process::id()));
    std::fs::write(&report, line).unwrap();
    let commands: &[(&str, bool, &[&str])] = &[
        ("top", cfg!(feature = "top"), &["top", "-p", "1"]),
        ("exporter", cfg!(feature = "exporter"), &["exporter", "none.toml"]),
        ("libpfm3", cfg!(feature = "libpfm3"), &["dispatch", "--model", "core", "MUL"]),
        ("catalog", cfg!(feature = "catalog"), &["catalog", "dump", "--json", "none"]),
        (
            "parquet",
            cfg!(feature = "parquet"),
            &["export", "--format", "arrow", report.to_str().unwrap(), "-o", "/dev/null"],
        ),
    ];
    for (feature, _, args) in commands.iter().filter(|(_, is_built, _)| !is_built) {
        let (status, said) = run(args);
        let names = said.contains(&format!("without the feature `{feature}`"))
            && said.contains(&format!("--features {feature}"));
        assert!(status == Some(2) && names, "{args:?}: {status:?} {said}");
    }
    assert!(commands.iter().any(|(_, is_built, _)| !is_built));
    std::fs::remove_file(report).unwrap();
}
