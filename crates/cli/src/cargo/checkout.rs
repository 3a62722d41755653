//! The checkout of the user, and another revision beside it.

use super::build::cargo;
use crate::failure::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout in which the program was started.
pub struct Checkout {
    pub folder: PathBuf,
    /// The path from its root to the folder.
    prefix: PathBuf,
    /// The directory of this program below that of cargo.
    pub target: PathBuf,
}

/// Another revision, whose files are in the target directory.
pub struct Base<'c> {
    checkout: &'c Checkout,
    root: PathBuf,
    /// The short name of its commit.
    pub commit: String,
}

impl Checkout {
    pub fn here() -> Result<Checkout, Failure> {
        #[derive(Deserialize)]
        struct Metadata {
            target_directory: PathBuf,
        }
        let folder = std::env::current_dir()?;
        let prefix = git(&folder, &["rev-parse", "--show-prefix"]).map_err(|why| {
            Failure::new(format!("this is no checkout of git: {why}"))
                .help("start it in the package or workspace whose benchmarks are compared")
        })?;
        let mut metadata = cargo();
        metadata.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(&folder);
        let text = said(&mut metadata).map_err(|why| Failure::new(format!("cargo: {why}")))?;
        let read = serde_json::from_str(&text);
        let Metadata { target_directory } =
            read.map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
        let (prefix, target) = (prefix.into(), target_directory.join("counterpoint"));
        Ok(Checkout { folder, prefix, target })
    }

    /// Checks a revision out.
    pub fn base(&self, revision: &str) -> Result<Base<'_>, Failure> {
        let commit = format!("{revision}^{{commit}}");
        let commit = git(&self.folder, &["rev-parse", "--short", "--verify", "--quiet", &commit]);
        let commit = commit.map_err(|_| {
            Failure::new(format!("git has no revision `{revision}`"))
                .help("name a branch, a tag or a commit: --against main")
        })?;
        let root = self.target.join("base");
        self.write(&commit, &root).map_err(|why| {
            let root = root.display();
            Failure::new(format!("`{revision}` cannot be checked out into {root}: {why}"))
        })?;
        Ok(Base { checkout: self, root, commit })
    }

    /// Writes the files of a commit: those that differ from the ones that are there, so that cargo builds only what changed.
    fn write(&self, commit: &str, root: &Path) -> Result<(), String> {
        std::fs::create_dir_all(root).map_err(|error| error.to_string())?;
        let repository = git(&self.folder, &["rev-parse", "--absolute-git-dir"])?;
        // With an index of its own, the repository knows nothing of these files.
        let in_base = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.args(["-c", "core.sparseCheckout=false"]).args(arguments).current_dir(root);
            command.env("GIT_DIR", &repository).env("GIT_WORK_TREE", root);
            command.env("GIT_INDEX_FILE", self.target.join("base.index"));
            said(&mut command)
        };
        in_base(&["read-tree", "--reset", "-u", commit])?;
        in_base(&["checkout-index", "--all", "--force", "--index"]).map(|_| ())
    }
}

impl Base<'_> {
    /// The folder in which the program was started, at this revision.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.root.join(&self.checkout.prefix);
        if folder.is_dir() {
            return Ok(folder);
        }
        let prefix = self.checkout.prefix.display();
        Err(Failure::new(format!("{} has no folder {prefix}", self.commit))
            .help("start it in a folder that both revisions have"))
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    said(Command::new("git").args(arguments).current_dir(folder))
}

/// What a command says; of one that fails, why.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}
