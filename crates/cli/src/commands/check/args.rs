use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint check mine.csv
  counterpoint check --pmu skx mine.csv
  counterpoint check --explain unknown-type

Exit status: 0 no errors, 1 a file has errors, 2 wrong usage or a file that cannot be read.")]
pub struct CheckArgs {
    /// The files
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Say too where PAPI would read a file otherwise, or crash
    #[arg(long)]
    pub papi: bool,
    /// Put the definitions of all files together as this PMU sees them, and check that
    #[arg(long, value_name = "NAME")]
    pub pmu: Option<String>,
    /// Write each file in its plain form: no blanks around fields, texts between quotes, lines ended alike
    #[arg(long)]
    pub fix: bool,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// Explain a code, such as unknown-type, instead
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}
