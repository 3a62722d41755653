use super::diff::ReportAction;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use crate::commands::samples::sorted::{self, Key};
use crate::commands::samples::{DebugArgs, Format, Shown, StackViews, TableArgs};
use crate::failure::Failure;
use crate::output::OutputArgs;
use counterpoint_recording::Recorded;
use std::path::PathBuf;

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
    /// The file: of `counterpoint profile --format perf`, or of `perf record`; `-` is standard input
    #[arg(value_name = "FILE", default_value = "perf.data")]
    pub file: PathBuf,
    #[command(flatten)]
    pub filters: FilterArgs,
    /// Show only samples in the function SYMBOL, also where it was inlined; its name is that of the table, with or without its parameters
    #[arg(short = 'S', long)]
    pub symbol: Option<String>,
    /// In place of functions and lines, show the samples by these keys, each with its share; several are shown together
    #[arg(short, long, value_enum, value_name = "KEY,…", value_delimiter = ',', conflicts_with_all = ["children", "callers", "callees"])]
    pub sort: Vec<Key>,
    #[command(flatten)]
    pub views: StackViews,
    #[command(flatten)]
    pub table: TableArgs,
    /// Write the result in this format: any of `counterpoint profile` but gmon and perf
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Also write a page with a flame graph of the call stacks, the hottest functions and their source, and the samples of each thread over time to FILE, which any browser shows without a network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    debug: DebugArgs,
    #[command(subcommand)]
    pub action: Option<ReportAction>,
}

impl ReportArgs {
    pub fn check(&self) -> Result<(), Failure> {
        if matches!(self.format, Format::Gmon | Format::Perf) {
            return Err(Failure::new("a recording is not written in this format")
                .help("use --format table, json, folded, svg or pprof"));
        }
        self.views.check(self.format)?;
        self.debug.check()?;
        sorted::check(&self.sort, self.format)
    }

    /// The options that control the presentation of the result.
    pub fn shown(&self, read: &Recorded) -> Shown<'_> {
        Shown {
            is_dwarf: read.has_copies,
            origin: Origin::recorded(&read.facts),
            symbol: self.symbol.as_deref(),
            sort: &self.sort,
            table: self.table,
            ..Shown::of(self.file.display().to_string(), self.format, &self.views, &self.debug)
        }
    }
}
