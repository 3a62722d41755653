use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
A report is the output of `counterpoint stat --json -o FILE`, or the JSON lines of a program's regions.
A report names the rank of its process, whatever its file is called, and values are sorted by rank; a report that was written outside a parallel job has the name of its file instead.
Several processes of the same rank are added up as several runs of this rank, with a warning.
Values of formulas are not added up, and there is no total if the value of a rank is missing.

Exit status: 0 if the reports were merged, 2 if a file is not a report or cannot be read.

Examples:
  counterpoint merge rank-*.jsonl
  counterpoint merge --json first.jsonl second.jsonl")]
pub struct MergeArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// The reports to merge
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
