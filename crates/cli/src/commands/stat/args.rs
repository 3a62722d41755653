use super::compare::{CompareArgs, StatAction};
use super::event_args::EventArgs;
use super::format::Style;
use super::formats;
use super::help::HEADINGS;
use super::hooks::HookArgs;
use super::sweep::SweepArgs;
use crate::args::{AttachArgs, LevelArgs, MachineArgs};
use crate::begin::BeginArgs;
use crate::definitions::DefinitionArgs;
use crate::help::headings::placed;
use crate::metrics::MetricArgs;
use crate::output::OutputArgs;
use crate::show::{self, Colour};
use crate::vendor::VendorArgs;
use clap::ArgAction;
use clap::builder::PossibleValuesParser;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    mut_args(|arg| placed(arg, HEADINGS)),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    subcommand_value_name = "diff",
    after_help = "Examples:
  counterpoint stat -- make -j4
  counterpoint stat -e task-clock,page-faults -r 5 -- ./solve
  counterpoint stat -f mine.csv -e FAULTS_PER_MS -- ./solve
  counterpoint stat -a -I 1000 -e context-switches --timeout 5000
  counterpoint stat -M ipc,branch_miss_ratio -- ./solve
  counterpoint stat --topdown=2 -- ./solve
  counterpoint stat --from run.json -M cpi
  counterpoint stat --compare './solve-old input' './solve input'
  counterpoint stat --sweep threads=1,2,4 --html page.html -- ./solve -j {threads}
  counterpoint stat --metrics likwid/groups/SPR -g MEM -a -- ./solve
  mpirun -n 4 counterpoint stat --mpi -- ./solve

Exit status: that of the command (128 plus the number of the signal that ended it), 126 or 127 if it could not be started, 124 if it did not terminate; 1 if a difference is one of --fail-if; 2 if nothing could be counted."
)]
pub struct StatArgs {
    #[command(flatten)]
    pub events: EventArgs,
    #[command(flatten)]
    pub metrics: MetricArgs,
    /// Count the metrics of top-down analysis down to this level, and print them as a tree
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = clap::value_parser!(u8).range(1..=6))]
    topdown: Option<u8>,
    /// The level, in the words of perf
    #[arg(long, value_name = "LEVEL", hide = true, requires = "topdown", value_parser = clap::value_parser!(u8).range(1..=6))]
    td_level: Option<u8>,
    /// Compute the metrics from the counts of an earlier report, which stat --json -o FILE wrote, instead of counting
    #[arg(long, value_name = "FILE", conflicts_with_all = ["events", "interval", "repeat", "command", "comparison", "uid", "control"])]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub vendor: VendorArgs,
    #[command(flatten)]
    pub attach: AttachArgs,
    /// Count each of these cgroups, on all CPUs, and print the rows of each
    #[arg(long, value_name = "CGROUP,…", value_delimiter = ',', group = "split", conflicts_with_all = ["pid", "tid", "cpus", "cgroup", "uid", "topdown", "from"])]
    pub for_each_cgroup: Vec<PathBuf>,
    /// Print one row for each CPU
    #[arg(short = 'A', long = "no-aggr", group = "split")]
    pub per_cpu: bool,
    /// Print one row for each core
    #[arg(long, group = "split")]
    pub per_core: bool,
    /// Print one row for each socket
    #[arg(long, group = "split")]
    pub per_socket: bool,
    /// Print one row for each die of a socket
    #[arg(long, group = "split")]
    pub per_die: bool,
    /// Print one row for each NUMA node
    #[arg(long, group = "split")]
    pub per_node: bool,
    /// Print one row for each cache of this level (by default the last one), named by the first CPU that shares it
    #[arg(long, group = "split", value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "last", value_parser = cache_level)]
    pub per_cache: Option<Cache>,
    /// Print one row for each thread of -p, -t or -u
    #[arg(long, group = "split")]
    pub per_thread: bool,
    #[command(flatten)]
    pub begin: BeginArgs,
    /// Stop counting after this many milliseconds; the command is then terminated
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// Print the counts of every interval of this many milliseconds
    #[arg(short = 'I', long, alias = "interval-print", value_name = "MS", conflicts_with = "repeat", value_parser = clap::value_parser!(u64).range(1..))]
    pub interval: Option<u64>,
    /// Print this many intervals only; without a command, counting ends with the last of them
    #[arg(long, value_name = "N", requires = "interval", value_parser = clap::value_parser!(u64).range(1..))]
    pub interval_count: Option<u64>,
    /// Print the intervals as bars, and each event as one line of bars at the end
    #[arg(long, conflicts_with_all = ["json", "csv", "format", "field_separator"])]
    plot: bool,
    /// After the intervals, also print the counts of the whole time
    #[arg(long, requires = "interval", conflicts_with = "plot")]
    pub summary: bool,
    /// Also write a page with charts and tables to FILE, which any browser shows without a network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Run the command this many times and print the mean of each value ± its standard error; an interrupt ends the series
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: Option<u32>,
    /// In text, also print the elapsed time of each run, and how far it is from their mean
    #[arg(long, requires = "repeat")]
    table: bool,
    /// Also run the command as often without counting, in turn, and say what counting added to its times; 10 times without -r
    #[arg(long, requires = "command", conflicts_with_all = ["null", "interval", "comparison", "from", "control", "mpi", "timeout", "pid", "tid", "uid"])]
    pub own_cost: bool,
    /// Print the values of metrics only, and not those of the events of -e
    #[arg(long)]
    pub metric_only: bool,
    /// Print the result in this format
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(formats::names()), conflicts_with_all = ["json", "csv"])]
    format: Option<String>,
    /// Print JSON lines, as with --format json
    #[arg(short, long, alias = "json-output", conflicts_with = "csv")]
    json: bool,
    /// Print the lines of perf stat -x, which are separated by SEP, for scripts that read them; without -o on stderr
    #[arg(short = 'x', long, value_name = "SEP", conflicts_with_all = ["json", "csv", "format"])]
    field_separator: Option<String>,
    /// Print CSV with a header, as with --format csv, separated by SEP (by default a comma)
    #[arg(long, value_name = "SEP", num_args = 0..=1, require_equals = true, default_missing_value = ",")]
    csv: Option<String>,
    /// Print numbers in text with separators of thousands, which is the default
    #[arg(short = 'B', long, overrides_with = "no_big_num")]
    big_num: bool,
    /// Print numbers in text without separators of thousands
    #[arg(long, overrides_with = "big_num")]
    no_big_num: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Show in red what needs a look: values that were not counted, thresholds that are crossed, and errors above 10%; `auto` does on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    /// Write the result to this file descriptor, which a shell opens with N>FILE
    #[arg(long, value_name = "N", conflicts_with_all = ["output", "append"])]
    pub log_fd: Option<u32>,
    /// Add the result to the end of FILE, which several processes may do at the same time
    #[arg(long, requires = "output")]
    pub append: bool,
    /// Write one report for each rank of a parallel job, by default JSON in counterpoint.{job}.{rank}.jsonl or, outside a batch job, counterpoint.{rank}.jsonl; one rank of each node counts the events of the whole node, such as energies, also without -a
    #[arg(long, conflicts_with_all = ["from", "comparison"])]
    pub mpi: bool,
    /// Print one row for each box of a PMU that has several, such as uncore_imc_0 and uncore_imc_1, instead of their sum
    #[arg(long)]
    pub no_merge: bool,
    #[command(flatten)]
    pub levels: LevelArgs,
    /// Do not count threads and child processes that start later
    #[arg(short = 'i', long)]
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
    #[command(flatten)]
    pub hooks: HookArgs,
    #[command(flatten)]
    pub compare: CompareArgs,
    #[command(flatten)]
    pub sweep: SweepArgs,
    #[command(subcommand)]
    pub action: Option<StatAction>,
    /// The command to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND", help_heading = None::<&str>)]
    pub command: Vec<OsString>,
}

/// The caches of one level, or of the last one.
#[derive(Clone, Copy)]
pub struct Cache(pub Option<u8>);

fn cache_level(text: &str) -> Result<Cache, String> {
    let digits = text.strip_prefix(['L', 'l']).unwrap_or(text);
    match (text, digits.parse()) {
        ("last", _) => Ok(Cache(None)),
        (_, Ok(level @ 1..=9)) => Ok(Cache(Some(level))),
        _ => Err("write the level as L1, L2 or L3".to_string()),
    }
}

impl StatArgs {
    /// Returns true if commands are compared: several, one over parameters, or one with a report.
    pub fn is_comparison(&self) -> bool {
        self.compare.is_any() || self.sweep.is_any()
    }

    /// The level of top-down analysis that is asked for.
    pub fn topdown(&self) -> Option<u8> {
        self.td_level.or(self.topdown)
    }

    /// Returns true if metrics are counted.
    pub fn has_metrics(&self) -> bool {
        self.topdown.is_some() || self.metrics.is_any()
    }

    /// Returns true if there is a row for each part of the machine or of the target, other than a CPU.
    pub fn has_rows_of_parts(&self) -> bool {
        let of_machine = self.per_core || self.per_die || self.per_socket || self.per_node;
        of_machine || self.per_cache.is_some() || self.per_thread
    }

    /// The name of the format.
    pub fn format(&self) -> &str {
        match self {
            StatArgs { format: Some(name), .. } => name,
            StatArgs { json: true, .. } => "json",
            StatArgs { plot: true, .. } => "plot",
            StatArgs { csv: Some(_), .. } => "csv",
            StatArgs { field_separator: Some(_), .. } => "perf",
            StatArgs { mpi: true, .. } => "json",
            _ => "text",
        }
    }

    /// Returns true if the launcher may end this process before its result: the one of a single run is written now and then.
    pub fn has_checkpoints(&self) -> bool {
        let is_one_run = self.interval.is_none() && self.repeat.unwrap_or(1) == 1;
        self.mpi && self.format() == "json" && !self.append && is_one_run
    }

    /// The form in which the result is written.
    pub fn style(&self) -> Style<'_> {
        let separator = self.csv.as_deref().or(self.field_separator.as_deref()).unwrap_or(",");
        let is_shown = self.log_fd.is_none() && !self.output.is_file();
        let width = if is_shown { show::terminal_width() } else { None };
        let has_thousands = self.big_num || !self.no_big_num;
        Style { separator, has_thousands, has_runs: self.table, width }
    }
}
