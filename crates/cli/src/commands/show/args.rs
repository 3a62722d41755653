use crate::args::{Layer, MachineArgs};
use crate::definitions::DefinitionArgs;
use std::path::PathBuf;

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
