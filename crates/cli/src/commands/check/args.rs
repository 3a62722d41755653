use crate::args::MachineArgs;
use crate::names::pmu_name;
use crate::vendor::VendorArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint check mine.csv
  counterpoint check --pmu skx mine.csv
  counterpoint check --metrics perfmon
  counterpoint check --on spr,zen5,neoverse-v2,mtl PAPI_L1_DCM,MEM_LOAD_RETIRED.L3_MISS,ipc
  counterpoint check --on zen4,graviton4 mine.csv
  counterpoint check --explain unknown-type

Exit status: 0 if there are no errors, 1 if a file has errors or one of the processors of --on cannot count something, 2 for wrong usage or if a file cannot be read.")]
pub struct CheckArgs {
    /// The files to check; with --on, files or events
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Say what each of these processors can count of the definitions and metrics of the files, or of a list of events, presets and metrics: in how many passes, as which events, and what stands in for the rest
    #[arg(long, value_name = "PROCESSOR,…", value_delimiter = ',', conflicts_with_all = ["papi", "fix", "pmu", "metrics", "machine"])]
    pub on: Vec<String>,
    /// Check the metrics of FILE, or of DIR: a checkout of intel/perfmon or of Linux's pmu-events, likwid's groups, or the files of one processor; what every event is, and the share of metrics whose every event is known
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["papi", "fix"])]
    pub metrics: Vec<PathBuf>,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Also report where PAPI reads a file differently, or crashes
    #[arg(long)]
    pub papi: bool,
    /// Check the definitions of all files together as on a machine with this PMU, and count those that apply to it
    #[arg(long, value_name = "NAME", value_parser = pmu_name)]
    pub pmu: Option<String>,
    #[command(flatten)]
    pub vendor: VendorArgs,
    /// Rewrite each file in its plain form: no blanks around fields, texts in quotes, uniform line endings
    #[arg(long)]
    pub fix: bool,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// Explain a code, such as unknown-type, instead of checking files
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}
