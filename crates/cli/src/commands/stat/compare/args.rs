use super::super::formats;
use crate::output::OutputArgs;
use std::path::PathBuf;

// The comparison of commands.
#[derive(clap::Args)]
#[command(next_help_heading = "Comparison")]
pub struct CompareArgs {
    /// Run these commands in turn and in random order, and print how much each differs from the first and whether that is more than noise
    #[arg(long, value_name = "COMMAND", num_args = 1.., conflicts_with_all = ["command", "interval", "topdown", "append", "control"])]
    pub compare: Vec<String>,
    /// Compare with an earlier report, which stat -r N --json -o FILE wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["interval", "topdown", "append"])]
    pub compare_with: Option<PathBuf>,
    /// Run each command this many times first, and leave these runs out
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub warmup: u32,
    /// Run this with sh before each run; it is not counted
    #[arg(long, value_name = "COMMAND")]
    pub prepare: Option<String>,
    /// Without -r, run until the ratio of each event that was named, or of the elapsed time, is known to within this
    #[arg(long, value_name = "PERCENT", default_value = "0.5", value_parser = percent)]
    pub precision: f64,
    /// Without -r, end after this many seconds and five rounds even if the ratios are less precise
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub max_time: u64,
    /// Show what the commands print, which goes to /dev/null otherwise
    #[arg(long)]
    pub show_output: bool,
    /// Compare commands that fail, too
    #[arg(long)]
    pub ignore_failure: bool,
}

impl CompareArgs {
    pub fn is_any(&self) -> bool {
        !self.compare.is_empty() || self.compare_with.is_some()
    }
}

/// With or without a sign of percent.
fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').trim().parse().ok();
    number
        .filter(|percent| percent.is_finite() && *percent > 0.0)
        .ok_or_else(|| "write a percentage greater than 0, such as 0.5".to_string())
}

#[derive(clap::Subcommand)]
pub enum StatAction {
    /// Compare reports that stat -r N --json -o FILE wrote: how much each differs from the first, and whether that is more than noise. (To count a program named diff, write `stat -- diff`.)
    Diff(DiffArgs),
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  counterpoint stat -r 20 --json -o before.json -- ./solve
  counterpoint stat -r 20 --json -o after.json -- ./solve
  counterpoint stat diff before.json after.json

Exit status: 0 if the reports could be compared, whatever the verdict; 2 if not.")]
pub struct DiffArgs {
    /// The reports; the first is the base
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,
    /// Print the result in this format
    #[arg(long, value_name = "FORMAT", value_parser = clap::builder::PossibleValuesParser::new(formats::COMPARISON), conflicts_with_all = ["json", "csv"])]
    format: Option<String>,
    /// Print JSON lines, as with --format json
    #[arg(short, long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV with a header, as with --format csv
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl DiffArgs {
    /// The name of the format.
    pub fn format(&self) -> &str {
        match self {
            DiffArgs { format: Some(name), .. } => name,
            DiffArgs { json: true, .. } => "json",
            DiffArgs { csv: true, .. } => "csv",
            _ => "text",
        }
    }
}
