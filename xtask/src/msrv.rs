//! `cargo xtask msrv`: a build with the oldest compiler.

use crate::project::{metadata, root};
use std::process::{Command, Stdio};

/// Checks the crates with the compiler that `rust-version` names; `tidy` checks the `rust-version` of dependencies.
pub fn run() -> Result<(), String> {
    let metadata = metadata(&root(), &["--no-deps"])?;
    let version = metadata["packages"][0]["rust_version"].as_str();
    let version = version.ok_or("Cargo.toml has no `rust-version`")?;
    let cargo = |args: &[&str]| {
        let mut cargo = Command::new("cargo");
        cargo.arg(format!("+{version}")).args(args).current_dir(root());
        cargo
    };
    let silent = cargo(&["--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !silent.is_ok_and(|status| status.success()) {
        return Err(format!("Rust {version} is missing: rustup toolchain install {version}"));
    }
    let check = ["check", "--workspace", "--all-features", "--locked"];
    let status =
        cargo(&check).arg("--target-dir").arg(crate::project::target().join("msrv")).status();
    if status.map_err(|error| format!("cargo: {error}"))?.success() {
        Ok(())
    } else {
        Err(format!("cargo +{version} {} failed", check.join(" ")))
    }
}
