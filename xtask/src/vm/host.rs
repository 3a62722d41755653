//! The system of this machine: its Debian release, its architecture, and its commands.

use std::fs;
use std::process::Command;

/// The Debian release of this system.
pub(super) fn suite() -> Result<String, String> {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(|name| name.trim_matches('"').to_owned())
        .ok_or_else(|| "/etc/os-release does not name a release: this verb needs Debian".to_owned())
}

/// The suites of this system's packages.
pub(super) fn suites() -> Result<Vec<String>, String> {
    let suite = suite()?;
    Ok(["", "-updates", "-security"].map(|of| format!("{suite}{of}")).into())
}

pub(super) fn host_architecture() -> Result<String, String> {
    output(Command::new("dpkg").arg("--print-architecture")).map(|text| text.trim().to_owned())
}

/// The name of the folder of this machine's libraries in `lib`.
pub(super) fn host_triple() -> Result<String, String> {
    match host_architecture()?.as_str() {
        "amd64" => Ok("x86_64-linux-gnu".to_owned()),
        "arm64" => Ok("aarch64-linux-gnu".to_owned()),
        other => Err(format!("this verb runs on amd64 and arm64, not on {other}")),
    }
}

/// Runs a command, and returns its output.
pub(super) fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{name} {} failed:\n{said}", words.join(" ")))
}
