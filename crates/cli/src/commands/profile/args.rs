//! The options of `counterpoint profile`.

use super::compare::CompareArgs;
use super::help::HEADINGS;
use crate::args::{AttachArgs, LevelArgs, MachineArgs};
use crate::begin::BeginArgs;
use crate::commands::samples::annotate::{Asked, Parts};
use crate::commands::samples::graph::number;
use crate::commands::samples::origin::Origin;
use crate::commands::samples::sorted::{self, Key};
use crate::commands::samples::{
    AskedGraph, DebugArgs, Format, Hertz, Shown, StackViews, TableArgs, asked_graph, hertz,
};
use crate::definitions::DefinitionArgs;
use crate::failure::Failure;
use crate::help::headings::placed;
use crate::metrics::MetricFiles;
use crate::output::OutputArgs;
use crate::vendor::VendorArgs;
use counterpoint::profil::Scale;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;

/// The options without a meaning for the time of threads.
const NOT_OF_WALL: [&str; 26] = [
    "metric",
    "delay",
    "control",
    "off_cpu",
    "memory",
    "events",
    "count",
    "region",
    "random",
    "weighted",
    "compress",
    "software",
    "term",
    "sort",
    "children",
    "callers",
    "callees",
    "annotate",
    "scale",
    "append",
    "mpi",
    "compare",
    "all_cpus",
    "cpus",
    "cgroup",
    "no_inherit",
];

/// The options without a meaning for accesses to data.
const NOT_OF_MEMORY: [&str; 18] = [
    "metric", "off_cpu", "region", "random", "weighted", "compress", "software", "term", "sort",
    "children", "callers", "callees", "annotate", "scale", "append", "mpi", "compare", "bucket",
];

/// The options without a meaning for metrics of functions.
const NOT_OF_METRICS: [&str; 18] = [
    "off_cpu", "region", "random", "weighted", "compress", "software", "term", "sort", "children",
    "callers", "callees", "annotate", "scale", "append", "mpi", "compare", "bucket", "own_cost",
];

#[derive(clap::Args)]
#[command(
    mut_args(|arg| placed(arg, HEADINGS)),
    after_help = "Examples:
  counterpoint profile -- ./solve
  counterpoint profile -e page-faults -c 1 -- ./solve
  counterpoint profile -F 4000 --format svg -o solve.svg -- ./solve
  counterpoint profile --call-graph dwarf --children -- ./solve
  counterpoint profile -g --html solve.html -- ./solve
  counterpoint profile --off-cpu -g -- ./solve
  counterpoint profile --wall -- ./solve
  counterpoint profile --memory -- ./solve
  counterpoint profile -M ipc -- ./solve
  counterpoint profile --compare './solve-old input' './solve input' -g --html diff.html
  counterpoint profile -f mine.csv -e FAULTS_PER_MS -c 10 -- ./solve
  counterpoint profile -p 4711 --timeout 10000
  counterpoint profile -a -e cpu-clock -- sleep 10
  mpirun -n 4 counterpoint profile --mpi -g -- ./solve

The table goes to standard error, because the command has standard output; -o - writes it to standard output. All other formats go to standard output, or to a file of their own if they are not text.

Exit status: that of the command (128 plus the number of the signal that ended it), 126 or 127 if it could not be started, 124 if it did not terminate; 2 if nothing could be profiled.")]
pub struct ProfileArgs {
    /// Profile these events, as in `counterpoint stat`; each event has a profile of its own
    #[arg(
        short,
        long = "event",
        value_name = "EVENT,…",
        default_value = "task-clock",
        default_value_ifs([("off_cpu", "true", None), ("memory", "true", None::<&str>)])
    )]
    pub events: Vec<String>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub vendor: VendorArgs,
    /// Take a sample every PERIOD events; for clocks, every PERIOD nanoseconds
    #[arg(
        id = "count",
        short = 'c',
        long = "period",
        alias = "count",
        value_name = "PERIOD",
        conflicts_with = "frequency"
    )]
    pub period: Option<u64>,
    /// Take about HZ samples per second [default: 1000, and each occurrence of tracepoints and probes], or `max` for as many as the kernel allows
    #[arg(short = 'F', long, alias = "freq", value_name = "HZ|max", value_parser = hertz)]
    pub frequency: Option<Hertz>,
    /// Also profile the time that threads do not run, in µs, where in the program they stopped: to wait for a lock, a file, a timer and so on, or because another thread got the CPU; without -e, this is the only profile
    #[arg(long, conflicts_with_all = ["region", "random", "weighted", "compress", "software", "term"])]
    pub off_cpu: bool,
    /// Show where wall time goes: what each thread does at each instant, runs, waits (for a lock, I/O, a time, a child), is in a run queue or preempted, with the functions, and the critical path through wake-ups; call stacks are taken by frame pointers unless --call-graph says otherwise
    #[arg(long, conflicts_with_all = NOT_OF_WALL)]
    pub wall: bool,
    /// Show which data is accessed, where it was found and how long that took, by variable, file, heap and stack, and by function; without -e, loads and stores are sampled if the processor does that, and otherwise page faults
    #[arg(long, conflicts_with_all = NOT_OF_MEMORY)]
    pub memory: bool,
    /// With --memory, also probe the functions that allocate (malloc, calloc, realloc, aligned_alloc, memalign, mmap and munmap) of FILE, a program or library, so that blocks of the heap are named by the function that asked for them; needs root, and some microseconds for each call
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "libc.so.6", requires = "memory")]
    pub allocations: Option<String>,
    /// Show these metrics, or all metrics of these groups, of each function, line and stack, by what the events of the metrics counted between samples
    #[arg(short = 'M', long, value_name = "NAME,…", value_delimiter = ',', conflicts_with_all = NOT_OF_METRICS)]
    pub metric: Vec<String>,
    #[command(flatten)]
    pub metric_files: MetricFiles,
    /// Also take the call stack of each sample: `fp` from frame pointers, `dwarf` from a copy of SIZE bytes of the stack [default: 8192], by the unwind information of the program and its libraries, `lbr` from the calls that the processor recorded
    #[arg(long, value_name = "fp|dwarf[,SIZE]|lbr", value_parser = asked_graph, conflicts_with_all = ["region", "random", "compress"])]
    pub call_graph: Option<AskedGraph>,
    /// The same as --call-graph fp
    #[arg(short = 'g', conflicts_with_all = ["call_graph", "region", "random", "compress"])]
    pub frame_pointers: bool,
    /// In place of functions and lines, show the samples by these keys, each with its share; several are shown together
    #[arg(short, long, value_enum, value_name = "KEY,…", value_delimiter = ',', conflicts_with_all = ["children", "callers", "callees", "annotate", "region"])]
    pub sort: Vec<Key>,
    #[command(flatten)]
    pub views: StackViews,
    #[command(flatten)]
    pub table: TableArgs,
    /// In place of functions, show the source lines and the instructions of the function SYMBOL with their samples, as `counterpoint annotate` does; for the formats table and json
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["children", "callers", "callees", "region", "scale"])]
    pub annotate: Option<String>,
    /// Count only samples at these addresses of the process, from START up to but not including END, such as 0x401000-0x402000, with a scale of their own after a colon; `rest` stands for the addresses of no other region
    #[arg(long, value_name = "START-END[:SCALE]|rest", value_parser = region)]
    pub region: Vec<AskedRegion>,
    /// Drop a random quarter of the samples
    #[arg(long)]
    pub random: bool,
    /// Weight each sample by how far the event was past its period, which is known with --software only
    #[arg(long)]
    pub weighted: bool,
    /// Take fewer samples of an address the more samples it has
    #[arg(long)]
    pub compress: bool,
    /// Detect overflows in software, by reading the event ten times per millisecond
    #[arg(long)]
    pub software: bool,
    /// Sample this term of a derived event in hardware
    #[arg(long, value_name = "EVENT", conflicts_with = "software")]
    pub term: Option<String>,
    /// Set the size of the count of each bucket, in bits
    #[arg(long, value_name = "BITS", default_value = "32", value_parser = ["16", "32", "64"])]
    pub bucket: String,
    /// Set the number of buckets for 131072 addresses: 131072 (the default without --region and --format gmon), or 2 to 65536 (two addresses per bucket, the default with them), also in hexadecimal (0x10000)
    #[arg(long, value_name = "N", value_parser = scale)]
    pub scale: Option<Scale>,
    /// Write the result in this format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Add the result to the end of FILE, which several processes may do at the same time; for the formats table, json and folded
    #[arg(long, requires = "output")]
    pub append: bool,
    /// Write a recording for each rank of a parallel job, by default counterpoint.{job}.{rank}.perf or, outside a batch job, counterpoint.{rank}.perf; `counterpoint report` adds up the recordings and compares the ranks
    #[arg(long, conflicts_with_all = ["format", "all_cpus", "cpus", "cgroup"])]
    pub mpi: bool,
    /// Then run the command ten times more with sampling and ten times without, in turn, and say what sampling added to its times
    #[arg(long, requires = "command", conflicts_with_all = ["wall", "memory", "compare", "mpi", "uid", "pid", "tid", "all_cpus", "cpus", "cgroup", "delay", "control"])]
    pub own_cost: bool,
    /// Also write a page with a flame graph of --call-graph, the hottest functions and their source, and the samples of each thread over time to FILE, which any browser shows without a network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub debug: DebugArgs,
    #[command(flatten)]
    pub compare: CompareArgs,
    #[command(flatten)]
    pub attach: AttachArgs,
    /// Stop profiling after this many milliseconds; the command is then terminated
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    #[command(flatten)]
    pub begin: BeginArgs,
    #[command(flatten)]
    pub levels: LevelArgs,
    /// Do not profile threads and child processes that start later
    #[arg(short = 'i', long)]
    pub no_inherit: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The command to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl ProfileArgs {
    /// The format of the result; ranks write recordings.
    pub fn format(&self) -> Format {
        if self.mpi { Format::Perf } else { self.format }
    }

    /// The scale of buckets: functions of one byte are told apart where buckets take memory only if they have samples.
    pub fn scale(&self) -> Scale {
        let is_of_papi = !self.region.is_empty() || self.format() == Format::Gmon;
        self.scale.unwrap_or(if is_of_papi { Scale::TWO_ADDRESSES } else { Scale::ONE_ADDRESS })
    }

    /// Refuses options that contradict each other.
    pub fn check(&self) -> Result<(), Failure> {
        self.metric_files.check(&self.metric)?;
        if let Some(view) = self.views.asked().filter(|_| self.asked_graph().is_none()) {
            return Err(Failure::new(format!("{view} needs call stacks")).help(
                "add --call-graph fp, or --call-graph dwarf for code without frame pointers",
            ));
        }
        self.views.check(self.format())?;
        if self.annotate.is_some() && !matches!(self.format(), Format::Table | Format::Json) {
            return Err(Failure::new("--annotate is for the formats table and json"));
        }
        sorted::check(&self.sort, self.format())?;
        let changed = [
            (!self.region.is_empty(), "--region"),
            (self.random, "--random"),
            (self.compress, "--compress"),
            (self.weighted, "--weighted"),
            (self.software, "--software"),
            (self.append, "--append"),
        ];
        if self.format() == Format::Perf && self.off_cpu {
            let text =
                "--off-cpu is not for --format perf: the times are computed while the command runs";
            return Err(Failure::new(text)
                .help("use counterpoint profile --off-cpu, also with --format json"));
        }
        if self.format() == Format::Perf && self.html.is_some() {
            return Err(Failure::new("--html is not for --format perf")
                .help("write the page from the recording: counterpoint report --html PAGE FILE"));
        }
        if self.format() == Format::Perf && self.own_cost {
            return Err(Failure::new("--own-cost is not for recordings (--format perf)")
                .help("counterpoint profile --own-cost -- COMMAND says what sampling adds"));
        }
        if let Some((_, option)) =
            changed.iter().find(|(asked, _)| *asked && self.format() == Format::Perf)
        {
            return Err(Failure::new(format!("{option} is not for --format perf")).help(
                "a recording has all samples, as the kernel takes them; leave out the option",
            ));
        }
        if let Some((_, option)) =
            changed[..3].iter().find(|(asked, _)| *asked && self.format() == Format::Firefox)
        {
            return Err(Failure::new(format!("{option} is not for --format firefox"))
                .help("it has all samples; leave out the option"));
        }
        if self.asked_graph().is_some() && self.format() == Format::Gmon {
            return Err(Failure::new("--format gmon is written without call stacks").help(
                "leave out --call-graph, or use --format pprof, folded, svg, json or table",
            ));
        }
        self.compare.check()?;
        self.debug.check()
    }

    /// The call graph that was asked for.
    pub fn asked_graph(&self) -> Option<AskedGraph> {
        // Without the functions of the kernel, nobody knows what a thread waits for.
        let is_fp = self.frame_pointers || self.wall;
        self.call_graph.or(is_fp.then_some(AskedGraph::FramePointers))
    }

    /// The function that is annotated.
    pub fn asked_annotation(&self) -> Option<Asked<'_>> {
        self.annotate.as_deref().map(|symbol| Asked { symbol, parts: Parts::Both })
    }

    /// The options that control the presentation of the result.
    pub fn shown(&self) -> Shown<'_> {
        let words: Vec<_> = self.command.iter().map(|word| word.to_string_lossy()).collect();
        let (title, origin) = (words.join(" "), Origin::here());
        Shown {
            is_dwarf: matches!(self.asked_graph(), Some(AskedGraph::Dwarf(_))),
            is_weighted: self.weighted,
            has_regions: !self.region.is_empty(),
            sort: &self.sort,
            table: self.table,
            ..Shown::of(title, self.format(), &self.views, &self.debug, origin)
        }
    }
}

/// The value of `--region`.
#[derive(Clone)]
pub enum AskedRegion {
    /// These addresses, and their scale if it is not that of `--scale`.
    Addresses(Range<u64>, Option<Scale>),
    /// One bucket for all addresses of no other region.
    Rest,
}

fn region(text: &str) -> Result<AskedRegion, String> {
    if text == "rest" {
        return Ok(AskedRegion::Rest);
    }
    let (text, scale) = match text.split_once(':') {
        Some((text, scale)) => (text, Some(scale)),
        None => (text, None),
    };
    let (start, end) =
        text.split_once('-').ok_or("write START-END, such as 0x401000-0x402000, or `rest`")?;
    let of = |text: &str| {
        number(text).ok_or_else(|| format!("`{text}` is not an address, such as 0x401000"))
    };
    let own = scale.map(self::scale).transpose()?;
    Ok(AskedRegion::Addresses(of(start)?..of(end)?, own))
}

fn scale(text: &str) -> Result<Scale, String> {
    let value = number(text).and_then(|value| u32::try_from(value).ok());
    let value =
        value.ok_or_else(|| format!("`{text}` is not a scale, such as 131072 or 0x10000"))?;
    Scale::new(value).map_err(|e| e.to_string())
}
