//! Reads recordings.

use super::filter::FilterArgs;
use crate::failure::Failure;
use crate::{input, show};
use counterpoint::profile::{CallGraph, Profile};
use counterpoint_recording::{ReadError, Recorded};
use std::io::Write;
use std::path::Path;

/// Reads a file, and says on standard error what is missing of it; `with` adds to each event's profile what is to be counted.
pub fn recorded(
    path: &Path,
    filters: &FilterArgs,
    with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
) -> Result<Recorded, Failure> {
    let name = path.to_string_lossy();
    let name = show::printable(&name);
    let file = input::open(path).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let failed = |error: ReadError| {
        let failure = Failure::new(format!("{name}: {error}"));
        match error {
            ReadError::Directory => failure.help("record without --threads"),
            _ => failure,
        }
    };
    let recorded = Recorded::read(file, &filters.filters(), with).map_err(failed)?;
    for remark in &recorded.remarks {
        let remark = remark.to_string();
        writeln!(show::stderr(), "counterpoint: {name}: {}", show::printable(&remark))?;
    }
    Ok(recorded)
}
