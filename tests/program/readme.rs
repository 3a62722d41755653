//! Every command of the README is run, and its output has the shape that stands there.

use crate::{access, counterpoint, root};
use serde_json::Value;
use std::process::Command;

/// The fenced blocks with this tag.
fn blocks(tag: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let opening = format!("```{tag}\n");
    readme
        .split(opening.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_string())
        .collect()
}

/// The text with every number as `0`, runs of blanks as one, so that two measurements look the same.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut number = false;
    for c in text.chars() {
        if c.is_ascii_digit() || (number && matches!(c, '.' | ',')) {
            if !number {
                shape.push('0');
            }
            number = true;
        } else {
            number = false;
            if !(c == ' ' && shape.ends_with(' ')) {
                shape.push(c);
            }
        }
    }
    // A rate's unit depends on its size.
    let shape = shape.replace("K/sec", "/sec").replace("M/sec", "/sec");
    shape.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn may_count_the_kernel() -> bool {
    let access = access();
    access.is_privileged() || access.paranoid.is_some_and(|level| level <= 1)
}

#[test]
fn the_first_command_counts() {
    let blocks = blocks("sh");
    let command = blocks[0].trim();
    let rest = command.strip_prefix("cargo run --release -- ").expect("it runs the main job");
    assert_eq!(default_programs(), ["counterpoint"], "what `cargo run` runs");
    let output = counterpoint(&rest.split(' ').collect::<Vec<_>>()).current_dir(root()).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {text}");
    assert!(text.contains("Performance counter stats for 'ls -R"), "{text}");
    assert!(text.contains("task-clock") && text.contains("seconds time elapsed"), "{text}");
}

/// The programs of the packages that cargo builds at the top of the workspace. Running one through cargo would first build
/// all that it needs again, with the features that it alone asks for.
fn default_programs() -> Vec<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = cargo.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let defaults = metadata["workspace_default_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let targets = packages
        .filter(|package| defaults.contains(&package["id"]))
        .flat_map(|package| package["targets"].as_array().unwrap());
    let programs = targets.filter(|target| target["kind"][0] == "bin");
    programs.map(|program| program["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn the_second_command_is_the_first_step_of_ci() {
    let blocks = blocks("sh");
    assert_eq!(blocks.len(), 2);
    let ci = std::fs::read_to_string(root().join("xtask/src/ci.rs")).unwrap();
    let first_step = ci.lines().find(|line| line.trim_start().starts_with("(\"cargo")).unwrap();
    assert!(first_step.contains(&format!("(\"{}\"", blocks[1].trim())), "{first_step}");
}

#[test]
fn every_console_block_prints_what_stands_there() {
    let blocks = blocks("console");
    assert!(blocks.len() >= 4, "the README shows commands with their output");
    for block in blocks {
        for command in block.split("$ ").skip(1) {
            let (line, expected) = command.split_once('\n').unwrap();
            let mut words: Vec<&str> = Vec::new();
            for (place, part) in line.split('\'').enumerate() {
                if place % 2 == 1 {
                    words.push(part)
                } else {
                    words.extend(part.split_whitespace())
                }
            }
            let output = match words[0] {
                "counterpoint" => counterpoint(&words[1..]).output().unwrap(),
                other => {
                    Command::new(other).args(&words[1..]).current_dir(root()).output().unwrap()
                }
            };
            let printed = [output.stdout, output.stderr].concat();
            let printed = shape(&String::from_utf8(printed).unwrap());
            if [" stat ", " list ", " doctor"].iter().any(|verb| line.contains(verb))
                && !may_count_the_kernel()
            {
                println!(
                    "skipped: what `{line}` prints for a user who may not count the kernel has notes more"
                );
                assert!(
                    printed.contains("page-faults") && output.status.success(),
                    "$ {line}\n{printed}"
                );
                continue;
            }
            // What depends on the machine is cut with an ellipsis; before it everything is compared.
            let expected = shape(expected);
            match expected.split_once("…") {
                Some((start, _)) => {
                    assert!(printed.starts_with(start.trim_end()), "$ {line}\n{printed}")
                }
                None => assert_eq!(printed, expected, "$ {line}"),
            }
            assert!(output.status.success(), "$ {line}: {}", output.status);
        }
    }
}
