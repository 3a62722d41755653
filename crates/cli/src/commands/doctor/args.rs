use crate::args::MachineArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  counterpoint doctor
  counterpoint doctor --verify          which events count rightly here
  counterpoint doctor --record DIR      then, anywhere: counterpoint list --machine DIR
  counterpoint doctor --record DIR --with-counts
                                        then, anywhere: counterpoint doctor --verify --machine DIR

Exit status: 0 if software events can be counted, 1 if not, 2 for wrong usage.
With --verify, 1 if an event does not count what is expected.")]
pub struct DoctorArgs {
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Run code whose counts are known, and print what events count of it; with --machine, what was recorded
    #[arg(long, conflicts_with = "record")]
    pub verify: bool,
    /// Record this machine into DIR, for use with --machine
    #[arg(long, value_name = "DIR", conflicts_with = "machine")]
    pub record: Option<PathBuf>,
    /// Also record what --verify finds: what opens, and what it counts
    #[arg(long, requires = "record", conflicts_with = "verify")]
    pub with_counts: bool,
}
