use crate::args::MachineArgs;
use crate::definitions::DefinitionArgs;
use crate::metrics::MetricArgs;
use crate::names::pmu_name;
use crate::vendor::VendorArgs;

#[derive(clap::Args)]
#[command(after_help = "\
Events are looked up as by `stat -e`; the terms of a formula and the events of a {group} stay in one pass.
Counters that are in use are left out: one that the NMI watchdog holds, and half of them if two threads share those of a core.

Exit status: 0 if all events are planned, 1 if one cannot be counted at all or does not fit in its braces, 2 for wrong usage.

Examples:
  counterpoint plan cycles,instructions,branches,branch-misses,L1-dcache-load-misses
  counterpoint plan --pmu skx PAPI_L1_DCM,PAPI_L2_DCM,MEM_LOAD_RETIRED:L3_MISS --beside
  counterpoint plan -f mine.csv MY_FORMULA --with branches,branch-misses
  counterpoint plan --pmu spr --topdown=2")]
pub struct PlanArgs {
    /// Plan for this PMU of the tables instead of this machine
    #[arg(long, value_name = "NAME", value_parser = pmu_name, conflicts_with = "machine")]
    pub pmu: Option<String>,
    /// Also show which of these events fit beside those of each pass
    #[arg(long, value_name = "EVENT,…")]
    pub with: Vec<String>,
    /// Also show which other events of the PMU's table fit beside those of each pass
    #[arg(long, conflicts_with = "with")]
    pub beside: bool,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub vendor: VendorArgs,
    /// Print JSON lines: an object for each event of each pass, then one for each PMU
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub metrics: MetricArgs,
    /// Plan the metrics of top-down analysis down to this level
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub topdown: Option<u8>,
    /// The events to plan
    #[arg(value_name = "EVENT,…", required_unless_present_any = ["metrics", "groups", "topdown"])]
    pub events: Vec<String>,
}
