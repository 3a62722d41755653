//! The time, the packages and the size of a first build of the program, and the size of the program of `cargo xtask dist`.
//!
//! `cargo bench -p counterpoint-cli --bench build` builds both from nothing, in a folder of their own, and fails when a limit is passed. It takes a quarter of an hour on two cores.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::process::children_times;
use row::{Limit, alone};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

#[path = "../../../xtask/bench/row.rs"]
mod row;

/// Seconds on two cores.
const WALL_TIME: Limit = Limit::Most(180.0);
/// Seconds.
const CPU_TIME: Limit = Limit::Most(360.0);
const PACKAGES: Limit = Limit::Most(90.0);
/// Megabytes.
const FIRST_SIZE: Limit = Limit::Most(12.0);
/// Megabytes.
const SIZE: Limit = Limit::Most(6.0);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build");
    drop(std::fs::remove_dir_all(&folder));
    // The first build is `cargo run --release`, with which the README begins.
    let (before, begun) = (children_times().unwrap(), Instant::now());
    cargo(&["build", "--release"], &folder);
    let (after, wall) = (children_times().unwrap(), begun.elapsed());
    let first = folder.join("release/counterpoint").metadata().unwrap().len();
    let taken = (after.0 + after.1) - (before.0 + before.1);
    cargo(&["xtask", "dist"], &folder);
    let program = folder.join("dist/package/bin/counterpoint");
    let bytes = program.metadata().unwrap().len();
    drop(std::fs::remove_dir_all(&folder));
    let within = [
        alone("first build on two cores", "s", &[wall.as_secs_f64()], WALL_TIME),
        alone("first build, packages", "", &[packages() as f64], PACKAGES),
        alone("first build, size of the program", "MB", &[first as f64 / 1e6], FIRST_SIZE),
        alone("first build, CPU time", "s", &[taken.as_secs_f64()], CPU_TIME),
        alone("size of the program of xtask dist", "MB", &[bytes as f64 / 1e6], SIZE),
    ];
    if within == [true; 5] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The packages that a first build compiles.
fn packages() -> usize {
    let mut cargo = Command::new("cargo");
    cargo.args(["tree", "-p", "counterpoint-cli", "-e", "normal,build", "--prefix", "none"]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().map(|line| line.trim_end_matches(" (*)"));
    names.filter(|line| !line.is_empty()).collect::<BTreeSet<_>>().len()
}

/// Runs cargo in the workspace, with its results in a folder.
fn cargo(words: &[&str], folder: &Path) {
    let mut cargo = Command::new("cargo");
    cargo.args(words).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let status = cargo.env("CARGO_TARGET_DIR", folder).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{cargo:?}");
}
