use crate::Failure;
use counterpoint::perf::Host;
use std::path::{Path, PathBuf};

// Which machine is looked at.
#[derive(clap::Args)]
pub struct MachineArgs {
    /// Look at a recorded machine, which answers but cannot count (doctor --record DIR makes one)
    #[arg(long, value_name = "DIR")]
    machine: Option<PathBuf>,
}

impl MachineArgs {
    /// The running machine, or the recorded one.
    pub fn host(&self) -> Result<Host, Failure> {
        host(self.machine.as_deref())
    }
}

/// The running machine, or the one recorded in this directory.
pub fn host(recorded: Option<&Path>) -> Result<Host, Failure> {
    match recorded {
        None => Ok(Host::local()),
        Some(directory) => Host::recorded(directory).map_err(|e| Failure::new(e.to_string())),
    }
}
