//! The project that the verbs work on: its folders, its metadata, and the arguments of the verb.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The metadata that cargo reports for the workspace in a folder.
pub fn metadata(folder: &Path, args: &[&str]) -> Result<Value, String> {
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
pub fn arguments() -> impl Iterator<Item = String> {
    std::env::args().skip(2)
}

/// The target of this machine, such as `x86_64-unknown-linux-gnu`.
pub fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc: {e}"))?;
    let about = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or("rustc -vV does not print the host".to_string())
}

/// The directory for cargo's output.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The root directory of the workspace.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}
