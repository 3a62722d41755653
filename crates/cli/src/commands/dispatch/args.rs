use crate::args::privilege;

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
