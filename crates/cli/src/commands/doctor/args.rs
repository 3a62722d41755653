use crate::args::MachineArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  counterpoint doctor
  counterpoint doctor --record DIR      then, anywhere: counterpoint list --machine DIR

Exit status: 0 if software events can be counted, 1 if not, 2 for wrong usage.")]
pub struct DoctorArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Record this machine into DIR, for use with --machine
    #[arg(long, value_name = "DIR", conflicts_with = "machine")]
    pub record: Option<PathBuf>,
}
