//! `cargo xtask dist`: the program that is handed on.

use crate::project::{host, root, target};
use std::process::Command;

/// A program of one file: the C library is in it, and its addresses are fixed, so that nothing is linked or relocated when it starts.
const FLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// Builds the program that is handed on, runs it, and prints where it is and how large.
pub fn run() -> Result<(), String> {
    let host = host()?;
    let mut cargo = Command::new("cargo");
    // With a target, the flags are those of the program alone, and not of what runs while it is built.
    cargo.args(["build", "--locked", "--profile", "dist", "-p", "counterpoint-cli", "--target"]);
    let status = cargo.arg(&host).env("RUSTFLAGS", FLAGS).current_dir(root()).status();
    if !status.map_err(|error| format!("cargo: {error}"))?.success() {
        return Err(
            "the build failed; a static C library may be missing: apt-get install libc6-dev"
                .to_string(),
        );
    }
    let program = target().join(host).join("dist/counterpoint");
    let mut count = Command::new(&program);
    let output = count.args(["stat", "-e", "page-faults", "--csv", "true"]).output();
    if !output.map_err(|error| format!("{}: {error}", program.display()))?.status.success() {
        return Err(format!("{} does not count", program.display()));
    }
    let bytes = program.metadata().map_err(|error| error.to_string())?.len();
    println!("{}: {:.1} MB", program.display(), bytes as f64 / 1e6);
    Ok(())
}
