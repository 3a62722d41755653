//! The trust report in the directory of a recorded machine.

use super::json;
use super::machine::Of;
use crate::failure::Failure;
use crate::input;
use crate::output::Sink;
use counterpoint::perf::Host;
use counterpoint::verify::{TrustReport, verify};
use std::io::ErrorKind;
use std::path::Path;

/// The file of a recording with the report, as `doctor --verify --json` prints it.
const COUNTS: &str = "counts.jsonl";

/// Verifies the running machine, and writes the report into the directory of its recording; returns the number of lines about events.
pub fn record(host: &Host, directory: &Path) -> Result<usize, Failure> {
    let report = verify(host);
    let mut file = Sink::of_file(&directory.join(COUNTS))?;
    json::write(&mut file, &Of::new(host), &report)?;
    file.publish()?;
    Ok(report.rows.len())
}

pub(super) fn read(directory: &Path) -> Result<(Of, TrustReport), Failure> {
    let path = directory.join(COUNTS);
    let text = input::text(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new(format!(
            "the recording of the machine in {} has no counts",
            directory.display()
        ))
        .help("on that machine: counterpoint doctor --record DIR --with-counts"),
        _ => Failure::new(format!("{}: {error}", path.display())),
    })?;
    json::read(&text)
        .map_err(|(line, what)| Failure::new(format!("{}:{line}: {what}", path.display())))
}
