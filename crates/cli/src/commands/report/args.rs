use super::diff::ReportAction;
use super::help::HEADINGS;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use crate::commands::samples::ranks::Ranks;
use crate::commands::samples::sorted::{self, Field, Key};
use crate::commands::samples::{DebugArgs, Format, Shown, StackViews, TableArgs};
use crate::failure::Failure;
use crate::help::headings::placed;
use crate::metrics::MetricFiles;
use crate::output::OutputArgs;
use counterpoint_recording::Joined;
use std::path::{Path, PathBuf};

/// The options without a meaning for accesses to data and for metrics.
const NOT_OF_MEMORY: [&str; 9] =
    ["wall", "symbol", "module", "sort", "fields", "children", "callers", "callees", "no_children"];

#[derive(clap::Args)]
#[command(
    mut_args(|arg| placed(arg, HEADINGS)),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    subcommand_value_name = "diff",
    after_help = "Examples:
  counterpoint profile --format perf -o solve.perf -- ./solve
  counterpoint report solve.perf
  counterpoint report --comm worker --time 120.5,121 perf.data
  counterpoint report --sort comm,function perf.data
  counterpoint report --sort rank,function counterpoint.*.perf
  counterpoint report --format folded -o solve.folded perf.data
  counterpoint report --wall solve.perf
  counterpoint report --memory perf.data
  counterpoint report --shared-lines perf.data
  counterpoint report -M ipc perf.data
  counterpoint report diff before.perf after.perf

Exit status: 0, also if parts of the file could not be read; 2 if nothing could be read."
)]
pub struct ReportArgs {
    /// The file: of `counterpoint profile --format perf`, or of `perf record`; `-` is standard input; several are added up, and their ranks compared
    #[arg(value_name = "FILE", default_value = "perf.data")]
    files: Vec<PathBuf>,
    /// The same
    #[arg(short, long, value_name = "FILE", hide = true, conflicts_with = "files")]
    input: Option<PathBuf>,
    #[command(flatten)]
    pub filters: FilterArgs,
    /// Show only samples in the function SYMBOL, also where it was inlined; its name is that of the table, with or without its parameters
    #[arg(short = 'S', long, aliases = ["symbols", "symbol-filter"])]
    pub symbol: Option<String>,
    /// Show only samples in these programs and libraries, by the names of their files
    #[arg(long, short_alias = 'd', aliases = ["dso", "dsos"], value_name = "FILE,…", value_delimiter = ',')]
    pub module: Vec<String>,
    /// Show where wall time goes, of a recording of `counterpoint record --wall`, or of `perf record --switch-events -e task-clock/freq=1000/,context-switches/period=1/,sched:sched_waking -g`
    #[arg(long, conflicts_with_all = ["symbol", "module", "sort", "fields", "children", "callers", "callees", "no_children"])]
    pub wall: bool,
    /// Show which data is accessed, where it was found and how long that took, of a recording of `counterpoint record --memory`, `perf mem record` or `perf c2c record`
    #[arg(long, conflicts_with_all = NOT_OF_MEMORY)]
    pub memory: bool,
    /// Show the lines of the cache that one thread changes and another one accesses, with the parts that each of them accesses (false sharing), of the same recordings
    #[arg(long, conflicts_with_all = NOT_OF_MEMORY, conflicts_with = "memory")]
    pub shared_lines: bool,
    /// Show these metrics, or all metrics of these groups, of each function, line and stack, of a recording of `counterpoint record -M`, or of `perf record -e '{task-clock,cycles,instructions}:S'`
    #[arg(short = 'M', long, value_name = "NAME,…", value_delimiter = ',', conflicts_with_all = NOT_OF_MEMORY, conflicts_with_all = ["memory", "shared_lines"])]
    pub metric: Vec<String>,
    #[command(flatten)]
    pub metric_files: MetricFiles,
    /// In place of functions and lines, show the samples by these keys, each with its share; several are shown together
    #[arg(short, long, value_enum, value_name = "KEY,…", value_delimiter = ',', conflicts_with_all = ["children", "callers", "callees"])]
    sort: Vec<Key>,
    /// The same in the words of perf, with those for the columns that every table has
    #[arg(short = 'F', long, value_name = "FIELD,…", hide = true, value_delimiter = ',', value_parser = sorted::field, conflicts_with_all = ["sort", "callers", "callees"])]
    fields: Vec<Field>,
    #[command(flatten)]
    pub views: StackViews,
    /// With call stacks, do not show the share of functions together with those that they called
    #[arg(long, conflicts_with = "children")]
    pub no_children: bool,
    /// Call stacks are shown if there are some
    #[arg(short = 'g', long, value_name = "TYPE,…", hide = true, num_args = 0..=1, default_missing_value = "graph", value_parser = of_perf_graph)]
    call_graph: Option<IsShown>,
    #[command(flatten)]
    pub table: TableArgs,
    /// Write the result in this format
    #[arg(long, value_name = "FORMAT", value_parser = Format::of_recordings(), default_value = "table")]
    pub format: Format,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Also write a page with a flame graph of the call stacks, the hottest functions and their source, and the samples of each thread over time to FILE, which any browser shows without a network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub debug: DebugArgs,
    #[command(subcommand)]
    pub action: Option<ReportAction>,
}

/// True if the call stacks are shown.
type IsShown = bool;

/// The value of perf's `-g`, of which only `none` changes what is shown.
fn of_perf_graph(text: &str) -> Result<IsShown, String> {
    const WORDS: [&str; 14] = [
        "graph", "flat", "fractal", "folded", "none", "caller", "callee", "function", "address",
        "branch", "percent", "period", "count", "srcline",
    ];
    let is_known = |part: &str| WORDS.contains(&part) || part.parse::<f64>().is_ok();
    if text.split(',').all(is_known) {
        Ok(!text.split(',').any(|part| part == "none"))
    } else {
        Err(format!("it is no form of call graphs; write the file before it: report {text} -g"))
    }
}

impl ReportArgs {
    /// The files to read.
    pub fn files(&self) -> Vec<&Path> {
        match &self.input {
            Some(file) => vec![file],
            None => self.files.iter().map(PathBuf::as_path).collect(),
        }
    }

    /// What was read, in words.
    pub fn title(&self) -> String {
        match &*self.files() {
            [file] => file.display().to_string(),
            files => format!("{} recordings", files.len()),
        }
    }

    /// The keys by which samples are shown in place of functions.
    pub fn keys(&self) -> Vec<Key> {
        self.fields.iter().filter_map(|field| field.0).chain(self.sort.iter().copied()).collect()
    }

    /// Returns true if the call stacks of the file are wanted.
    pub fn wants_stacks(&self) -> bool {
        self.call_graph != Some(false)
    }

    pub fn check(&self) -> Result<(), Failure> {
        self.metric_files.check(&self.metric)?;
        self.views.check(self.format)?;
        self.debug.check()?;
        sorted::check(&self.keys(), self.format)
    }

    /// The options that control the presentation of the result.
    pub fn shown<'a>(
        &'a self,
        read: &Joined,
        ranks: Option<&'a Ranks<'a>>,
        keys: &'a [Key],
    ) -> Shown<'a> {
        let title = self.title();
        let origin = Origin::joined(&read.recordings);
        Shown {
            is_dwarf: read.recordings.iter().any(|of| of.has_copies),
            ranks,
            symbol: self.symbol.as_deref(),
            modules: &self.module,
            sort: keys,
            table: self.table,
            has_children: !self.no_children,
            ..Shown::of(title, self.format, &self.views, &self.debug, origin)
        }
    }
}
