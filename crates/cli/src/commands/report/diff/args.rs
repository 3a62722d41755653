use crate::commands::samples::diff::FormatArgs;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::{DebugArgs, TableArgs};
use crate::failure::Failure;
use crate::output::OutputArgs;
use crate::show::printable;
use std::path::PathBuf;
use std::slice;

#[derive(clap::Subcommand)]
pub enum ReportAction {
    /// Compare recordings, or files of `profile --format json`, of two programs
    ///
    /// Of one file each, the table shows by how much the share of each function changed, and whether that is more than chance. Of several files each, it shows how much more or less each function takes in a run, and whether that is more than the runs differ. To read a file named diff, write `report ./diff`.
    Diff(DiffArgs),
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  counterpoint profile --format perf -o before.perf -- ./solve
  counterpoint profile --format perf -o after.perf -- ./solve
  counterpoint report diff before.perf after.perf

Exit status: 0 if the files could be compared, whatever the verdict; 2 if not.")]
pub struct DiffArgs {
    /// The file that is the base and the one that is compared with it; or the files of the base alone
    #[arg(value_name = "A", required = true)]
    files: Vec<PathBuf>,
    /// The files that are compared with those before `--`: before-*.perf -- after-*.perf
    #[arg(value_name = "B", last = true)]
    others: Vec<PathBuf>,
    #[command(flatten)]
    pub filters: FilterArgs,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Also write a page with the calls of both sides in one flame graph, in which a difference that is more than noise has a colour
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub debug: DebugArgs,
}

impl DiffArgs {
    /// The files of the base, and those that are compared with them.
    pub fn sides(&self) -> Result<[&[PathBuf]; 2], Failure> {
        let is_option = |path: &&PathBuf| path.to_string_lossy().starts_with('-') && !path.exists();
        if let Some(option) = self.others.iter().find(is_option) {
            let option = option.to_string_lossy();
            return Err(Failure::new(format!("there is no file {}", printable(&option)))
                .help("write options before the files: what stands after -- is a file"));
        }
        match (&*self.files, &*self.others) {
            (files, others) if !others.is_empty() => Ok([files, others]),
            ([base, other], _) => Ok([slice::from_ref(base), slice::from_ref(other)]),
            ([_], _) => Err(Failure::new("there is one file, and nothing to compare it with")
                .help("counterpoint report diff A B")),
            _ => Err(Failure::new("it is not known which files are compared with which")
                .help("write -- between them: counterpoint report diff A1 A2 -- B1 B2")),
        }
    }
}
