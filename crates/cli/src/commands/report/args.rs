use super::by::Key;
use crate::commands::profile::{DEBUG_FILES, Format, Shown};
use crate::failure::Failure;
use crate::output::OutputArgs;
use counterpoint::perf::CpuSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint profile --format perf -o solve.perf -- ./solve
  counterpoint report solve.perf
  counterpoint report --comm worker --time 120.5,121 perf.data
  counterpoint report --sort comm perf.data
  counterpoint report --format folded -o solve.folded perf.data

Exit status: 0, also if parts of the file could not be read; 2 if nothing could be read.")]
pub struct ReportArgs {
    /// The file: of `counterpoint profile --format perf`, or of `perf record`
    #[arg(value_name = "FILE", default_value = "perf.data")]
    pub file: PathBuf,
    /// Show only samples of these processes
    #[arg(short, long, value_name = "PID,…", value_delimiter = ',')]
    pub pid: Vec<u32>,
    /// Show only samples of these threads
    #[arg(short, long, value_name = "TID,…", value_delimiter = ',')]
    pub tid: Vec<u32>,
    /// Show only samples of threads with these names
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub comm: Vec<String>,
    /// Show only samples on these CPUs, such as 0-3,8
    #[arg(short = 'C', long, value_name = "LIST", value_parser = cpus)]
    pub cpu: Option<CpuSet>,
    /// Show only samples from START to END, in seconds as `perf script` prints them; either may be left out
    #[arg(long, value_name = "START,END", value_parser = time)]
    pub time: Option<Range<u64>>,
    /// Show only samples in the function SYMBOL
    #[arg(short = 'S', long)]
    pub symbol: Option<String>,
    /// In place of functions and lines, show the samples of each process, thread, thread name, CPU or file
    #[arg(short, long, value_enum)]
    pub sort: Option<Key>,
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
    /// Look for separate debug files below DIR [default: /usr/lib/debug]
    #[arg(long, value_name = "DIR")]
    debug_dir: Option<PathBuf>,
}

impl ReportArgs {
    pub fn check(&self) -> Result<(), Failure> {
        if matches!(self.format, Format::Gmon | Format::Perf) {
            return Err(Failure::new("a recording is not written in this format")
                .help("use --format table, json, folded, svg or pprof"));
        }
        let has_view = self.children || self.callers.is_some() || self.callees.is_some();
        if (has_view || self.sort.is_some()) && self.format != Format::Table {
            let text = "--sort, --children, --callers and --callees are for the table";
            return Err(Failure::new(text).help("leave out --format"));
        }
        if self.sort.is_some() && (has_view || self.symbol.is_some()) {
            let text = "--sort shows no functions";
            return Err(
                Failure::new(text).help("leave out --symbol, --children, --callers and --callees")
            );
        }
        Ok(())
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
            debug_directory: self.debug_dir.as_deref().unwrap_or(Path::new(DEBUG_FILES)),
        }
    }
}

fn cpus(text: &str) -> Result<CpuSet, String> {
    text.parse().map_err(|error: counterpoint::perf::CpuListError| error.to_string())
}

fn time(text: &str) -> Result<Range<u64>, String> {
    let (start, end) = text.split_once(',').ok_or("write START,END, such as 120.5,121")?;
    let of = |text: &str, otherwise: u64| match text {
        "" => Ok(otherwise),
        _ => nanoseconds(text).ok_or_else(|| format!("`{text}` is not a time, such as 120.5")),
    };
    Ok(of(start, 0)?..of(end, u64::MAX)?)
}

/// Seconds with up to nine decimals, exactly.
fn nanoseconds(text: &str) -> Option<u64> {
    let (seconds, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.len() > 9 || !are_digits(decimals) || !are_digits(seconds) {
        return None;
    }
    let seconds: u64 = seconds.parse().ok()?;
    let decimals: u64 = format!("{decimals:0<9}").parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(decimals)
}
