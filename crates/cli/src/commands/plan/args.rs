use crate::args::MachineArgs;
use crate::definitions::DefinitionArgs;

#[derive(clap::Args)]
#[command(after_help = "\
Events are looked up as `stat -e` does; the terms of a formula and events in {braces} are kept in one pass.
Counters that others hold are left out: one for the NMI watchdog, and half of them where two threads share a core's.

Exit status: 0 planned, 1 an event cannot be counted at all, 2 wrong usage.

Examples:
  counterpoint plan cycles,instructions,branches,branch-misses,L1-dcache-load-misses
  counterpoint plan --pmu skx PAPI_L1_DCM,PAPI_L2_DCM,MEM_LOAD_RETIRED:L3_MISS --beside
  counterpoint plan -f mine.csv MY_FORMULA --with branches,branch-misses")]
pub struct PlanArgs {
    /// Plan for this PMU of the tables, whatever machine this is
    #[arg(long, value_name = "NAME", conflicts_with = "machine")]
    pub pmu: Option<String>,
    /// Say too which of these events fit beside those of each pass
    #[arg(long, value_name = "EVENT,…")]
    pub with: Vec<String>,
    /// Say too which other events of the PMU's table fit beside those of each pass
    #[arg(long, conflicts_with = "with")]
    pub beside: bool,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    /// Print JSON lines: an object for each event of each pass, then one for each PMU
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The events
    #[arg(value_name = "EVENT,…", required = true)]
    pub events: Vec<String>,
}
