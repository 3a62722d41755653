//! What cargo builds.

use crate::failure::Failure;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that cargo has built.
#[derive(Clone)]
pub struct Built {
    /// The name of its target.
    pub name: String,
    pub file: PathBuf,
    /// That of its package, in which cargo runs benchmarks.
    pub folder: PathBuf,
}

/// A call of cargo that builds.
pub struct Build<'a> {
    pub folder: &'a Path,
    /// `None` for that of the workspace.
    pub target: Option<&'a Path>,
    pub arguments: &'a [String],
    /// Variables of the environment.
    pub variables: &'a [(&'a str, String)],
    /// The kind of the targets, as cargo names it: `bench`, `bin`, `example` or `test`.
    pub kind: &'a str,
}

/// What is read of a line of `--message-format=json`.
#[derive(Deserialize)]
struct Line {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Build<'_> {
    /// Builds, and returns the programs in the order of their names. Messages of the compiler go to standard error.
    pub fn run(&self) -> Result<Vec<Built>, Failure> {
        let mut cargo = cargo();
        cargo.current_dir(self.folder).args(self.arguments);
        cargo.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
        cargo.envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(target) = self.target {
            cargo.env("CARGO_TARGET_DIR", target);
        }
        let output = cargo.output().map_err(|error| Failure::new(format!("cargo: {error}")))?;
        if !output.status.success() {
            let text = format!("cargo did not build what is in {}", self.folder.display());
            return Err(Failure::new(text).help("its messages are above"));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut built: Vec<Built> = text.lines().filter_map(|line| self.built(line)).collect();
        built.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(built)
    }

    fn built(&self, line: &str) -> Option<Built> {
        let line: Line = serde_json::from_str(line).ok()?;
        let target = line.target.filter(|_| line.reason == "compiler-artifact")?;
        let is_meant = target.kind.iter().any(|kind| kind == self.kind);
        let folder = line.manifest_path?.parent()?.to_path_buf();
        Some(Built { name: target.name, file: line.executable.filter(|_| is_meant)?, folder })
    }
}

/// The cargo that called this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}
