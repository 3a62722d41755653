use crate::args::MachineArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  counterpoint doctor
  counterpoint doctor --record DIR      then, anywhere: counterpoint list --machine DIR

Exit status: 0 if software events count, 1 if not, 2 wrong usage.")]
pub struct DoctorArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Record this machine into a directory, for --machine
    #[arg(long, value_name = "DIR", conflicts_with = "machine")]
    pub record: Option<PathBuf>,
}
