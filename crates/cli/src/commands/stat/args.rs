use super::formats;
use crate::args::{AttachArgs, MachineArgs};
use crate::definitions::DefinitionArgs;
use crate::metrics::MetricArgs;
use crate::output::OutputArgs;
use crate::vendor::VendorArgs;
use clap::ArgAction;
use clap::builder::PossibleValuesParser;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint stat -- make -j4
  counterpoint stat -e task-clock,page-faults -r 5 -- ./solve
  counterpoint stat -f mine.csv -e FAULTS_PER_MS -- ./solve
  counterpoint stat -a -I 1000 -e context-switches --timeout 5000
  counterpoint stat -M ipc,branch_miss_ratio -- ./solve
  counterpoint stat --topdown=2 -- ./solve
  counterpoint stat --from run.json -M cpi
  counterpoint stat --metrics likwid/groups/SPR -g MEM -a -- ./solve
  mpirun -n 4 counterpoint stat --mpi -- ./solve

Exit status: that of the command (128 plus the number of the signal that ended it), 126 or 127 if it could not be started, 124 if it did not terminate; 2 if nothing could be counted.")]
pub struct StatArgs {
    /// Count these events: names, `pmu/event/`, rHEX, subsystem:tracepoint, mem:ADDR[/LEN][:rwx], {groups}; modifiers :u :k :h :p :D
    #[arg(short, long = "event", value_name = "EVENT,…")]
    pub events: Vec<String>,
    #[command(flatten)]
    pub metrics: MetricArgs,
    /// Count the metrics of top-down analysis down to this level, and print them as a tree
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub topdown: Option<u8>,
    /// Compute the metrics from the counts of an earlier report, which stat --json -o FILE wrote, instead of counting
    #[arg(long, value_name = "FILE", conflicts_with_all = ["events", "interval", "repeat", "command"])]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub vendor: VendorArgs,
    #[command(flatten)]
    pub attach: AttachArgs,
    /// Print one row for each CPU
    #[arg(short = 'A', long = "no-aggr", group = "split")]
    pub per_cpu: bool,
    /// Print one row for each core
    #[arg(long, group = "split")]
    pub per_core: bool,
    /// Print one row for each socket
    #[arg(long, group = "split")]
    pub per_socket: bool,
    /// Print one row for each thread of -p or -t
    #[arg(long, group = "split")]
    pub per_thread: bool,
    /// Start counting this many milliseconds after the start of the command
    #[arg(short = 'D', long, value_name = "MS")]
    pub delay: Option<u64>,
    /// Stop counting after this many milliseconds; the command is then terminated
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// Print the counts of every interval of this many milliseconds
    #[arg(short = 'I', long, value_name = "MS", conflicts_with = "repeat", value_parser = clap::value_parser!(u64).range(1..))]
    pub interval: Option<u64>,
    /// Print this many intervals only; without a command, counting ends with the last of them
    #[arg(long, value_name = "N", requires = "interval", value_parser = clap::value_parser!(u64).range(1..))]
    pub interval_count: Option<u64>,
    /// Run the command this many times and print the mean of each value ± its standard error; an interrupt ends the series
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print the result in this format
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(formats::names()), conflicts_with_all = ["json", "csv"])]
    format: Option<String>,
    /// Print JSON lines, as with --format json
    #[arg(short, long, conflicts_with = "csv")]
    json: bool,
    /// Print the lines of perf stat -x, which are separated by SEP, for scripts that read them; without -o on stderr
    #[arg(short = 'x', long, value_name = "SEP", conflicts_with_all = ["json", "csv", "format"])]
    field_separator: Option<String>,
    /// Print CSV with a header, as with --format csv, separated by SEP (by default a comma)
    #[arg(long, value_name = "SEP", num_args = 0..=1, require_equals = true, default_missing_value = ",")]
    csv: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Add the result to the end of FILE, which several processes may do at the same time
    #[arg(long, requires = "output")]
    pub append: bool,
    /// Write one report for each rank of a parallel job, by default JSON in counterpoint.{job}.{rank}.jsonl or, outside a batch job, counterpoint.{rank}.jsonl; one rank of each node counts the events of the whole node, such as energies, also without -a
    #[arg(long, conflicts_with = "from")]
    pub mpi: bool,
    /// Do not count threads and child processes that start later
    #[arg(long)]
    pub no_inherit: bool,
    /// Count no events, and print only the times of the command
    #[arg(short, long, conflicts_with_all = ["events", "metrics", "groups", "topdown", "detailed", "interval"])]
    pub null: bool,
    /// Count more events: -d for caches, -dd for TLBs, -ddd for prefetches
    #[arg(short, long, action = ArgAction::Count)]
    pub detailed: u8,
    /// Print how each event is opened
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The command to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl StatArgs {
    /// Whether metrics are counted.
    pub fn has_metrics(&self) -> bool {
        self.topdown.is_some() || self.metrics.is_any()
    }

    /// The name of the format.
    pub fn format(&self) -> &str {
        match self {
            StatArgs { format: Some(name), .. } => name,
            StatArgs { json: true, .. } => "json",
            StatArgs { csv: Some(_), .. } => "csv",
            StatArgs { field_separator: Some(_), .. } => "perf",
            StatArgs { mpi: true, .. } => "json",
            _ => "text",
        }
    }

    /// What separates the fields of a line.
    pub fn separator(&self) -> &str {
        self.csv.as_deref().or(self.field_separator.as_deref()).unwrap_or(",")
    }
}
