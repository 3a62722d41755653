//! Every command of the README is run, and its output has the shape that stands there.

use crate::book::{Block, assert_prints, blocks};
use crate::{counterpoint, root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The texts of the fenced blocks with this tag.
fn texts(tag: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    blocks(&readme).into_iter().filter(|block| block.tag == tag).map(|block| block.text).collect()
}

#[test]
fn the_first_commands_count_and_write_a_page() {
    let blocks = texts("sh");
    let folder = scratch("readme");
    let shown = |line: &str| {
        let rest = line.strip_prefix("cargo run --release -- ").expect("it runs the main job");
        let output =
            counterpoint(&rest.split(' ').collect::<Vec<_>>()).current_dir(&folder).output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {text}");
        (output.stdout, text)
    };
    assert_eq!(default_programs(), ["counterpoint"], "what `cargo run` runs");
    let [count, page] = blocks[0].trim().lines().collect::<Vec<_>>()[..] else {
        panic!("{blocks:?}")
    };
    let (printed, text) = shown(count);
    assert!(printed.len() < 200, "the counts are not the last of many lines");
    assert!(text.contains("Performance counter stats for 'du -s"), "{text}");
    assert!(text.contains("task-clock") && text.contains("seconds time elapsed"), "{text}");
    shown(page);
    let page = std::fs::read_to_string(folder.join("profile.html")).unwrap();
    assert!(page.contains("\"kind\":\"profile\""), "it has stacks");
}

/// An empty folder of the tests.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The metadata of cargo for the packages of the workspace.
fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = cargo.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The programs of the packages that cargo builds at the top of the workspace. Running one through cargo would first build
/// all that it needs again, with the features that it alone asks for.
fn default_programs() -> Vec<String> {
    let metadata = metadata();
    let defaults = metadata["workspace_default_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let packages = packages.filter(|package| defaults.contains(&package["id"]));
    let programs = |package: &Value| -> Vec<String> {
        if let Some(program) = package["default_run"].as_str() {
            return vec![program.to_string()];
        }
        let targets = package["targets"].as_array().unwrap().iter();
        let programs = targets.filter(|target| target["kind"][0] == "bin");
        programs.map(|program| program["name"].as_str().unwrap().to_string()).collect()
    };
    packages.flat_map(programs).collect()
}

#[test]
fn the_table_names_every_crate_that_is_published() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let names = packages.filter(|package| package["publish"].is_null());
    for name in names.map(|package| package["name"].as_str().unwrap()) {
        let is_named = readme.contains(&format!("| `{name}`"));
        assert!(is_named || name.starts_with("counterpoint-capi-"), "{name}");
    }
}

#[test]
fn the_second_command_is_the_first_step_of_ci() {
    let blocks = texts("sh");
    assert_eq!(blocks.len(), 2);
    let ci = std::fs::read_to_string(root().join("xtask/src/ci.rs")).unwrap();
    let first_step = ci.lines().find(|line| line.trim_start().starts_with("(\"cargo")).unwrap();
    assert!(first_step.contains(&format!("(\"{}\"", blocks[1].trim())), "{first_step}");
}

#[test]
fn every_console_block_prints_what_stands_there() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let examples: Vec<Block> =
        blocks(&readme).into_iter().filter(|block| block.tag == "console").collect();
    assert!(examples.len() >= 6, "the README shows commands with their output");
    examples.iter().for_each(|block| assert_prints(block, "README.md"));
}
