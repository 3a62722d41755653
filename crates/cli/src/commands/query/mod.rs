//! SQL over reports, by a program of its own: its engine is several times larger than everything else.

use crate::failure::Failure;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that answers queries.
const PROGRAM: &str = "counterpoint-query";

#[derive(clap::Args)]
#[command(after_help = "\
This is done by the program counterpoint-query, which is installed beside counterpoint or in a directory of PATH; `counterpoint-query --help` prints its options and functions.

Exit status: 0 if the query has a result, 2 if not.

Examples:
  counterpoint query \"SELECT event, value, status FROM reports WHERE kind = 'value'\" report.jsonl")]
pub struct QueryArgs {
    /// The options of counterpoint-query, the query in SQL, and the reports and tables, or directories of them, that are the table `reports`
    #[arg(
        value_name = "SQL|FILE|DIR",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        num_args = 0..,
    )]
    arguments: Vec<OsString>,
}

/// Becomes the program; returns only if it is not there.
pub fn run(args: &QueryArgs) -> Result<u8, Failure> {
    let beside = std::env::current_exe().ok();
    let beside = beside.as_deref().and_then(Path::parent).map(|folder| folder.join(PROGRAM));
    let program = beside.filter(|path| path.is_file()).unwrap_or(PathBuf::from(PROGRAM));
    let error = Command::new(&program).args(&args.arguments).exec();
    Err(match error.kind() {
        ErrorKind::NotFound => Failure::new(format!("{PROGRAM} is not installed")).help(
            "build it in a checkout: cargo install --path datafusion; reports are turned into tables for other engines without it: counterpoint export",
        ),
        _ => Failure::new(format!("{}: {error}", program.display())),
    })
}
