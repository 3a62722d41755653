//! `counterpoint doctor --verify`: the trust report, which events count rightly on a machine.

pub mod json;
mod machine;
mod recorded;
mod text;

use crate::failure::Failure;
use crate::show;
use counterpoint::perf::Host;
use counterpoint::verify::{Verdict, verify};
use machine::Of;
pub use recorded::record;
use std::io::Write;
use std::path::Path;

/// Verifies this machine, or shows the report that was recorded in a directory.
///
/// Exit status 1 if an event does not count what is expected.
pub fn run(recorded: Option<&Path>, is_json: bool) -> Result<u8, Failure> {
    let (machine, report) = match recorded {
        Some(directory) => recorded::read(directory)?,
        None => {
            let host = Host::local();
            (Of::new(&host), verify(&host))
        }
    };
    let mut out = show::tables(is_json);
    if is_json {
        json::write(&mut out, &machine, &report)?;
    } else {
        text::write(&mut out, &machine, &report)?;
    }
    out.flush()?;
    Ok(u8::from(report.rows.iter().any(|row| row.verdict() == Verdict::Differs)))
}
