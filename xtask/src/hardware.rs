//! `cargo xtask hardware`: the live tests and the trust report on the PMU of this machine, whose record and page it writes.

mod beside_perf;
mod cores;
mod page;
mod record;

pub use record::{Record, UNKNOWN};

use crate::live::TESTS;
use crate::project::{root, target};
use cores::Cores;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The targets for which the kernels are assembled, as far as their standard library is installed.
const ASSEMBLED: &[&str] = &[
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "riscv64gc-unknown-linux-gnu",
    "powerpc64le-unknown-linux-gnu",
    "powerpc64-unknown-linux-gnu",
];

/// The events that `perf stat` counts, too.
const BESIDE_PERF: &[&str] =
    &["instructions:u", "branches:u", "branch-misses:u", "cycles:u", "page-faults"];

pub fn run() -> Result<(), String> {
    assemble()?;
    let program = program()?;
    for cores in Cores::kinds(Path::new("/")) {
        let mut record = Record::of_report(&trust_report(&program, &cores)?, None)?;
        if let Some(why) = &record.no_hardware {
            println!("There is no hardware to record: {why}. {}", record.counts());
            return Ok(());
        }
        if let Some(pmu) = &cores.pmu {
            record.cpu = format!("{}, {pmu}", record.cpu);
        }
        match beside_perf::rows(&program, &cores, BESIDE_PERF) {
            Ok(rows) => record.rows.extend(rows),
            Err(why) => println!("skipped: the same events by perf stat: {why}"),
        }
        keep(&record)?;
        println!("{}", record.counts());
    }
    let failed = tests();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Writes a record, and the page of all records.
pub fn keep(record: &Record) -> Result<(), String> {
    let path = folder().join(record.file_name());
    replace(&path, &record.to_tsv())?;
    replace(&page_path(), &page::page(&records()?))?;
    println!("==> {} and {}", path.display(), page_path().display());
    Ok(())
}

fn replace(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", path.display());
    let new = path.with_extension("new");
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(&new, text).map_err(failed)?;
    fs::rename(&new, path).map_err(failed)
}

fn folder() -> PathBuf {
    root().join("fixtures/hardware")
}

fn page_path() -> PathBuf {
    root().join("docs/hardware.md")
}

/// All records, by the names of their files.
fn records() -> Result<Vec<Record>, String> {
    let files = fs::read_dir(folder()).map_err(|error| format!("fixtures/hardware: {error}"))?;
    let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tsv"));
    paths.sort();
    let read = |path: &PathBuf| {
        let named = |error: String| format!("{}: {error}", path.display());
        Record::from_tsv(&fs::read_to_string(path).map_err(|e| named(e.to_string()))?)
            .map_err(named)
    };
    paths.iter().map(read).collect()
}

/// Compiles the loops of every architecture, which no test on this machine runs.
fn assemble() -> Result<(), String> {
    for triple in ASSEMBLED {
        let library = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", triple])
            .output()
            .map_err(|error| format!("rustc: {error}"))?;
        let library = String::from_utf8_lossy(&library.stdout).trim().to_owned();
        if !Path::new(&library).is_dir() {
            println!("skipped: the kernels for {triple}; rustup target add {triple}");
            continue;
        }
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--locked", "-p", "counterpoint-kernels", "--target", triple]);
        succeeded(&mut cargo)?;
    }
    Ok(())
}

/// Builds the program.
fn program() -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "-p", "counterpoint-cli", "--features", "full"]);
    succeeded(&mut cargo)?;
    Ok(target().join("debug/counterpoint"))
}

/// The JSON lines of the trust report; an event that counts something else is not an error here.
fn trust_report(program: &Path, cores: &Cores) -> Result<String, String> {
    let output = cores
        .command(program)
        .args(["doctor", "--verify", "--json"])
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    match output.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Runs the live tests of each package, and returns the names of those that failed.
fn tests() -> Vec<&'static str> {
    let run = |(package, filters): &(&'static str, &[&str])| {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--locked", "-p", package, "--tests"]);
        if *package == "counterpoint-cli" {
            cargo.args(["--features", "full"]);
        }
        cargo.arg("--").args(*filters).arg("--nocapture");
        succeeded(&mut cargo).is_err().then_some(*package)
    };
    TESTS.iter().filter_map(run).collect()
}

fn succeeded(command: &mut Command) -> Result<(), String> {
    let status = command.current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `COUNTERPOINT_UPDATE=1` writes it.
    #[test]
    fn the_page_is_that_of_the_records() {
        let page = page::page(&records().unwrap());
        if std::env::var_os("COUNTERPOINT_UPDATE").is_some() {
            replace(&page_path(), &page).unwrap();
        }
        assert_eq!(fs::read_to_string(page_path()).unwrap(), page, "cargo xtask vm-test hardware");
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        for record in records().unwrap() {
            assert_eq!(Record::from_tsv(&record.to_tsv()).unwrap(), record);
            assert!(folder().join(record.file_name()).exists(), "{}", record.file_name());
        }
    }
}
