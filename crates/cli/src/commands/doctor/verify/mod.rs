//! `counterpoint doctor --verify`: the trust report, which events count rightly on this machine.

pub mod json;
mod machine;
mod text;

use crate::failure::Failure;
use crate::show;
use counterpoint::perf::Host;
use counterpoint::verify::{Verdict, verify};
use machine::Of;
use std::io::Write;

/// Exit status 1 if an event does not count what is expected.
pub fn run(is_json: bool) -> Result<u8, Failure> {
    let host = Host::local();
    let report = verify(&host);
    let machine = Of::new(&host);
    let mut out = show::tables(is_json);
    if is_json {
        json::write(&mut out, &machine, &report)?;
    } else {
        text::write(&mut out, &machine, &report)?;
    }
    out.flush()?;
    Ok(u8::from(report.rows.iter().any(|row| row.verdict() == Verdict::Differs)))
}
