//! The system of this machine: its Debian release and its architecture.

use super::apt::output;
use std::fs;
use std::process::Command;

/// The Debian release of this system.
pub(super) fn suite() -> Result<String, String> {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(|name| name.trim_matches('"').to_owned())
        .ok_or_else(|| "/etc/os-release does not name a release: this verb needs Debian".to_owned())
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
