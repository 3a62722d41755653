//! What can be typed.

use crate::host::MachineArgs;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use counterpoint::pmu::Privilege;
use std::ffi::OsString;
use std::path::PathBuf;

/// Performance counters: count events, show where they happen, compute derived ones, and say why where it cannot be done.
#[derive(Parser)]
#[command(name = "counterpoint", version, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

// Only the command that was typed is made with its options, which saves a quarter of the instructions of `stat` of a short command.
// What a command does is said here and not at its structure, and structures that are flattened into it say what they are without a doc comment: `--help` would take the last of them.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Run a command, or watch what runs, and print what was counted.
    Stat(Box<StatArgs>),
    /// Run a command, or watch one that runs, and show in which functions and lines events happen.
    Profile(Box<crate::commands::profile::ProfileArgs>),
    /// List what can be counted here, each tried: available, or refused and why; and the events of any PMU.
    List(ListArgs),
    /// Show what an event counts, what can be written after its name, how it is encoded, and whether it can be counted here.
    Show(ShowArgs),
    /// Say how event strings are programmed: the codes of the registers, and what perf_event_open is asked for.
    Encode(EncodeArgs),
    /// Say which events can be counted together: the fewest passes, the counter of each event, and what is in whose way.
    Plan(crate::commands::plan::PlanArgs),
    /// Check event-definition files: what cannot be read, what means nothing, and what to write instead.
    Check(CheckArgs),
    /// Evaluate a formula: its value, whether that is exact, its tree and its operations.
    Eval(EvalArgs),
    /// Show which registers count events together on a processor that libpfm-3 knows; without events, the models.
    Dispatch(DispatchArgs),
    /// Merge reports of several runs or ranks into one: totals, and the least, mean and greatest of them.
    Merge(crate::commands::merge::MergeArgs),
    /// Say what stands between you and counting here, each with the command that changes it.
    Doctor(DoctorArgs),
    /// Show, check and compute with 24x7 catalogs of POWER firmware.
    #[cfg(feature = "catalog")]
    #[command(subcommand)]
    Catalog(crate::commands::catalog::Command),
    /// Print what a shell needs to complete the program's commands and options.
    #[command(
        after_help = "Example:\n  counterpoint completions bash > ~/.local/share/bash-completion/completions/counterpoint"
    )]
    Completions { shell: clap_complete::Shell },
    /// Print the manual page of the program, or of one of its commands.
    #[command(after_help = "Example:\n  counterpoint man stat | man -l -")]
    Man {
        /// The command, such as `stat` or `catalog dump`
        command: Vec<String>,
    },
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint stat -- make -j4
  counterpoint stat -e task-clock,page-faults -r 5 -- ./solve
  counterpoint stat -f mine.csv -e FAULTS_PER_MS -- ./solve
  counterpoint stat -a -I 1000 -e context-switches --timeout 5000

Exit status: that of the command (128 + the number of a signal that ended it), 126 or 127 if it could not be started; 2 if nothing could be counted.")]
pub struct StatArgs {
    /// Events: names, `pmu/event/`, rHEX, subsystem:tracepoint, mem:ADDR[/LEN][:rwx], {groups}; modifiers :u :k :h :p :D
    #[arg(short, long = "event", value_name = "EVENT,…")]
    pub events: Vec<String>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub attach: AttachArgs,
    /// One row for each CPU
    #[arg(short = 'A', long = "no-aggr", group = "split")]
    pub per_cpu: bool,
    /// One row for each core
    #[arg(long, group = "split")]
    pub per_core: bool,
    /// One row for each socket
    #[arg(long, group = "split")]
    pub per_socket: bool,
    /// One row for each thread of -p or -t
    #[arg(long, group = "split")]
    pub per_thread: bool,
    /// Start counting this many milliseconds after the command
    #[arg(short = 'D', long, value_name = "MS")]
    pub delay: Option<u64>,
    /// Stop counting after this many milliseconds; a command is then ended
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// Print what was counted in every interval of this many milliseconds
    #[arg(short = 'I', long, value_name = "MS", conflicts_with = "repeat", value_parser = clap::value_parser!(u64).range(1..))]
    pub interval: Option<u64>,
    /// Run the command this often and print mean and deviation
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Print JSON lines
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print CSV with a header, separated by SEP (a comma)
    #[arg(long, value_name = "SEP", num_args = 0..=1, require_equals = true, default_missing_value = ",")]
    pub csv: Option<String>,
    /// Write the result into this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave out threads and children that start later
    #[arg(long)]
    pub no_inherit: bool,
    /// Count more: -d caches, -dd TLBs, -ddd prefetches
    #[arg(short, long, action = ArgAction::Count)]
    pub detailed: u8,
    /// Say what is opened, and how
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

// What is looked at that is there already, instead of a command of its own.
#[derive(clap::Args)]
pub struct AttachArgs {
    /// These processes, with all their threads
    #[arg(short, long, value_name = "PID,…", value_delimiter = ',', conflicts_with_all = ["tid", "all_cpus", "cpus", "cgroup"], value_parser = clap::value_parser!(u32).range(1..))]
    pub pid: Vec<u32>,
    /// These threads
    #[arg(short, long, value_name = "TID,…", value_delimiter = ',', conflicts_with_all = ["all_cpus", "cpus", "cgroup"], value_parser = clap::value_parser!(u32).range(1..))]
    pub tid: Vec<u32>,
    /// Everything on all CPUs
    #[arg(short, long)]
    pub all_cpus: bool,
    /// Everything on these CPUs, such as 0-3,8
    #[arg(short = 'C', long = "cpu", value_name = "CPUS")]
    pub cpus: Option<String>,
    /// The processes of this cgroup
    #[arg(short = 'G', long, value_name = "CGROUP", conflicts_with_all = ["all_cpus", "cpus"])]
    pub cgroup: Option<PathBuf>,
}

// Names of the user's own.
#[derive(clap::Args)]
pub struct DefinitionArgs {
    /// File of event definitions, beside those of COUNTERPOINT_EVENTS and PAPI_USER_EVENTS_FILE
    #[arg(short = 'f', long = "definitions", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(clap::Args)]
#[command(after_help = "\
Without options: the events of the kernel and of the PMUs in sysfs. Words look through the event tables of this machine's PMUs as well, through names, unit masks and descriptions; all words must be found.

Examples:
  counterpoint list
  counterpoint list l1d replacement
  counterpoint list --pmu spr l1d
  counterpoint list --pmus --all arm

Exit status: 0 listed, 1 nothing has the words, 2 wrong usage.")]
pub struct ListArgs {
    /// Only what has all these words in its name or description
    #[arg(value_name = "PATTERN")]
    pub words: Vec<String>,
    /// Every PMU of the tables, also of other machines, and tracepoints
    #[arg(long)]
    pub all: bool,
    /// List PMUs, not events
    #[arg(long, conflicts_with = "events")]
    pub pmus: bool,
    /// All events of this machine, those of its tables too
    #[arg(long)]
    pub events: bool,
    /// PAPI's presets, and what counts them: formula, events, and whether they can be counted
    #[arg(long, conflicts_with_all = ["pmus", "events", "all"])]
    pub presets: bool,
    /// The events of this PMU, of this machine or of any other
    #[arg(long, value_name = "NAME", conflicts_with = "pmus")]
    pub pmu: Option<String>,
    /// Describe events with a vendor's JSON files: Intel's perfmon, Linux's pmu-events, or those of one processor
    #[arg(long, value_name = "DIR")]
    pub descriptions: Option<PathBuf>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
}

#[derive(clap::Args)]
#[command(after_help = "\
A name means the first of these that has it, and the others are named as hidden: a definition of a file, a preset, an event of the kernel, an event that sysfs names, an event of the tables of the machine's PMUs, a tracepoint.
A prefix, as in spr::INST_RETIRED, or --pmu reaches every PMU of the tables on any machine.

Examples:
  counterpoint show cycles
  counterpoint show --pmu spr INST_RETIRED
  counterpoint show --layer raw,perf,perf-ext --json spr::L1D

Exit status: 0 shown, 1 a name means nothing, 2 wrong usage.")]
pub struct ShowArgs {
    /// Look for the names in this PMU; without names all of its events are shown
    #[arg(long, value_name = "NAME")]
    pub pmu: Option<String>,
    /// Whose attributes: the PMU's own, perf_event_open's too, or those with sampling
    #[arg(
        long = "layer",
        value_enum,
        value_name = "LAYER,…",
        value_delimiter = ',',
        default_value = "raw"
    )]
    pub layers: Vec<Layer>,
    /// Describe events with a vendor's JSON files: Intel's perfmon, Linux's pmu-events, or those of one processor
    #[arg(long, value_name = "DIR")]
    pub descriptions: Option<PathBuf>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    /// Print JSON lines: an object for each event and layer
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The events
    #[arg(value_name = "EVENT", required_unless_present = "pmu")]
    pub events: Vec<String>,
}

#[derive(clap::Args)]
#[command(after_help = "\
An event string is libpfm's: [PMU::]EVENT[:UNIT_MASK|:modifier[=value]]…, in any case.
A prefix reaches every PMU of the tables; without one the PMUs of the machine are tried in their order.
The machine is this one, or with --machine DIR what the files in DIR say, any of which may be missing:
  proc/cpuinfo: the processor, and with it the PMUs and the levels of `perf::`
  sys/bus/event_source/devices/PMU/type: the types of PMUs that the kernel numbers
  sys/bus/event_source/devices/cpu/events/…: the events of the core PMU, for perf::slots and topdown
A DIR without any PMU and without proc/sys/kernel/perf_event_paranoid has no perf_events: the perf layers are refused.

Exit status: 0 all encoded (with --batch always), 1 some refused, 2 wrong usage.

Examples:
  counterpoint encode spr::INST_RETIRED:ANY_P:u
  counterpoint encode --layer perf-ext --plm u --json skl::L2_RQSTS:MISS:c=2:period=100000
  counterpoint encode --batch --layer perf --machine DIR < strings > answers.jsonl
  counterpoint encode --perf-syntax 'cpu/event=0xc0,umask=1/u'")]
pub struct EncodeArgs {
    /// For whom: the registers alone, perf_event_open, or that with what it controls (period, precise, …)
    #[arg(long, value_enum, default_value_t = Layer::Raw)]
    pub layer: Layer,
    /// Levels to count when a string names none: letters k, 1, 2, u, h, or `none`; or libpfm's mask as 0x9
    #[arg(long, value_name = "LEVELS", default_value = "ku", value_parser = privilege)]
    pub plm: u32,
    /// Look for names without a prefix in this PMU alone
    #[arg(long, value_name = "NAME")]
    pub pmu: Option<String>,
    /// Print a JSON line for each string
    #[arg(long)]
    pub json: bool,
    /// Read one string a line, and answer each line with one of JSON
    #[arg(long, conflicts_with = "events")]
    pub batch: bool,
    /// Read what `stat -e` takes: lists, groups, pmu/field=value/, perf's modifiers
    #[arg(long, conflicts_with_all = ["layer", "plm", "pmu"])]
    pub perf_syntax: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Event strings
    #[arg(value_name = "EVENT", required_unless_present = "batch")]
    pub events: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq)]
pub enum Layer {
    /// The PMU's registers
    Raw,
    /// perf_event_open
    Perf,
    /// perf_event_open with period, frequency, precision, …
    PerfExt,
}

impl From<Layer> for counterpoint::pmu::Layer {
    fn from(layer: Layer) -> counterpoint::pmu::Layer {
        match layer {
            Layer::Raw => counterpoint::pmu::Layer::Raw,
            Layer::Perf => counterpoint::pmu::Layer::PerfEvent,
            Layer::PerfExt => counterpoint::pmu::Layer::PerfEventExt,
        }
    }
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint dispatch
  counterpoint dispatch --model core UNHALTED_CORE_CYCLES INSTRUCTIONS_RETIRED L1D_REPL
  counterpoint dispatch --model intel_nhm --plm u --unavailable 16 UNHALTED_CORE_CYCLES
  counterpoint dispatch --batch < requests.jsonl    lines {\"model\",\"events\":[{\"i\":0}],\"dfl_plm\":8}")]
pub struct DispatchArgs {
    /// The processor, such as intel_nhm
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Privilege levels to count: letters of k 1 2 u
    #[arg(long, value_name = "LEVELS", default_value = "ku", value_parser = privilege)]
    pub plm: u32,
    /// The registers are for a session that measures the whole system
    #[arg(long)]
    pub system_wide: bool,
    /// PMCs that something else uses
    #[arg(long, value_name = "PMC,…", value_delimiter = ',')]
    pub unavailable: Vec<u32>,
    /// What the model takes besides, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub mod_in: Option<String>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// Read requests as JSON lines, and answer each with one
    #[arg(long, conflicts_with_all = ["events", "plm", "system_wide", "unavailable", "mod_in"])]
    pub batch: bool,
    /// The events, with unit masks after colons
    #[arg(value_name = "EVENT")]
    pub events: Vec<String>,
}

/// libpfm's mask of privilege levels, from their letters or as it is.
fn privilege(text: &str) -> Result<u32, String> {
    if text == "none" {
        return Ok(0);
    }
    if text.is_empty() {
        return Err("write `none` for no level".to_string());
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16)
            .map_err(|_| format!("`{text}` is no mask, such as 0x9"));
    }
    let mut levels = Privilege::NONE;
    for letter in text.chars() {
        levels |= match letter {
            'k' => Privilege::KERNEL,
            '1' => Privilege::LEVEL1,
            '2' => Privilege::LEVEL2,
            'u' => Privilege::USER,
            'h' => Privilege::HYPERVISOR,
            _ => {
                return Err(format!("`{letter}` is no level; write letters of k 1 2 u h, or none"));
            }
        };
    }
    Ok(levels.bits())
}

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

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint eval 'N0/(N1/1000000)' N0=93 N1=812345
  counterpoint eval --batch < formulas.jsonl    lines {\"formula\",\"syntax\",\"inputs\":{…}|[…]}")]
pub struct EvalArgs {
    /// How the formula is written
    #[arg(long, value_enum, default_value_t = Syntax::Infix)]
    pub syntax: Syntax,
    /// Read JSON lines, and answer each with one
    #[arg(long)]
    pub batch: bool,
    /// The formula
    #[arg(allow_hyphen_values = true)]
    pub formula: Option<String>,
    /// The value of each of its names
    #[arg(value_name = "NAME=VALUE")]
    pub inputs: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Syntax {
    /// `N0-(N1+(N2*5))`
    Infix,
    /// `N0|N1|N2|5|*|+|-|`, as in PAPI's files
    Postfix,
    /// `delta-cycles delta-seconds /`, as in 24x7 catalogs
    Rpn,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  counterpoint doctor
  counterpoint doctor --record DIR      then, anywhere: counterpoint list --machine DIR

Exit status: 0 if software events count, 1 if not, 2 wrong usage.")]
pub struct DoctorArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Record this machine into a directory, for --machine
    #[arg(long, value_name = "DIR", conflicts_with = "machine")]
    pub record: Option<PathBuf>,
}
