use clap::ValueEnum;
use counterpoint_report::merge::By;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
A report is the output of `counterpoint stat --json -o FILE` or `stat --mpi`, the JSON lines of a program's regions, or a report of PAPI's high-level API (papi_hl_output/rank_N.json), whose rank is in its name.
A report names the rank of its process, whatever its file is called, and values are sorted by rank; a report that was written outside a parallel job has the name of its file instead.
Several processes of the same rank are added up as several runs of this rank, with a warning.
Values of formulas are not added up, and there is no total if the value of a rank is missing, unless another rank of its node counted the event, or if a report is missing or ends before its summary.
A file or a line that is not of a report is left out with an error.

Exit status: 0 if the reports were merged, 2 if a file or a line is not of a report or cannot be read.

Examples:
  counterpoint merge counterpoint.*.jsonl
  counterpoint merge --by node papi_hl_output
  counterpoint merge --html job.html counterpoint.*.jsonl
  counterpoint merge --perfetto counterpoint.*.jsonl > trace.json
  counterpoint merge --json first.jsonl second.jsonl")]
pub struct MergeArgs {
    /// Compare these, and print the value of each; without it, ranks are compared and only the extremes printed
    #[arg(long, value_name = "WHAT")]
    pub by: Option<Groups>,
    /// Merge also reports of runs with different numbers of ranks, which are otherwise refused: older files may be among them
    #[arg(long)]
    pub mixed: bool,
    /// Print JSON lines
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print a trace for ui.perfetto.dev and chrome://tracing: what each thread of each rank did over time
    #[arg(long, conflicts_with_all = ["by", "csv", "json"])]
    pub perfetto: bool,
    /// Print CSV with a header, separated by SEP (by default a comma): a line for each event or, with --by, for each value
    #[arg(long, value_name = "SEP", num_args = 0..=1, require_equals = true, default_missing_value = ",")]
    pub csv: Option<String>,
    /// Also write a page to FILE, which any browser shows without a network: tables, the values of each rank as bars, and what each thread did over time
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The reports to merge, or directories of reports
    #[arg(value_name = "FILE|DIR", required = true)]
    pub files: Vec<PathBuf>,
}

/// What is compared with each other.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Groups {
    /// Processes, by their rank
    Rank,
    /// Nodes, with the sum of their ranks
    Node,
    /// Sockets of nodes, from rows of sockets or cores (stat --per-socket)
    Socket,
    /// Threads of processes, by rank and number (that of OpenMP, if it is known), from the rows of threads that programs with regions write, or of stat --per-thread
    Thread,
}

impl MergeArgs {
    pub fn by(&self) -> By {
        match self.by {
            None | Some(Groups::Rank) => By::Rank,
            Some(Groups::Node) => By::Node,
            Some(Groups::Socket) => By::Socket,
            Some(Groups::Thread) => By::Thread,
        }
    }
}
