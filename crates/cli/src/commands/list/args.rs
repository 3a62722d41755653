use crate::args::MachineArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Without options, the events of the kernel and of the PMUs in sysfs are listed. With words, the event tables of this machine's PMUs are searched as well: names, unit masks and descriptions, which must have all of the words.

Examples:
  counterpoint list
  counterpoint list l1d replacement
  counterpoint list --pmu spr l1d
  counterpoint list --pmus --all arm

Exit status: 0 if something was listed, 1 if nothing has the words, 2 for wrong usage.")]
pub struct ListArgs {
    /// List only what has all these words in its name or description
    #[arg(value_name = "PATTERN")]
    pub words: Vec<String>,
    /// List every PMU of the tables, including those of other machines, and tracepoints
    #[arg(long)]
    pub all: bool,
    /// List PMUs instead of events
    #[arg(long, conflicts_with = "events")]
    pub pmus: bool,
    /// List all events of this machine, including those of its tables
    #[arg(long)]
    pub events: bool,
    /// List PAPI's presets, with their formulas and events, and whether they can be counted
    #[arg(long, conflicts_with_all = ["pmus", "events", "all"])]
    pub presets: bool,
    /// List the events of this PMU, of this machine or of any other
    #[arg(long, value_name = "NAME", conflicts_with = "pmus")]
    pub pmu: Option<String>,
    /// Read descriptions of events from a vendor's JSON files: Intel's perfmon, Linux's pmu-events, or the files of one processor
    #[arg(long, value_name = "DIR")]
    pub descriptions: Option<PathBuf>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
}
