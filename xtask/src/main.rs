//! `cargo xtask VERB`: development tasks of the project; `cargo xtask --help` lists them.

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
mod verbs;
mod vm;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use verbs::{VERBS, Verb};

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let Some(verb) = VERBS.iter().find(|verb| verb.name() == wanted) else {
        let help: String = VERBS.iter().map(Verb::help).collect();
        let usage = format!("usage: cargo xtask VERB\n\n{help}");
        return if matches!(&*wanted, "--help" | "-h" | "help") {
            print!("{usage}");
            ExitCode::SUCCESS
        } else {
            eprint!("{usage}");
            ExitCode::from(2)
        };
    };
    match (verb.run)() {
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
