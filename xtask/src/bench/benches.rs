//! The benchmarks of a workspace, and the command that runs one.

use crate::project::metadata;
use std::path::Path;
use std::process::{Command, Stdio};

/// The package and the name of each benchmark; with names, of those in which one of them is.
pub fn benches(folder: &Path, names: &[String]) -> Result<Vec<(String, String)>, String> {
    let mut benches = Vec::new();
    for package in metadata(folder, &["--locked"])?["packages"].as_array().into_iter().flatten() {
        if !package["source"].is_null() {
            continue;
        }
        let name = package["name"].as_str().unwrap_or_default();
        for target in package["targets"].as_array().into_iter().flatten() {
            let is_bench =
                target["kind"].as_array().is_some_and(|k| k.iter().any(|k| k == "bench"));
            let bench = target["name"].as_str().unwrap_or_default();
            let is_wanted = || names.iter().any(|of| format!("{name}, {bench}").contains(of));
            if is_bench
                && (names.is_empty() || is_wanted())
                && target["src_path"].as_str().is_some_and(|p| Path::new(p).starts_with(folder))
            {
                benches.push((name.to_string(), bench.to_string()));
            }
        }
    }
    Ok(benches)
}

/// The command that runs a benchmark.
pub fn bench(package: &str, bench: &str, folder: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["bench", "--quiet", "--locked", "-p", package, "--bench", bench]);
    cargo.current_dir(folder).stderr(Stdio::inherit());
    cargo
}
