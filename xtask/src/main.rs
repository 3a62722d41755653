//! `cargo xtask VERB`: development tasks of the project.

#![deny(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]
#![allow(unreachable_pub, reason = "a program has no public interface")]

mod ballista;
mod bench;
mod book;
mod browser;
mod capi;
mod ci;
mod conformance;
mod dist;
mod fuzz;
mod mpi;
mod msrv;
mod package;
mod prometheus;
mod public_api;
mod python;
mod sanitize;
mod tables;
mod tidy;
mod vm;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

type Task = (&'static str, &'static str, fn() -> Result<(), String>);

const TASKS: &[Task] = &[
    (
        "ballista",
        "build and test the package counterpoint-datafusion, and ask a scheduler and two executors about reports of stat; needs about ten minutes the first time",
        ballista::run,
    ),
    (
        "bench",
        "run benchmarks and print one table with their peers, or beside another commit: bench [--compare REV] [NAME…]; fails if a limit is exceeded",
        bench::run,
    ),
    ("book", "build the book of docs in target/book; without mdbook it is skipped", book::run),
    (
        "browser",
        "open the pages that the program writes in a browser: no script error, and the numbers of the JSON",
        browser::run,
    ),
    (
        "capi",
        "build the C libraries with their headers and pkg-config files: capi --install DIR; compare or write counterpoint.h: capi --header [--bless]",
        capi::run,
    ),
    (
        "ci",
        "run everything that must pass: tests, formatting, clippy, docs, tidy, public API, packages",
        ci::run,
    ),
    (
        "conformance",
        "compare with the system's tools: conformance capi (programs over our libpfm.so.4), libpfm (every answer of counterpoint-pmu), papi (the names of events), symbols (the names of profiles)",
        conformance::run,
    ),
    ("dist", "build the program that is handed on: one file, small, and quick to start", dist::run),
    ("fuzz", "run every fuzz target, one after the other: fuzz [--seconds N] [TARGET…]", fuzz::run),
    (
        "mpi",
        "run 4, 16 and 64 ranks under the system's mpirun, and check what merge says about them",
        mpi::run,
    ),
    ("msrv", "build with the oldest compiler that Cargo.toml promises", msrv::run),
    ("package", "package every crate, and build the packages beside each other", package::run),
    (
        "prometheus",
        "let the system's Prometheus scrape the exporter: promtool has nothing to say, and a query answers what stat counts",
        prometheus::run,
    ),
    (
        "public-api",
        "compare the public API of each crate with its public-api.txt: public-api [--bless]",
        public_api::run,
    ),
    (
        "python",
        "build the Python package, and run its tests, the checks of its types and its benchmark in a virtual environment",
        python::run,
    ),
    (
        "sanitize",
        "run the tests that call the kernel, and those of the C libraries, under the address and thread sanitizers, and C programs under valgrind",
        sanitize::run,
    ),
    (
        "tables",
        "generate the index of the text tables of crates/pmu and, from facts, the tables",
        tables::run,
    ),
    (
        "tidy",
        "check the rules that the compiler does not: arrows, printing, unsafe, generated files, paths",
        tidy::run,
    ),
    (
        "vm-test",
        "run the live tests on the hardware counters of an emulated arm64 machine",
        vm::run,
    ),
];

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let Some((_, _, task)) = TASKS.iter().find(|(name, ..)| *name == wanted) else {
        eprintln!("usage: cargo xtask VERB");
        for (name, what, _) in TASKS {
            eprintln!("  {name:<11} {what}");
        }
        return ExitCode::from(2);
    };
    match task() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask {wanted}: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// The metadata that cargo reports for the workspace in a folder.
fn metadata(folder: &Path, args: &[&str]) -> Result<Value, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--format-version=1"]).args(args).current_dir(folder);
    let output = cargo.output().map_err(|e| format!("cargo metadata: {e}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo metadata: {}", reason.lines().next().unwrap_or_default()));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))
}

/// The arguments after the verb.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args().skip(2)
}

/// The target of this machine, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc: {e}"))?;
    let about = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or("rustc -vV does not print the host".to_string())
}

/// The directory for cargo's output.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The root directory of the workspace.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}
