use crate::args::MachineArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Without options: the events of the kernel and of the PMUs in sysfs. Words look through the event tables of this machine's PMUs as well, through names, unit masks and descriptions; all words must be found.

Examples:
  counterpoint list
  counterpoint list l1d replacement
  counterpoint list --pmu spr l1d
  counterpoint list --pmus --all arm

Exit status: 0 listed, 1 nothing has the words, 2 wrong usage.")]
pub struct ListArgs {
    /// Only what has all these words in its name or description
    #[arg(value_name = "PATTERN")]
    pub words: Vec<String>,
    /// Every PMU of the tables, also of other machines, and tracepoints
    #[arg(long)]
    pub all: bool,
    /// List PMUs, not events
    #[arg(long, conflicts_with = "events")]
    pub pmus: bool,
    /// All events of this machine, those of its tables too
    #[arg(long)]
    pub events: bool,
    /// PAPI's presets, and what counts them: formula, events, and whether they can be counted
    #[arg(long, conflicts_with_all = ["pmus", "events", "all"])]
    pub presets: bool,
    /// The events of this PMU, of this machine or of any other
    #[arg(long, value_name = "NAME", conflicts_with = "pmus")]
    pub pmu: Option<String>,
    /// Describe events with a vendor's JSON files: Intel's perfmon, Linux's pmu-events, or those of one processor
    #[arg(long, value_name = "DIR")]
    pub descriptions: Option<PathBuf>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
}
