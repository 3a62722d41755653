//! `cargo xtask vm-test` runs the live tests in an emulated arm64 machine, which has a hardware PMU (PMUv3 with six counters and a cycle counter), unlike most virtual machines and CI runners.
//!
//! An emulator, a kernel, a compiler with a matching standard library, and a linker come from Debian's archive, through the mirrors configured for apt; they are unpacked into `target/vm`, and nothing is installed.
//! The emulated processor's time is its number of instructions, so that two runs have the same counts.

mod apt;
mod cache;
mod guest;
mod host;
mod toolchain;

use crate::hardware::{Record, keep};
use crate::live::TESTS;
use crate::project::root;
use guest::{Guest, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use toolchain::Toolchain;

pub fn run() -> Result<(), String> {
    let filters = filters(std::env::args().skip(2))?;
    let cache = root().join("target/vm");
    let toolchain = timed("toolchain", || Toolchain::prepare(&cache))?;
    let guest = timed("emulator and kernel", || Guest::prepare(&cache))?;
    let mut runs = timed("build", || build(&toolchain, &filters))?;
    let is_recorded = filters.is_empty() || filters.iter().any(|filter| filter == "hardware");
    runs.extend(is_recorded.then(|| trust_report(&runs)).flatten());
    let fixtures = [root().join("fixtures"), root().join("tests/program")];
    let outcome = timed("run", || guest.run(&runs, &fixtures))?;
    if is_recorded {
        keep(&Record::of_report(&outcome.json, Some("QEMU"))?)?;
    }
    let failed = outcome.failed;
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The run of the program that writes the trust report, in which the emulator's events may differ from what is expected.
fn trust_report(runs: &[Run]) -> Option<Run> {
    let is_program =
        |run: &&Run| run.program.file_name().is_some_and(|name| name == "counterpoint");
    let program = runs.iter().find(is_program)?;
    Some(Run {
        name: "trust report".to_owned(),
        program: program.program.clone(),
        package: program.package.clone(),
        arguments: Some(["doctor", "--verify", "--json"].map(str::to_owned).to_vec()),
        passes: &["0", "1"],
    })
}

/// The filters for the names of tests; without any, all tests that need a machine are run.
fn filters(arguments: impl Iterator<Item = String>) -> Result<Vec<String>, String> {
    let mut filters = Vec::new();
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--arch" if arguments.peek().is_some_and(|value| value == "aarch64") => {
                arguments.next();
            }
            "--arch=aarch64" => {}
            option if option.starts_with('-') => {
                return Err(format!(
                    "{option}: usage: cargo xtask vm-test [--arch aarch64] [TEST…]"
                ));
            }
            _ => filters.push(argument),
        }
    }
    Ok(filters)
}

fn timed<T>(what: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let begun = Instant::now();
    let result = work();
    println!("==> {what}: {:.1} s", begun.elapsed().as_secs_f64());
    result
}

/// Builds the test programs for the guest.
fn build(toolchain: &Toolchain, filters: &[String]) -> Result<Vec<Run>, String> {
    let mut command = Command::new("cargo");
    command.args([
        "test",
        "--no-run",
        "--locked",
        "--tests",
        "--message-format=json-render-diagnostics",
    ]);
    for (package, _) in TESTS {
        command.args(["-p", package]);
    }
    // Without them, the tests of the program are left out.
    command.args(["--features", "counterpoint-cli/full"]);
    let output = command
        .envs(toolchain.environment())
        .env_remove("RUSTFLAGS")
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests did not build for aarch64".to_owned());
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
    Ok(messages.filter_map(|message| run_of(message, filters)).collect())
}

/// The program in a message of cargo, if it is to be run or started by a test.
fn run_of(message: Value, filters: &[String]) -> Option<Run> {
    let program = PathBuf::from(message["executable"].as_str()?);
    let target = &message["target"];
    let (name, kind) = (target["name"].as_str()?, target["kind"][0].as_str()?);
    let is_test = kind == "test";
    // Programs that tests start, but not their unit tests.
    if !is_test && message["profile"]["test"] != false {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    let package = package(folder)?;
    let (_, usual) = TESTS.iter().find(|(known, _)| *known == package)?;
    let chosen: Vec<String> = match filters {
        [] => usual.iter().map(|test| test.to_string()).collect(),
        filters => filters.to_vec(),
    };
    // Output is not captured, so that skipped tests are visible.
    let arguments = is_test.then(|| [chosen, vec!["--nocapture".to_owned()]].concat());
    let name = format!("{package} {name}");
    Some(Run { name, program, package: folder.to_owned(), arguments, passes: &["0"] })
}

/// The name of the package in a folder.
fn package(folder: &Path) -> Option<String> {
    let folder = folder.file_name()?.to_str()?;
    Some(match folder {
        "counterpoint" => folder.to_owned(),
        _ => format!("counterpoint-{folder}"),
    })
}
