use crate::args::privilege;

macro_rules! examples {
    () => {
        "Examples:
  counterpoint dispatch
  counterpoint dispatch --events core
  counterpoint dispatch --model core UNHALTED_CORE_CYCLES INSTRUCTIONS_RETIRED L1D_REPL
  counterpoint dispatch --model intel_nhm L1D:REPL:u:inv=1:cnt_mask=2
  counterpoint dispatch --model intel_nhm --plm u --unavailable 16 UNHALTED_CORE_CYCLES
  counterpoint dispatch --batch < requests.jsonl
      lines such as {\"model\":\"core\",\"events\":[\"MUL\",{\"i\":0}],\"dfl_plm\":8}"
    };
}

#[derive(clap::Args)]
#[command(after_help = concat!(examples!(), "\n\n--help lists the keys of --mod-in and --batch."))]
#[command(after_long_help = concat!(examples!(), "\n\n", include_str!("inputs.txt")))]
pub struct DispatchArgs {
    /// Dispatch for this processor, such as intel_nhm
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// List the events of this processor, or of --model: number, name and unit masks
    #[arg(
        long = "events",
        value_name = "MODEL",
        num_args = 0..=1,
        conflicts_with_all = ["events", "batch", "mod_in", "plm", "system_wide", "unavailable"],
    )]
    pub list_events: Option<Option<String>>,
    /// Count at these privilege levels: letters of k 1 2 u
    #[arg(long, value_name = "LEVELS", default_value = "ku", value_parser = privilege)]
    pub plm: u32,
    /// Program the registers for a session that measures the whole system
    #[arg(long)]
    pub system_wide: bool,
    /// Do not use these PMCs, which are in use elsewhere
    #[arg(long, value_name = "PMC,…", value_delimiter = ',')]
    pub unavailable: Vec<u32>,
    /// Pass the input that only this model takes, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub mod_in: Option<String>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// Read requests as JSON lines from standard input, and answer each with a JSON line
    #[arg(long, conflicts_with_all = ["events", "plm", "system_wide", "unavailable", "mod_in"])]
    pub batch: bool,
    /// The events: NAME:MASK…, then levels (:u) and options (:inv=1) of the event alone
    #[arg(value_name = "EVENT")]
    pub events: Vec<String>,
}
