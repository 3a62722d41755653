//! Reads recordings.

use super::filter::FilterArgs;
use crate::failure::Failure;
use crate::{input, show};
use counterpoint::profile::{CallGraph, Profile};
use counterpoint_recording::{Joined, Joining, ReadError, Recorded, Remark};
use std::io::Write;
use std::path::Path;

/// Adds to the profile of an event what is to be counted.
pub type With<'w> = &'w dyn Fn(Profile, Option<CallGraph>) -> Profile;

/// Reads a file, and says on standard error what is missing of it.
pub fn recorded(path: &Path, filters: &FilterArgs, with: With<'_>) -> Result<Recorded, Failure> {
    let name = path.to_string_lossy();
    let name = show::printable(&name);
    let file = input::open(path).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let recorded =
        Recorded::read(file, &filters.filters(), with).map_err(|error| failed(&name, error))?;
    remark(&name, &recorded.remarks)?;
    Ok(recorded)
}

/// Reads files, whose samples are added up.
pub fn joined(paths: &[&Path], filters: &FilterArgs, with: With<'_>) -> Result<Joined, Failure> {
    let mut joining = Joining::default();
    for path in paths {
        let name = path.to_string_lossy();
        let name = show::printable(&name);
        let file = input::open(path).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let remarks = joining.add(file, &filters.filters(), with);
        remark(&name, &remarks.map_err(|error| failed(&name, error))?)?;
    }
    Ok(joining.finish())
}

fn failed(name: &str, error: ReadError) -> Failure {
    let failure = Failure::new(format!("{name}: {error}"));
    match error {
        ReadError::Directory => failure.help("record without --threads"),
        ReadError::OtherManner { .. } => {
            failure.help("record all with the same options, or report each by itself")
        }
        _ => failure,
    }
}

fn remark(name: &str, remarks: &[Remark]) -> Result<(), Failure> {
    for remark in remarks {
        let remark = remark.to_string();
        writeln!(show::stderr(), "counterpoint: {name}: {}", show::printable(&remark))?;
    }
    Ok(())
}
