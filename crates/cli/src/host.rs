use crate::Failure;
use counterpoint::perf::Host;
use std::path::Path;

/// The running machine, or the recorded one that `--machine` names.
pub fn host(recorded: Option<&Path>) -> Result<Host, Failure> {
    match recorded {
        None => Ok(Host::local()),
        Some(directory) => Host::recorded(directory).map_err(|e| Failure::new(e.to_string())),
    }
}
