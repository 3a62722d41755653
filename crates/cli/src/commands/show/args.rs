use crate::args::{Layer, MachineArgs};
use crate::definitions::DefinitionArgs;
use crate::names::pmu_name;
use crate::vendor::VendorArgs;

#[derive(clap::Args)]
#[command(after_help = "\
A name stands for the first of its candidates, in this order: a definition in a file, a preset, an event of the kernel, an event in sysfs, an event in the tables of the machine's PMUs, an event in the vendor's files, a tracepoint. The other candidates are printed as hidden.
A prefix, as in spr::INST_RETIRED, or --pmu selects any PMU of the tables, on any machine.

Examples:
  counterpoint show cycles
  counterpoint show --pmu spr INST_RETIRED
  counterpoint show --layer raw,perf,perf-ext --json spr::L1D

Exit status: 0 if all names were shown, 1 if a name is unknown, 2 for wrong usage.")]
pub struct ShowArgs {
    /// Look up the names in this PMU; without names, show all of its events
    #[arg(long, value_name = "NAME", value_parser = pmu_name)]
    pub pmu: Option<String>,
    /// Show the attributes of these layers: of the PMU, of perf_event_open as well, or of sampling as well
    #[arg(
        long = "layer",
        value_enum,
        value_name = "LAYER,…",
        value_delimiter = ',',
        default_value = "raw"
    )]
    pub layers: Vec<Layer>,
    #[command(flatten)]
    pub vendor: VendorArgs,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    /// Print JSON lines: an object for each event and layer
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// The events to show
    #[arg(value_name = "EVENT", required_unless_present = "pmu")]
    pub events: Vec<String>,
}
