use crate::args::{Layer, MachineArgs, privilege};

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
