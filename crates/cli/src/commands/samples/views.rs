//! The options of everything that shows samples: which views of call stacks, and where names are looked for.

use super::format::Format;
use crate::failure::Failure;
use std::path::{Path, PathBuf};

// What the table shows of call stacks.
#[derive(clap::Args, Default)]
pub struct StackViews {
    /// In the table, also show the share of each function together with the functions that it called; this is the default with call stacks, unless --callers or --callees is given
    #[arg(long)]
    pub children: bool,
    /// In the table, show from where the function SYMBOL was called, as a tree; needs call stacks
    #[arg(long, value_name = "SYMBOL")]
    pub callers: Option<String>,
    /// In the table, show what the function SYMBOL called, as a tree; needs call stacks
    #[arg(long, value_name = "SYMBOL")]
    pub callees: Option<String>,
}

impl StackViews {
    /// The first option that was given.
    pub fn asked(&self) -> Option<&'static str> {
        match self {
            StackViews { children: true, .. } => Some("--children"),
            StackViews { callers: Some(_), .. } => Some("--callers"),
            StackViews { callees: Some(_), .. } => Some("--callees"),
            _ => None,
        }
    }

    /// Refuses a view in another format than the table.
    pub fn check(&self, format: Format) -> Result<(), Failure> {
        match self.asked() {
            Some(view) if format != Format::Table => {
                Err(Failure::new(format!("{view} is for the table")).help("leave out --format"))
            }
            _ => Ok(()),
        }
    }
}

// Where separate debug files are.
#[derive(clap::Args)]
pub struct DebugArgs {
    /// Look for separate debug files below DIR [default: /usr/lib/debug]
    #[arg(long, value_name = "DIR")]
    debug_dir: Option<PathBuf>,
}

impl DebugArgs {
    /// Refuses a directory that does not exist; the usual one need not.
    pub fn check(&self) -> Result<(), Failure> {
        match &self.debug_dir {
            Some(directory) if !directory.is_dir() => Err(Failure::new(format!(
                "--debug-dir {}: this is not a directory",
                directory.display()
            ))),
            _ => Ok(()),
        }
    }

    pub fn directory(&self) -> &Path {
        self.debug_dir.as_deref().unwrap_or(Path::new("/usr/lib/debug"))
    }
}
