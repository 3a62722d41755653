use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
A report is what `counterpoint stat --json -o FILE` writes, or the JSON lines of a program's regions.
Each file is a run; the rank is the one that the report names, else the place of the file.
Files of the same rank are added up as two runs of it, with a warning.
Values of formulas are not added up, and a total that lacks a rank's value is none.

Exit status: 0 merged, 2 a file is no report, or cannot be read.

Examples:
  counterpoint merge rank-*.jsonl
  counterpoint merge --json first.jsonl second.jsonl")]
pub struct MergeArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// The reports
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
