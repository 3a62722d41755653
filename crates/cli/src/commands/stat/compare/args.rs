use super::super::formats;
use super::gate::GateArgs;
use crate::output::OutputArgs;
use std::path::PathBuf;

// The comparison of commands.
#[derive(clap::Args)]
#[command(next_help_heading = "Comparison", group = clap::ArgGroup::new("comparison").multiple(true))]
pub struct CompareArgs {
    /// Run these commands in turn and in random order, and print how much each differs from the first and whether that is more than noise
    #[arg(long, value_name = "COMMAND", num_args = 1.., group = "comparison", conflicts_with_all = ["command", "interval", "topdown", "append", "control"])]
    pub compare: Vec<String>,
    /// Compare with an earlier report, which stat -r N --json -o FILE wrote
    #[arg(long, value_name = "FILE", group = "comparison", conflicts_with_all = ["interval", "topdown", "append", "reference", "sweep", "parameter-list", "parameter-scan"])]
    pub compare_with: Option<PathBuf>,
    /// Compare with this command, which takes its turns with the others
    #[arg(long, value_name = "COMMAND", group = "comparison", conflicts_with_all = ["interval", "topdown", "append", "control"])]
    pub reference: Option<String>,
    /// Repeat until the 95 % interval of the ratio of each event named by -e, or else of the elapsed time, is no wider than ± this
    #[arg(long, value_name = "PERCENT", default_value = "0.5", value_parser = percent, requires = "comparison", conflicts_with = "repeat")]
    pub precision: f64,
    /// End after this many seconds and at least five rounds, even if the ratios are not as precise as --precision
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        requires = "comparison",
        conflicts_with = "repeat"
    )]
    pub max_time: u64,
    /// Show what the commands print, which goes to /dev/null otherwise
    #[arg(long, requires = "comparison")]
    pub show_output: bool,
    /// Compare commands that fail, too
    #[arg(long, requires = "comparison")]
    pub ignore_failure: bool,
    /// Also say what the difference in time of two commands is made of: states, and slots of the processor where there is a hardware PMU; and functions, for which both are profiled in further runs
    #[arg(long, requires = "compare", conflicts_with_all = ["command", "compare_with", "reference", "sweep", "parameter-list", "parameter-scan", "null", "setup", "prepare", "conclude", "cleanup"])]
    pub why: bool,
    #[command(flatten)]
    pub gate: GateArgs,
}

impl CompareArgs {
    pub fn is_any(&self) -> bool {
        !self.compare.is_empty() || self.compare_with.is_some() || self.reference.is_some()
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

Exit status: 0 if the reports could be compared, whatever the verdict; 1 if a difference is one of --fail-if; 2 if they could not be compared.")]
pub struct DiffArgs {
    /// The reports, or `-` for standard input; the first is the base
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
    pub gate: GateArgs,
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
