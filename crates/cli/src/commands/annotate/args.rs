use crate::commands::samples::annotate::{Asked, Parts};
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use crate::commands::samples::{DebugArgs, Format, Shown, StackViews};
use crate::metrics::MetricFiles;
use crate::output::OutputArgs;
use clap::builder::PossibleValuesParser;
use counterpoint_recording::Recorded;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint profile --format perf -o solve.perf -- ./solve
  counterpoint annotate multiply solve.perf
  counterpoint annotate --metric ipc multiply solve.perf
  counterpoint annotate --asm --comm worker multiply solve.perf

Exit status: 0; 2 if nothing could be read, or the function has no samples.")]
pub struct AnnotateArgs {
    /// The name of the function, as `counterpoint report` prints it, with or without its parameters; if several functions have this name, each is shown
    #[arg(value_name = "SYMBOL", required_unless_present = "function")]
    symbol: Option<String>,
    /// The file: of `counterpoint profile --format perf`, or of `perf record`; `-` is standard input
    #[arg(value_name = "FILE", default_value = "perf.data")]
    file: PathBuf,
    /// The function, before which only the file is named
    #[arg(
        short = 's',
        long = "symbol",
        value_name = "SYMBOL",
        hide = true,
        conflicts_with = "file"
    )]
    function: Option<String>,
    /// The file
    #[arg(short, long, value_name = "FILE", hide = true, conflicts_with = "file")]
    input: Option<PathBuf>,
    #[command(flatten)]
    pub filters: FilterArgs,
    /// Show the source lines only
    #[arg(long, conflicts_with = "asm")]
    source: bool,
    /// Show the instructions only
    #[arg(long, alias = "no-source")]
    asm: bool,
    /// In place of instructions, show these metrics of the source lines, of a recording of `counterpoint record -M`, or of `perf record -e '{task-clock,cycles,instructions}:S'`; for the format table
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with_all = ["source", "asm"])]
    pub metric: Vec<String>,
    #[command(flatten)]
    pub metric_files: MetricFiles,
    /// Write the result in this format: `table` for people, or `json` with a line for each function and event
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = PossibleValuesParser::new(["table", "json"]))]
    format: String,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub debug: DebugArgs,
}

impl AnnotateArgs {
    pub fn format(&self) -> Format {
        if self.format == "json" { Format::Json } else { Format::Table }
    }

    /// The file to read.
    pub fn file(&self) -> &Path {
        let only = self.symbol.as_ref().filter(|_| self.function.is_some()).map(Path::new);
        self.input.as_deref().or(only).unwrap_or(&self.file)
    }

    pub fn asked(&self) -> Asked<'_> {
        let parts = match (self.source, self.asm) {
            (true, _) => Parts::Source,
            (_, true) => Parts::Instructions,
            _ => Parts::Both,
        };
        let symbol = self.function.as_ref().or(self.symbol.as_ref());
        Asked { symbol: symbol.map_or("", String::as_str), parts }
    }

    /// The options that control the presentation of the result.
    pub fn shown(&self, read: &Recorded) -> Shown<'_> {
        static NONE: StackViews = StackViews { children: false, callers: None, callees: None };
        let title = self.file().display().to_string();
        Shown {
            ..Shown::of(title, self.format(), &NONE, &self.debug, Origin::recorded(&read.facts))
        }
    }
}
