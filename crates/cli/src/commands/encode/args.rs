use crate::args::{Layer, MachineArgs, privilege};
use crate::names::pmu_name;
use crate::vendor::VendorArgs;

#[derive(clap::Args)]
#[command(after_help = "\
An event string is one of libpfm's: [PMU::]EVENT[:UNIT_MASK|:modifier[=value]]…; case does not matter.
A prefix selects any PMU of the tables; without one, the PMUs of the machine are searched in their order.
The machine is this one, or with --machine DIR the one that these files in DIR describe, any of which may be missing:
  proc/cpuinfo: the processor, and with it the PMUs and the levels of `perf::`
  sys/bus/event_source/devices/PMU/type: the types of PMUs that the kernel numbers
  sys/bus/event_source/devices/cpu/events/…: the events of the core PMU, for perf::slots and topdown
A DIR without a PMU and without proc/sys/kernel/perf_event_paranoid has no perf_events: encoding for the perf layers fails.

Exit status: 0 if all strings were encoded (with --batch always), 1 if not, 2 for wrong usage.

Examples:
  counterpoint encode spr::INST_RETIRED:ANY_P:u
  counterpoint encode --layer perf-ext --plm u --json skl::L2_RQSTS:MISS:c=2:period=100000
  counterpoint encode --batch --layer perf --machine DIR < strings > answers.jsonl
  counterpoint encode --perf-syntax 'cpu/event=0xc0,umask=1/u'")]
pub struct EncodeArgs {
    /// Encode for the registers alone, for perf_event_open, or for perf_event_open with what it controls (period, precise, …)
    #[arg(long, value_enum, default_value_t = Layer::Raw)]
    pub layer: Layer,
    /// Count at these privilege levels if a string names none: letters of k 1 2 u h, or `none`, or libpfm's mask, such as 0x9
    #[arg(long, value_name = "LEVELS", default_value = "ku", value_parser = privilege)]
    pub plm: u32,
    /// Look up names without a prefix in this PMU only
    #[arg(long, value_name = "NAME", value_parser = pmu_name)]
    pub pmu: Option<String>,
    /// Print a JSON line for each string
    #[arg(long)]
    pub json: bool,
    /// Read a string per line from standard input, and answer each with a JSON line
    #[arg(long, conflicts_with = "events")]
    pub batch: bool,
    /// Read the syntax of `stat -e`: lists, groups, pmu/field=value/, perf's modifiers
    #[arg(long, conflicts_with_all = ["layer", "plm", "pmu"])]
    pub perf_syntax: bool,
    #[command(flatten)]
    pub vendor: VendorArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The event strings to encode
    #[arg(value_name = "EVENT", required_unless_present = "batch")]
    pub events: Vec<String>,
}
