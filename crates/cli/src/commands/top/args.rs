use crate::args::AttachArgs;
use crate::commands::samples::{AskedGraph, DebugArgs, Hertz, asked_graph, hertz};
use crate::definitions::DefinitionArgs;
use crate::failure::Failure;
use crate::metrics::MetricFiles;
use crate::show::Colour;
use crate::vendor::VendorArgs;
use counterpoint::perf::output::create;
use counterpoint::perf::{Every, Host};
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "Shares are those of the last interval, whose length is that of --delay: what was hot before is not in them. The error of a share is its standard error; with few samples it is large. A sample may be shown a quarter of a second late, because the kernel's buffers are read four times a second.

Keys:
  q, Esc      quit                     1 2 3 4, Tab   functions, threads, lines, processes
  p, Space    pause, and continue      s              sort by share, name or module
  /           filter by text           ↑ ↓ PgUp PgDn  scroll; ← → shift long names
  + -         longer, shorter interval e              the next event
  ?           help

Examples:
  counterpoint top -a
  counterpoint top -p 4711 --stat task-clock,page-faults,minor-faults
  counterpoint top -g -d 2 -- ./solve

Exit status: 0 after `q`, with --iterations, or without a command; otherwise that of the command (128 plus the number of the signal that ended it), 126 or 127 if it could not be started; 2 if nothing could be sampled."
)]
pub struct TopArgs {
    /// Sample these events, as in `counterpoint profile`
    #[arg(short, long = "event", value_name = "EVENT,…", default_value = "task-clock")]
    pub events: Vec<String>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub vendor: VendorArgs,
    /// Take a sample every PERIOD events; for clocks, every PERIOD nanoseconds
    #[arg(short = 'c', long, alias = "count", value_name = "PERIOD", conflicts_with = "frequency", value_parser = clap::value_parser!(u64).range(1..))]
    period: Option<u64>,
    /// Take about HZ samples per second, or `max` for as many as the kernel allows
    #[arg(short = 'F', long, alias = "freq", value_name = "HZ|max", default_value = "1000", value_parser = hertz)]
    frequency: Hertz,
    /// Also take the call stack of each sample, and show the share of each function together with the functions that it called, and how many stacks are cut off: `fp`, `dwarf[,SIZE]` or `lbr`, as in `counterpoint profile`
    #[arg(long, value_name = "fp|dwarf[,SIZE]|lbr", value_parser = asked_graph)]
    call_graph: Option<AskedGraph>,
    /// The same as --call-graph fp
    #[arg(short = 'g', conflicts_with = "call_graph")]
    frame_pointers: bool,
    /// Count these events beside the samples, and show each interval's value: of clocks the CPUs in use, of other events the number per second; by default some events of the kernel and, where the machine has them, cycles, instructions and branch misses
    #[arg(long, value_name = "EVENT,…")]
    pub stat: Vec<String>,
    /// Count these metrics, or all metrics of these groups, beside the samples and of the processes that run most, as in `counterpoint stat -M`
    #[arg(short = 'M', long, value_name = "NAME,…", value_delimiter = ',')]
    pub metric: Vec<String>,
    #[command(flatten)]
    pub metric_files: MetricFiles,
    #[command(flatten)]
    pub attach: AttachArgs,
    /// Show a new interval every so many seconds, 0.25 to 3600, such as 0.5
    #[arg(short, long, value_name = "SECONDS", default_value = "1", value_parser = delay)]
    pub delay: Duration,
    /// End after N intervals
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,
    /// Write what the command prints to FILE; otherwise it is discarded, because the screen is in use. Its standard input is empty
    #[arg(short, long, value_name = "FILE", requires = "command")]
    output: Option<PathBuf>,
    /// Show what is hot in colours; `auto` does on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    #[command(flatten)]
    pub debug: DebugArgs,
    /// Do not sample threads and child processes that start later
    #[arg(short = 'i', long)]
    pub no_inherit: bool,
    /// The command to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// The limits of an interval: the kernel's buffers are read every quarter of a second.
pub const SHORTEST: f64 = 0.25;
const LONGEST: f64 = 3600.0;

impl TopArgs {
    pub fn every(&self, host: &Host) -> Result<Every, Failure> {
        match self.period {
            Some(period) => Ok(Every::Period(period)),
            None => self.frequency.number(host).map(Every::Frequency),
        }
    }

    pub fn asked_graph(&self) -> Option<AskedGraph> {
        self.call_graph.or(self.frame_pointers.then_some(AskedGraph::FramePointers))
    }

    /// The file that the command writes to.
    pub fn command_output(&self) -> Result<File, Failure> {
        let Some(path) = &self.output else {
            return Ok(File::options().write(true).open("/dev/null")?);
        };
        let created = create(path).and_then(|mut file| {
            // It is the command that writes it, as long as it runs.
            file.publish()?;
            Ok(File::from(file.as_fd().try_clone_to_owned()?))
        });
        created.map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    }
}

fn delay(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|seconds| (SHORTEST..=LONGEST).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("write the seconds, {SHORTEST} to {LONGEST}"))
}
