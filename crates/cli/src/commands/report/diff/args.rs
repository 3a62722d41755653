use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::{DebugArgs, TableArgs};
use crate::output::OutputArgs;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

#[derive(clap::Subcommand)]
pub enum ReportAction {
    /// Compare two recordings, or two files of `profile --format json`
    ///
    /// The table shows by how much the share of each function changed, and whether that is more than chance. To read a file named diff, write `report ./diff`.
    Diff(DiffArgs),
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  counterpoint profile --format perf -o before.perf -- ./solve
  counterpoint profile --format perf -o after.perf -- ./solve
  counterpoint report diff before.perf after.perf

Exit status: 0 if the files could be compared, whatever the verdict; 2 if not.")]
pub struct DiffArgs {
    /// The file that is the base
    #[arg(value_name = "A")]
    pub base: PathBuf,
    /// The file that is compared with it
    #[arg(value_name = "B")]
    pub other: PathBuf,
    #[command(flatten)]
    pub filters: FilterArgs,
    /// Write the result in this format: `table` for people, or `json` with a line for each event
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = PossibleValuesParser::new(["table", "json"]))]
    format: String,
    /// Also write a page with the calls of both recordings in one flame graph, in which a difference that is more than chance has a colour
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
    pub fn is_json(&self) -> bool {
        self.format == "json"
    }
}
