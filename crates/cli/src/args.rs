//! What can be typed.

use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Performance counters: count events, compute derived ones, and say why where it cannot be done.
#[derive(Parser)]
#[command(name = "counterpoint", version, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    Stat(Box<StatArgs>),
    List(ListArgs),
    Check(CheckArgs),
    Eval(EvalArgs),
    Doctor(DoctorArgs),
}

/// Run a command, or watch what runs, and print what was counted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint stat -- make -j4
  counterpoint stat -e task-clock,page-faults -r 5 -- ./solve
  counterpoint stat -f mine.csv -e FAULTS_PER_MS -- ./solve
  counterpoint stat -a -I 1000 -e context-switches --timeout 5000")]
pub struct StatArgs {
    /// Events: names, `pmu/event/`, rHEX, subsystem:tracepoint, mem:ADDR[/LEN][:rwx], {groups}; modifiers :u :k :h :p :D
    #[arg(short, long = "event", value_name = "EVENT,…")]
    pub events: Vec<String>,
    /// File of event definitions whose names can be used as events
    #[arg(short = 'f', long = "definitions", value_name = "FILE")]
    pub definitions: Vec<PathBuf>,
    /// Processes to count, with all their threads
    #[arg(short, long, value_name = "PID,…", value_delimiter = ',', conflicts_with_all = ["tid", "all_cpus", "cpus", "cgroup"])]
    pub pid: Vec<u32>,
    /// Threads to count
    #[arg(short, long, value_name = "TID,…", value_delimiter = ',', conflicts_with_all = ["all_cpus", "cpus", "cgroup"])]
    pub tid: Vec<u32>,
    /// Count everything on all CPUs
    #[arg(short, long)]
    pub all_cpus: bool,
    /// Count everything on these CPUs, such as 0-3,8
    #[arg(short = 'C', long = "cpu", value_name = "CPUS")]
    pub cpus: Option<String>,
    /// Count the processes of this cgroup
    #[arg(short = 'G', long, value_name = "CGROUP", conflicts_with_all = ["all_cpus", "cpus"])]
    pub cgroup: Option<PathBuf>,
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
    /// Look names up on a recorded machine (which cannot count)
    #[arg(long, value_name = "DIR")]
    pub machine: Option<PathBuf>,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Show the events of the kernel and of this machine, each tried: available, or refused and why.
#[derive(clap::Args)]
pub struct ListArgs {
    /// Only events whose name, group or description holds all these words
    pub words: Vec<String>,
    /// Tracepoints too, of which there are thousands
    #[arg(long)]
    pub all: bool,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// List a recorded machine instead
    #[arg(long, value_name = "DIR")]
    pub machine: Option<PathBuf>,
}

/// Check event-definition files; exit status 1 if one has errors.
#[derive(clap::Args)]
pub struct CheckArgs {
    /// The files
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

/// Evaluate a formula: its value, whether that is exact, its tree and its operations.
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

/// Say what stands between you and counting here, each with the command that changes it.
#[derive(clap::Args)]
pub struct DoctorArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// Examine a recorded machine instead
    #[arg(long, value_name = "DIR")]
    pub machine: Option<PathBuf>,
    /// Record this machine into a directory, for --machine
    #[arg(long, value_name = "DIR", conflicts_with = "machine")]
    pub record: Option<PathBuf>,
}
