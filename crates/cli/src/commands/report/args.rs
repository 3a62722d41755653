use super::diff::ReportAction;
use super::filter::Filters;
use crate::commands::profile::sorted::{self, Key};
use crate::commands::profile::{DEBUG_FILES, Format, Shown};
use crate::failure::Failure;
use crate::output::OutputArgs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    subcommand_value_name = "diff",
    after_help = "Examples:
  counterpoint profile --format perf -o solve.perf -- ./solve
  counterpoint report solve.perf
  counterpoint report --comm worker --time 120.5,121 perf.data
  counterpoint report --sort comm,function perf.data
  counterpoint report --format folded -o solve.folded perf.data
  counterpoint report diff before.perf after.perf

Exit status: 0, also if parts of the file could not be read; 2 if nothing could be read."
)]
pub struct ReportArgs {
    /// The file: of `counterpoint profile --format perf`, or of `perf record`
    #[arg(value_name = "FILE", default_value = "perf.data")]
    pub file: PathBuf,
    #[command(flatten)]
    pub filters: Filters,
    /// Show only samples in the function SYMBOL
    #[arg(short = 'S', long)]
    pub symbol: Option<String>,
    /// In place of functions and lines, show the samples by these keys, each with its share; several are shown together
    #[arg(short, long, value_enum, value_name = "KEY,…", value_delimiter = ',', conflicts_with_all = ["children", "callers", "callees"])]
    pub sort: Vec<Key>,
    /// In the table, show the share of each function together with the functions that it called
    #[arg(long)]
    pub children: bool,
    /// In the table, show from where SYMBOL was called, as a tree
    #[arg(long, value_name = "SYMBOL")]
    pub callers: Option<String>,
    /// In the table, show what SYMBOL called, as a tree
    #[arg(long, value_name = "SYMBOL")]
    pub callees: Option<String>,
    /// Write the result in this format: any of `counterpoint profile` but gmon and perf
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Also write a page with a flame graph of the call stacks, the hottest functions and their source, and the samples of each thread over time to FILE, which any browser shows without a network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Look for separate debug files below DIR [default: /usr/lib/debug]
    #[arg(long, value_name = "DIR")]
    debug_dir: Option<PathBuf>,
    #[command(subcommand)]
    pub action: Option<ReportAction>,
}

impl ReportArgs {
    pub fn check(&self) -> Result<(), Failure> {
        if matches!(self.format, Format::Gmon | Format::Perf) {
            return Err(Failure::new("a recording is not written in this format")
                .help("use --format table, json, folded, svg or pprof"));
        }
        if self.has_view() && self.format != Format::Table {
            let text = "--children, --callers and --callees are for the table";
            return Err(Failure::new(text).help("leave out --format"));
        }
        sorted::check(&self.sort, self.format)
    }

    /// Whether a view of call stacks is asked for.
    pub fn has_view(&self) -> bool {
        self.children || self.callers.is_some() || self.callees.is_some()
    }

    /// How the result is shown.
    pub fn shown(&self, is_dwarf: bool, is_other_kernel: bool) -> Shown<'_> {
        Shown {
            title: self.file.display().to_string(),
            format: self.format,
            children: self.children,
            callers: self.callers.as_deref(),
            callees: self.callees.as_deref(),
            is_dwarf,
            is_weighted: false,
            has_regions: false,
            is_other_kernel,
            symbol: self.symbol.as_deref(),
            sort: &self.sort,
            debug_directory: self.debug_dir.as_deref().unwrap_or(Path::new(DEBUG_FILES)),
        }
    }
}
