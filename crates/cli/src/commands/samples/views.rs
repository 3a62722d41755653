//! The options of everything that shows samples: which views of call stacks, and where names are looked for.

use super::format::Format;
use crate::failure::Failure;
use counterpoint::profil::write::TableSize;
use counterpoint::symbols::ShortNames;
use std::path::{Path, PathBuf};

// The views of call stacks in the table.
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

// The size of a table, and the form of the names of functions.
#[derive(clap::Args, Clone, Copy)]
pub struct TableArgs {
    /// Show at most N rows of a table, or all
    #[arg(long, value_name = "N|all", default_value = "20", value_parser = limit)]
    limit: usize,
    /// Leave out the rows with a share of less than PERCENT
    #[arg(long, value_name = "PERCENT", default_value = "0", value_parser = percent, hide_default_value = true)]
    percent_limit: f64,
    /// Show the names of functions of C++ and Rust in full, with return types, parameters and template arguments
    #[arg(long)]
    full_names: bool,
}

impl TableArgs {
    /// The first rows, with short names.
    pub const fn first(limit: usize) -> TableArgs {
        TableArgs { limit, percent_limit: 0.0, full_names: false }
    }

    /// The names that are shown for functions, of which these are the full ones.
    pub fn names<N: Into<String>>(&self, full: impl IntoIterator<Item = N>) -> ShortNames {
        if self.full_names { ShortNames::in_full(full) } else { ShortNames::new(full) }
    }

    /// The size of a table on a stream with these columns, if it is a terminal.
    pub fn size(&self, columns: Option<usize>) -> TableSize {
        TableSize {
            rows: self.limit,
            percent: self.percent_limit,
            columns: columns.unwrap_or(usize::MAX),
        }
    }
}

impl Default for TableArgs {
    fn default() -> TableArgs {
        TableArgs::first(20)
    }
}

fn limit(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "write a number of rows, or `all`".to_string()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').parse().ok();
    let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "write a share of 0 to 100 percent".to_string())
}

// The directory of separate debug files.
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
