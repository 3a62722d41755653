//! The benchmarks of a workspace, and the command that runs one.

use crate::project::metadata;
use std::path::Path;
use std::process::{Command, Stdio};

/// A benchmark of a workspace.
pub struct Bench {
    package: String,
    name: String,
    /// The features without which its package does not have it, with commas between.
    features: String,
}

impl Bench {
    /// The package and the name.
    pub fn title(&self) -> String {
        format!("{}, {}", self.package, self.name)
    }

    /// The command that runs it.
    pub fn command(&self, folder: &Path) -> Command {
        let Bench { package, name, features } = self;
        let mut cargo = Command::new("cargo");
        cargo.args(["bench", "--quiet", "--locked", "-p", package, "--bench", name]);
        if !features.is_empty() {
            cargo.args(["--features", features]);
        }
        cargo.current_dir(folder).stderr(Stdio::inherit());
        cargo
    }
}

/// The benchmarks; with names, those in whose title one of them is.
pub fn benches(folder: &Path, names: &[String]) -> Result<Vec<Bench>, String> {
    let mut benches = Vec::new();
    for package in metadata(folder, &["--locked"])?["packages"].as_array().into_iter().flatten() {
        if !package["source"].is_null() {
            continue;
        }
        let name = package["name"].as_str().unwrap_or_default();
        for target in package["targets"].as_array().into_iter().flatten() {
            let is_bench =
                target["kind"].as_array().is_some_and(|k| k.iter().any(|k| k == "bench"));
            let features = target["required-features"].as_array().into_iter().flatten();
            let features: Vec<&str> = features.filter_map(|feature| feature.as_str()).collect();
            let bench = Bench {
                package: name.to_string(),
                name: target["name"].as_str().unwrap_or_default().to_string(),
                features: features.join(","),
            };
            let is_wanted = || names.iter().any(|of| bench.title().contains(of));
            if is_bench
                && (names.is_empty() || is_wanted())
                && target["src_path"].as_str().is_some_and(|p| Path::new(p).starts_with(folder))
            {
                benches.push(bench);
            }
        }
    }
    Ok(benches)
}
