//! `cargo xtask vm-test` runs the live tests in an emulated machine that has a hardware PMU, unlike most virtual machines and CI runners, and the tests that must pass in either byte order.
//!
//! [`machines`] describes the machines; the first one, arm64 (PMUv3 with six counters and a cycle counter), is the usual one.
//! An emulator, a kernel, a linker and a C library come from Debian's archive, through the mirrors configured for apt; they are unpacked into `target/vm`, and nothing is installed.
//! The compiler is that of the project; rustup adds its standard library for the machine.
//! The processor's time is its number of instructions, so that two runs have the same counts.

mod apt;
mod cache;
mod guest;
mod host;
mod machines;
mod toolchain;

use crate::hardware::{Record, UNKNOWN, keep};
use crate::live::TESTS;
use crate::project::{arguments, root};
use guest::{Guest, Run};
use machines::{MACHINES, Machine};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use toolchain::Toolchain;

pub fn run() -> Result<(), String> {
    let (machine, filters) = machine_and_filters(arguments())?;
    let cache = root().join("target/vm");
    let toolchain = timed("linker", || Toolchain::prepare(&cache, machine))?;
    let guest = timed("emulator and kernel", || Guest::prepare(&cache, machine))?;
    let mut runs = timed("build", || build(&toolchain, machine, &filters))?;
    let is_asked = filters.is_empty() || filters.iter().any(|filter| filter == "hardware");
    let is_recorded = is_asked && machine.kernel.is_some();
    let report = is_recorded.then(|| trust_report(&runs)).flatten();
    runs.splice(0..0, report);
    let outcome = timed("run", || guest.run(&runs, &read_by_tests(machine)))?;
    if is_recorded {
        let mut record = Record::of_report(&outcome.json, Some("QEMU"))?;
        if record.cpu == UNKNOWN {
            record.cpu = machine.name.to_owned();
        }
        match &record.no_hardware {
            Some(why) => println!("skipped: the record: {why}. {}", record.counts()),
            None => keep(&record)?,
        }
    }
    let failed = outcome.failed;
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The folders whose files the tests read.
fn read_by_tests(machine: &Machine) -> Vec<PathBuf> {
    let seeds = machine.portable().iter().filter_map(|package| {
        let folder = root().join("crates").join(package.strip_prefix("counterpoint-")?);
        Some(folder.join("fuzz/seeds"))
    });
    ["fixtures", "tests/program", "docs"]
        .map(|name| root().join(name))
        .into_iter()
        .chain(seeds)
        .collect()
}

/// The run of the program that writes the trust report, in which the emulator's events may differ from what is expected.
fn trust_report(runs: &[Run]) -> Option<Run> {
    let is_program =
        |run: &&Run| run.program.file_name().is_some_and(|name| name == "counterpoint");
    let program = runs.iter().find(is_program)?;
    Some(Run {
        name: "trust report".to_owned(),
        program: program.program.clone(),
        from: program.from.clone(),
        package: program.package.clone(),
        arguments: Some(["doctor", "--verify", "--json"].map(str::to_owned).to_vec()),
        passes: &["0", "1"],
    })
}

/// The machine that the first word names, and the filters for the names of tests; without any, all tests that need a machine are run.
fn machine_and_filters(
    arguments: impl Iterator<Item = String>,
) -> Result<(&'static Machine, Vec<String>), String> {
    let mut words: Vec<String> = arguments.collect();
    if let Some(option) = words.iter().find(|word| word.starts_with('-')) {
        let names: Vec<&str> = MACHINES.iter().map(|machine| machine.name).collect();
        return Err(format!("{option}: usage: cargo xtask vm-test [{}] [TEST…]", names.join("|")));
    }
    match words.first().and_then(|word| Machine::named(word)) {
        Some(machine) => {
            words.remove(0);
            Ok((machine, words))
        }
        None => Ok((&MACHINES[0], words)),
    }
}

fn timed<T>(what: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let begun = Instant::now();
    let result = work();
    println!("==> {what}: {:.1} s", begun.elapsed().as_secs_f64());
    result
}

/// Builds the test programs for the guest.
fn build(toolchain: &Toolchain, machine: &Machine, filters: &[String]) -> Result<Vec<Run>, String> {
    let mut command = Command::new("cargo");
    command.args([
        "test",
        "--no-run",
        "--locked",
        // Those that stand beside a crate, without the ones within, which are not run.
        "--test=*",
        "--message-format=json-render-diagnostics",
    ]);
    for package in machine.portable() {
        command.args(["-p", package]);
    }
    if machine.kernel.is_some() {
        command.args(TESTS.iter().flat_map(|(package, _)| ["-p", package]));
        // Without them, the tests of the program are left out.
        command.args(["--features", "counterpoint-cli/full"]);
    } else {
        command.arg("--all-features");
    }
    let output = command
        .envs(toolchain.environment())
        .env_remove("RUSTFLAGS")
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("the tests did not build for {}", machine.target));
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut runs: Vec<Run> = messages.filter_map(|message| run_of(message, filters)).collect();
    for run in &mut runs {
        run.from = toolchain.stripped(&run.program)?;
    }
    Ok(runs)
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
    let usual = TESTS.iter().find(|(known, _)| *known == package);
    let chosen: Vec<String> = match (filters, usual) {
        ([], Some((_, usual))) => usual.iter().map(|test| test.to_string()).collect(),
        (filters, _) => filters.to_vec(),
    };
    // Output is not captured, so that skipped tests are visible.
    let arguments = is_test.then(|| [chosen, vec!["--nocapture".to_owned()]].concat());
    let name = format!("{package} {name}");
    let from = program.clone();
    Some(Run { name, program, from, package: folder.to_owned(), arguments, passes: &["0"] })
}

/// The name of the package in a folder.
fn package(folder: &Path) -> Option<String> {
    let folder = folder.file_name()?.to_str()?;
    Some(match folder {
        "counterpoint" => folder.to_owned(),
        _ => format!("counterpoint-{folder}"),
    })
}
